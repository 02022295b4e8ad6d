#include <fmt/format.h>

#include <string>

#include "lookalike/options_table.h"

namespace lookalike {
namespace {

constexpr std::string_view kIntroduction =
    "# Options\n\n"
    "Made from the options table by `lookalike options --markdown`; do not edit.\n\n"
    "Every option is a flag `--name VALUE`, or `--name` alone for a switch. Sizes are numbers\n"
    "with a unit: `64KiB`, `256M`, `1.5G`; K, M, G, T are powers of 1024, KB, MB, GB, TB powers\n"
    "of 1000.\n";

struct Section {
  OptionClass kind;
  std::string_view title;
  std::string_view text;
};

constexpr Section kSections[] = {
    {OptionClass::kBehaviour, "Behaviour",
     "These decide what the answer is. Equal behaviour options give equal output files; they are\n"
     "written into every manifest and hashed into its `options_digest`."},
    {OptionClass::kPerformance, "Performance", "These never change a result."},
    {OptionClass::kTalk, "Consent and messages",
     "These say what a command may do and how it talks; they never change a result."},
};

std::string EscapeCell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string CommandsOf(const OptionRow& row) {
  std::string names;
  for (const CommandRow& command : CommandTable()) {
    if (!row.BelongsTo(command.command)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", command.name);
  }
  return names;
}

std::string CommandsSection() {
  std::string text = "\n## Commands\n\n";
  for (const CommandRow& row : CommandTable()) {
    text += fmt::format("### `lookalike {} {}`\n\n{}\n\n```\n{}\n```\n\n", row.name, row.synopsis,
                        row.summary, row.example);
  }
  text.pop_back();
  return text;
}

std::string OptionsSection(const Section& section) {
  std::string text = fmt::format(
      "\n## {}\n\n{}\n\n| option | default | takes | meaning | commands |\n|---|---|---|---|---|\n",
      section.title, section.text);
  for (const OptionRow& row : OptionTable()) {
    if (row.kind != section.kind) continue;
    text += fmt::format("| `--{}{}{}` | {} | {} | {} | {} |\n", row.name, row.IsSwitch() ? "" : " ",
                        row.value, EscapeCell(DefaultText(row)),
                        row.IsSwitch() ? "" : EscapeCell(row.takes), EscapeCell(row.help),
                        CommandsOf(row));
  }
  return text;
}

}  // namespace

std::string OptionsMarkdown() {
  std::string text(kIntroduction);
  text += CommandsSection();
  for (const Section& section : kSections) text += OptionsSection(section);
  return text;
}

}  // namespace lookalike
