// Words of the command line -> a typed request.
#ifndef LOOKALIKE_CLI_COMMAND_LINE_H_
#define LOOKALIKE_CLI_COMMAND_LINE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/decontaminate.h"
#include "lookalike/design_study.h"
#include "lookalike/filter.h"
#include "lookalike/index.h"
#include "lookalike/list_audit.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/options_table.h"
#include "lookalike/passages.h"
#include "lookalike/rethreshold.h"
#include "lookalike/status.h"

namespace lookalike::cli {

/// The arguments of `index`; each belongs to some of its actions.
struct IndexArguments {
  std::optional<Kept> keep;              ///< --keep
  std::optional<double> unless_similar;  ///< --unless-similar
  std::optional<std::string> text, id;   ///< --text, --id
  std::string file;                      ///< --file
  IndexQuery query;                      ///< --top, --limit, --exhaustive
  uint64_t audit = 0;                    ///< --audit
  bool clusters = true;                  ///< --clusters
  uint64_t since = 0;                    ///< --since
};

/// The arguments of `serve`.
struct ServeArguments {
  std::string address = "127.0.0.1";  ///< --listen
  uint16_t port = 8780;
  std::string token_file;          ///< --token-file
  std::string backups;             ///< --backups
  std::string certificate, key;    ///< --tls-certificate, --tls-key
  std::string result;              ///< --result
  std::string decisions;           ///< --decisions; empty: beside the result.
  std::string texts;               ///< --texts; empty: a temporary folder.
  std::string audit;               ///< --audit; empty: beside the result, if there is one.
  std::vector<std::string> agree;  ///< --agree
};

/// A parsed command line.
struct Request {
  enum class Action { kRun, kHelp, kVersion, kOptions };
  Action action = Action::kRun;
  const CommandRow* command = nullptr;  ///< Null: the command as a whole (help, version).
  bool full_help = false;               ///< kHelp: `--help all`.
  std::string options_form;             ///< kOptions: "--markdown", "--presets".
  Options options;
  std::string preset;  ///< --preset; already applied to options.
  std::string config;  ///< --config; likewise.
  bool threshold_given = false;
  std::vector<std::string> given;    ///< The flags that were given.
  std::vector<std::string> inputs;   ///< IN..., A and B, or RESULT.
  std::string output;                ///< -o
  std::string truth;                 ///< --truth
  uint64_t documents = 0;            ///< --documents
  double duplicates = 0.3;           ///< --duplicates
  std::vector<double> at;            ///< --at
  std::vector<double> found;         ///< --found
  uint64_t simulated_pairs = 0;      ///< --simulate
  uint64_t features = 0;             ///< --features
  std::optional<DesignGoal> goal;    ///< --optimize
  bool edits = false;                ///< --edits
  uint64_t words = 1000;             ///< --words
  std::string html;                  ///< --html
  GroupFields fields;                ///< --by, --item, --weight
  FilterSettings filter;             ///< --state, --checkpoint, --ask-only
  std::string url_field = "url";     ///< --url-field
  std::string job;                   ///< --job
  uint64_t task = 0, tasks = 0;      ///< --task; no tasks: not given.
  IndexArguments index;              ///< The arguments of index.
  PassageRules passages;             ///< --min-words, --action, --unit, --min-left.
  ContaminationRules contamination;  ///< --action, --min-words, --item-field, --item-id.
  AuditedList list;                  ///< --list, --kind, --list-id, --list-with, ...
  ServeArguments serve;              ///< The arguments of serve.
  Rethresholding change;             ///< --target-size, --decisions
};

/// An argument that is not a member of Options, because it belongs to few commands.
struct ArgumentRow {
  std::string_view flag;   ///< "-o", "--truth".
  std::string_view value;  ///< "FILE"; empty: a switch.
  uint32_t commands;       ///< Bits of Command.
  uint32_t required;       ///< Bits of the commands that require it.
  std::string_view help;
  bool (*set)(std::string_view text, Request* request);  ///< False: cannot be parsed.
  std::string_view takes;
};

/// Returns all rows, in the order of help.
std::span<const ArgumentRow> ArgumentTable();

/// Returns what `lookalike options` can print: "--markdown", "--man", ...
std::span<const std::string_view> OptionsForms();

/// Parses `words`, given without the program's name. On success the options are valid
/// (Options::Validate). The error is one line that says what to do.
Result<Request> ParseCommandLine(std::span<const std::string> words);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_COMMAND_LINE_H_
