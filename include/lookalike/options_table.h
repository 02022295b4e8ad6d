// The options table: one row per option, the single source of flags, help, docs/options.md and
// the options digest.
#ifndef LOOKALIKE_OPTIONS_TABLE_H_
#define LOOKALIKE_OPTIONS_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// The commands, each a bit so that an option can belong to several.
enum class Command : uint32_t {
  kDedup = 1,
  kPairs = 2,
  kCompare = 4,
  kPlan = 8,
  kSynth = 16,
  kEval = 32,
  kFamilies = 64,
  kWeights = 128,
  kSketch = 256,
  kGroup = 512,
  kNearest = 1024,
  kFilter = 2048,
  kCrumbs = 4096,
  kMergeSketches = 8192,
};

/// What a command is called and what it is for.
struct CommandRow {
  Command command;
  std::string_view name;      ///< "dedup".
  std::string_view synopsis;  ///< What follows the name: "IN... -o DIR [options]".
  std::string_view summary;   ///< One sentence.
  std::string_view example;   ///< A whole command line.
};

enum class OptionClass {
  kBehaviour,    ///< Decides the answer; hashed into the options digest.
  kPerformance,  ///< Never changes a result.
  kTalk,         ///< Consent and messages; never changes a result.
};

/// How a whole number is written.
enum class Notation {
  kPlain,
  kSize,     ///< 64KiB, 256M.
  kOrLimit,  ///< A count, or `unlimited` for UINT64_MAX.
  kOrUnset,  ///< 1 or more; 0 is for what is not given, and has no text.
};

/// The member of Options that a row stands for.
using OptionMember = std::variant<bool Options::*, uint64_t Options::*, double Options::*,
                                  std::string Options::*, std::vector<std::string> Options::*>;

/// One option.
struct OptionRow {
  std::string_view name;   ///< Without dashes: "min-features". The flag is "--min-features".
  std::string_view value;  ///< What stands for its value in help: "N"; empty for a switch.
  OptionMember member;
  OptionClass kind;
  uint32_t commands;  ///< Bits of Command.
  Notation notation;
  /// What is shown as the default where the value itself says little ("planned"); else empty.
  std::string_view default_meaning;
  std::string_view takes;  ///< What values it takes: "a number above 0, at most 1".
  std::string_view help;   ///< Meaning, unit, and when to change it.

  [[nodiscard]] bool BelongsTo(Command command) const {
    return (commands & static_cast<uint32_t>(command)) != 0;
  }
  [[nodiscard]] bool IsSwitch() const { return std::holds_alternative<bool Options::*>(member); }

  /// Whether it takes any number of values.
  [[nodiscard]] bool IsList() const {
    return std::holds_alternative<std::vector<std::string> Options::*>(member);
  }

  /// Whether the flag takes all words up to the next flag; else one, and is repeated for more.
  [[nodiscard]] bool TakesWords() const { return IsList() && value.ends_with("..."); }
};

/// All commands, in the order of help.
std::span<const CommandRow> CommandTable();

/// All options, in the order of help.
std::span<const OptionRow> OptionTable();

/// Sets the option from its text; a list gets one more value. The error names the option, what was
/// given, and what it takes. Only the form is checked here ("is this a number?");
/// Options::Validate() checks the values.
Status SetOption(const OptionRow& row, std::string_view text, Options* options);

/// Gives the option its default again; a list becomes empty.
void ResetOption(const OptionRow& row, Options* options);

/// The option's value as SetOption takes it; switches are "true" or "false". The values of a list
/// stand with commas between, a comma or backslash of a value as `\,` or `\\`, so that valid
/// lists have equal texts only when they are equal.
std::string OptionText(const OptionRow& row, const Options& options);

/// What help shows as the default: the value in a default-constructed Options, or its meaning.
std::string DefaultText(const OptionRow& row);

/// (name, value) of the behaviour options of a command, in table order. URIs of object stores come
/// without credentials and parameters.
std::vector<std::pair<std::string, std::string>> BehaviourOptions(const Options& options,
                                                                  Command command);

/// 32 hex digits: XXH3-128 over the lines `name=value\n` of BehaviourOptions, in which a backslash
/// and a newline of a value are written as `\\` and `\n`.
std::string OptionsDigest(const Options& options, Command command);

/// The text of docs/options.md.
std::string OptionsMarkdown();

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_TABLE_H_
