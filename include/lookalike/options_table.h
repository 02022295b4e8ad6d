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
  kShard = 16384,
  kIndex = 32768,
  kServe = 65536,
  kAudit = 262144,
  kMcp = 131072,
  kPassages = 524288,
  kDecontaminate = 1048576,
  kRethreshold = 4194304,
};

/// A heading of the general help.
enum class CommandGroup {
  kFind,     ///< Finds near-duplicates.
  kStream,   ///< Works on streams and on stored sketches.
  kPrepare,  ///< Makes inputs and options for other commands.
  kStudy,    ///< Predicts and measures.
};

/// The name and purpose of a command.
struct CommandRow {
  Command command;
  CommandGroup group;
  std::string_view name;      ///< "dedup".
  std::string_view synopsis;  ///< The rest of the usage line: "IN... -o DIR [options]".
  std::string_view summary;   ///< One sentence.
  std::string_view example;   ///< A whole command line.
};

enum class OptionClass {
  kBehaviour,    ///< Affects the result; hashed into the options digest.
  kPerformance,  ///< Never changes a result.
  kInteraction,  ///< Consent and messages; never changes a result.
};

/// A heading of the help of a command; options are listed below it.
enum class OptionTopic {
  kAlike,      ///< The documents that count as near-duplicates.
  kText,       ///< From texts to features.
  kSearch,     ///< From features to verified pairs.
  kInput,      ///< Files, fields and records.
  kResult,     ///< The documents that are kept, and the form of results.
  kResources,  ///< Memory, threads, scratch space, object stores.
  kMessages,   ///< Consent and messages.
};

/// The notation of a value.
enum class Notation {
  kPlain,
  kSize,     ///< 64KiB, 256M.
  kOrLimit,  ///< A count, or `unlimited` for UINT64_MAX.
  kOrUnset,  ///< 1 or more; 0 means "not given" and has no text.
  /// For a list of criteria, as `keep` is: an empty one has the text "first", a single value is its
  /// own text, and several are in brackets.
  kCriteria,
};

/// The settings that decide which options apply. They form groups; each run has one setting of
/// each.
enum class Setting : uint32_t {
  // Set by `measure` and `distance`: how documents are compared.
  kResemblance = 1,
  kContainment = 2,
  kPoints = 4,   ///< Distances of points.
  kStrings = 8,  ///< Distances of strings.
  // Set by `shingle`: the units that shingles are made of.
  kWords = 16,
  kCode = 32,
  kCharacters = 64,  ///< Or bytes.
  kUrls = 128,
  kNumbers = 256,
  kItems = 512,
  // Set by `method`: how candidates are found.
  kBands = 1024,
  kExactJoin = 2048,
  kShingleMerge = 4096,
};
inline constexpr uint32_t kEverySetting = 8191;

/// A pointer to the member of Options that a row describes.
using OptionMember =
    std::variant<bool Options::*, uint64_t Options::*, double Options::*, Threshold Options::*,
                 std::string Options::*, std::vector<std::string> Options::*>;

/// The words of an option in the help of some commands, where it takes less than elsewhere.
struct OptionWording {
  uint32_t commands = 0;  ///< Bits of Command.
  std::string_view takes;
  std::string_view help;
};

/// One option.
struct OptionRow {
  std::string_view name;   ///< Without dashes: "min-features". The flag is "--min-features".
  std::string_view value;  ///< Placeholder for the value in help: "N"; empty for a switch.
  OptionMember member;
  OptionTopic topic;
  OptionClass kind;
  uint32_t commands;  ///< Bits of Command.
  uint32_t headline;  ///< Bits of the commands whose short help shows the option.
  Notation notation;
  /// Shown as the default where the value itself says little ("planned"); else empty.
  std::string_view default_meaning;
  std::string_view takes;  ///< The accepted values: "a number above 0, at most 1".
  /// The first sentence says what the option does and is the short help; then when to change it.
  std::string_view help;
  /// Bits of Setting: with another setting of a group, the option may only have its default value.
  uint32_t applies = kEverySetting;
  OptionWording narrow = {};

  /// Returns the accepted values in the help of one command.
  [[nodiscard]] std::string_view TakesIn(Command command) const {
    return IsNarrowIn(command) ? narrow.takes : takes;
  }
  /// Returns the help text in the help of one command.
  [[nodiscard]] std::string_view HelpIn(Command command) const {
    return IsNarrowIn(command) ? narrow.help : help;
  }
  [[nodiscard]] bool IsNarrowIn(Command command) const {
    return (narrow.commands & static_cast<uint32_t>(command)) != 0;
  }
  [[nodiscard]] bool BelongsTo(Command command) const {
    return (commands & static_cast<uint32_t>(command)) != 0;
  }
  [[nodiscard]] bool IsHeadlineOf(Command command) const {
    return BelongsTo(command) && (headline & static_cast<uint32_t>(command)) != 0;
  }
  [[nodiscard]] bool IsSwitch() const { return std::holds_alternative<bool Options::*>(member); }

  /// True if it takes any number of values.
  [[nodiscard]] bool IsList() const {
    return std::holds_alternative<std::vector<std::string> Options::*>(member);
  }

  /// True if the flag takes all words up to the next flag; otherwise it takes one word and is
  /// repeated for more.
  [[nodiscard]] bool TakesWords() const { return IsList() && value.ends_with("..."); }
};

/// Returns all commands, in the order of help.
std::span<const CommandRow> CommandTable();

/// Returns all options, in the order of help.
std::span<const OptionRow> OptionTable();

/// Returns the settings that an option is limited to, such as "words, code and items"; empty if it
/// applies to all.
std::string AppliesTo(const OptionRow& row);

/// Sets the option from its text; for a list, appends one value. The error names the option, the
/// given text and the accepted values. Only the form is checked here ("is this a number?");
/// Options::Validate() checks the values.
Status SetOption(const OptionRow& row, std::string_view text, Options* options);

/// Resets the option to its default; a list becomes empty.
void ResetOption(const OptionRow& row, Options* options);

/// Returns the option's value as SetOption takes it; switches are "true" or "false". The values of
/// a list are joined by commas, with a comma or backslash in a value escaped as `\,` or `\\`, so
/// that valid lists have equal texts only if they are equal.
std::string OptionText(const OptionRow& row, const Options& options);

/// Returns the values of a list whose text OptionText returned, so that SetOption can take them.
std::vector<std::string> ListValues(const OptionRow& row, std::string_view text);

/// Returns the default as shown in help: the value in a default-constructed Options, or its
/// meaning.
std::string DefaultText(const OptionRow& row);

/// Returns (name, value) of the behaviour options of a command, in table order. Object-store URIs
/// are given without credentials and parameters.
std::vector<std::pair<std::string, std::string>> BehaviourOptions(const Options& options,
                                                                  Command command);

/// Returns 32 hex digits: XXH3-128 over the lines `name=value\n` of BehaviourOptions, with a
/// backslash or newline in a value written as `\\` or `\n`.
std::string OptionsDigest(const Options& options, Command command);

/// Returns the text of docs/options.md.
std::string OptionsMarkdown();

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_TABLE_H_
