#include "help.h"

#include <fmt/format.h>

#include <algorithm>

#include "command_line.h"
#include "lookalike/configuration.h"

namespace lookalike::cli {
namespace {

constexpr size_t kWidth = 96;
constexpr size_t kIndent = 26;

/// Returns "  --flag VALUE          help, wrapped and indented".
std::string Entry(const std::string& flag, std::string_view help) {
  std::string text = fmt::format("  {:<{}}", flag, kIndent - 2);
  size_t column = text.size();
  if (column > kIndent || text.back() != ' ') {
    text += fmt::format("\n{:{}}", "", kIndent);
    column = kIndent;
  }
  while (!help.empty()) {
    const size_t end = std::min(help.find(' '), help.size());
    if (column > kIndent && column + 1 + end > kWidth) {
      text += fmt::format("\n{:{}}", "", kIndent);
      column = kIndent;
    }
    if (column > kIndent) text += ' ', ++column;
    text += help.substr(0, end);
    column += end;
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return text + "\n";
}

std::string OptionsOfClass(const CommandRow& command, OptionClass kind, std::string_view title) {
  std::string text;
  for (const OptionRow& row : OptionTable()) {
    if (row.kind != kind || !row.BelongsTo(command.command)) continue;
    if (row.IsSwitch()) {
      text += Entry(fmt::format("--{}", row.name), row.help);
    } else {
      text += Entry(fmt::format("--{} {}", row.name, row.value),
                    fmt::format("{} Takes {}. [{}]", row.help, row.takes, DefaultText(row)));
    }
  }
  return text.empty() ? "" : fmt::format("\n{}:\n{}", title, text);
}

}  // namespace

std::string GeneralHelp() {
  std::string text =
      "Lookalike finds documents that are effectively the same, and proves every answer.\n\n"
      "Usage: lookalike COMMAND ...\n\nCommands:\n";
  for (const CommandRow& row : CommandTable()) text += Entry(std::string(row.name), row.summary);
  text += "\n" + Entry("COMMAND --help", "What a command takes, with an example.");
  text += Entry("options --presets", "The presets: for whom they are, and their options.");
  text += Entry("--version", "Version, fingerprint version and instruction set in use.");
  text +=
      "\nExample:\n  lookalike dedup corpus.jsonl -o clean\n\n"
      "Exit codes: 0 done; 1 asked and nothing found; 2 failed or interrupted; 3 done, but some\n"
      "records were rejected or inputs skipped.\n";
  return text;
}

std::string PresetsHelp() {
  std::string text;
  for (const Preset& preset : Presets()) {
    text += fmt::format("{}--preset {}\n{}", text.empty() ? "" : "\n", preset.name, preset.text);
  }
  return text;
}

std::string CommandHelp(const CommandRow& command) {
  std::string text = fmt::format("{}\n\nUsage: lookalike {} {}\n", command.summary, command.name,
                                 command.synopsis);
  std::string arguments;
  for (const ArgumentRow& row : ArgumentTable()) {
    if ((row.commands & static_cast<uint32_t>(command.command)) == 0) continue;
    const std::string_view space = row.value.empty() ? "" : " ";
    arguments += Entry(fmt::format("{}{}{}", row.flag, space, row.value), row.help);
  }
  if (!arguments.empty()) text += "\nArguments:\n" + arguments;
  text += OptionsOfClass(command, OptionClass::kBehaviour, "What the answer is");
  text += OptionsOfClass(command, OptionClass::kPerformance, "How fast it comes (same answer)");
  text += OptionsOfClass(command, OptionClass::kTalk, "Consent and messages");
  return text + fmt::format("\nExample:\n  {}\n", command.example);
}

}  // namespace lookalike::cli
