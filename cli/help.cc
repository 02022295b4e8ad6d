#include "help.h"

#include <fmt/format.h>

#include <algorithm>

#include "command_line.h"
#include "lookalike/configuration.h"

namespace lookalike::cli {
namespace {

constexpr size_t kScreenWidth = 80;

/// Returns "  --flag VALUE       help", wrapped, with `indent` columns before the help.
std::string Entry(std::string_view flag, std::string_view help, size_t indent) {
  std::string text = fmt::format("  {:<{}}", flag, indent - 2);
  size_t column = text.size();
  if (column > indent || text.back() != ' ') {
    text += fmt::format("\n{:{}}", "", indent);
    column = indent;
  }
  while (!help.empty()) {
    const size_t end = std::min(help.find(' '), help.size());
    if (column > indent && column + 1 + end > kScreenWidth) {
      text += fmt::format("\n{:{}}", "", indent);
      column = indent;
    }
    if (column > indent) text += ' ', ++column;
    text += help.substr(0, end);
    column += end;
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return text + "\n";
}

/// Returns "--flag VALUE", or "--flag" for a switch, whose value is empty.
std::string WithValue(std::string_view flag, std::string_view value) {
  return fmt::format("{}{}{}", flag, value.empty() ? "" : " ", value);
}

std::string FlagOf(const OptionRow& row) {
  return WithValue(fmt::format("--{}", row.name), row.value);
}

struct Heading {
  OptionTopic topic;
  std::string_view title;
};

constexpr Heading kHeadings[] = {
    {OptionTopic::kAlike, "Near-duplicates"},
    {OptionTopic::kText, "Texts and features"},
    {OptionTopic::kSearch, "Search"},
    {OptionTopic::kInput, "Inputs"},
    {OptionTopic::kResult, "Results"},
    {OptionTopic::kResources, "Resources"},
    {OptionTopic::kMessages, "Confirmation and messages"},
};

constexpr size_t kShortIndent = 22, kFullIndent = 26;

std::string OptionsUnder(const Heading& heading, const CommandRow& command) {
  std::string text;
  for (const OptionRow& row : OptionTable()) {
    if (row.topic != heading.topic || !row.BelongsTo(command.command)) continue;
    const std::string values =
        row.IsSwitch()
            ? ""
            : fmt::format(" Takes {}. [{}]", row.TakesIn(command.command), DefaultText(row));
    text +=
        Entry(FlagOf(row), fmt::format("{}{}", row.HelpIn(command.command), values), kFullIndent);
  }
  return text.empty() ? "" : fmt::format("\n{}:\n{}", heading.title, text);
}

std::string Headlines(const CommandRow& command) {
  std::string text;
  for (const OptionRow& row : OptionTable()) {
    if (!row.IsHeadlineOf(command.command)) continue;
    const std::string value = row.IsSwitch() ? "" : fmt::format(" [{}]", DefaultText(row));
    text +=
        Entry(FlagOf(row), fmt::format("{}{}", FirstSentence(row.HelpIn(command.command)), value),
              kShortIndent);
  }
  return text.empty() ? "" : fmt::format("\nOptions:\n{}", text);
}

enum class Detail { kShort, kFull };

std::string Arguments(const CommandRow& command, Detail detail) {
  std::string text;
  for (const ArgumentRow& row : ArgumentTable()) {
    if ((row.commands & static_cast<uint32_t>(command.command)) == 0) continue;
    const std::string flag = WithValue(row.flag, row.value);
    text += detail == Detail::kShort ? Entry(flag, FirstSentence(row.help), kShortIndent)
                                     : Entry(flag, row.help, kFullIndent);
  }
  return text.empty() ? "" : "\nArguments:\n" + text;
}

std::string Usage(const CommandRow& command) {
  return fmt::format("{}\n\nUsage: lookalike {} {}\n", command.summary, command.name,
                     command.synopsis);
}

struct Group {
  CommandGroup group;
  std::string_view title;
};

constexpr Group kGroups[] = {
    {CommandGroup::kFind, "Find near-duplicates"},
    {CommandGroup::kStream, "Streams and sketches"},
    {CommandGroup::kPrepare, "Prepare"},
    {CommandGroup::kStudy, "Predict and measure"},
};

}  // namespace

std::string_view FirstSentence(std::string_view help) {
  return help.substr(0, std::min(help.find(". "), help.size() - 1) + 1);
}

std::string GeneralHelp() {
  constexpr size_t kIndent = 18;
  std::string text =
      "Lookalike finds near-duplicate documents, and verifies every answer exactly.\n\n"
      "Usage: lookalike COMMAND ...\n";
  for (const Group& group : kGroups) {
    text += fmt::format("\n{}:\n", group.title);
    for (const CommandRow& row : CommandTable()) {
      if (row.group == group.group) text += Entry(row.name, row.summary, kIndent);
    }
  }
  text += "\nMore help:\n";
  text += Entry("COMMAND --help", "The options that matter most, and an example.", kShortIndent);
  text += Entry("COMMAND --help all", "Every option of a command.", kShortIndent);
  text += Entry("options --presets", "The presets and their options.", kShortIndent);
  text += Entry("--version", "Version, fingerprint version and instruction set.", kShortIndent);
  return text +
         "\nExample:\n  lookalike dedup corpus.jsonl -o clean\n\n"
         "Exit codes: 0 done; 1 nothing found, or below the threshold; 2 failed or\n"
         "interrupted; 3 done, but records were rejected or inputs skipped.\n";
}

std::string CommandHelp(const CommandRow& command) {
  return fmt::format("{}{}{}\nExample:\n  {}\n\nAll options: lookalike {} --help all\n",
                     Usage(command), Arguments(command, Detail::kShort), Headlines(command),
                     command.example, command.name);
}

std::string FullCommandHelp(const CommandRow& command) {
  std::string text = Usage(command) + Arguments(command, Detail::kFull);
  for (const Heading& heading : kHeadings) text += OptionsUnder(heading, command);
  return text + fmt::format("\nExample:\n  {}\n", command.example);
}

std::string CommandsMarkdown() {
  std::string text = "| command | use |\n|---|---|\n";
  for (const CommandRow& row : CommandTable()) {
    text += fmt::format("| `{}` | {} |\n", row.name, row.summary);
  }
  return text;
}

std::string PresetsHelp() {
  std::string text;
  for (const Preset& preset : Presets()) {
    text += fmt::format("{}--preset {}\n{}", text.empty() ? "" : "\n", preset.name, preset.text);
  }
  return text;
}

}  // namespace lookalike::cli
