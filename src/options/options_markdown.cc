#include <fmt/format.h>

#include <string>

#include "lookalike/configuration.h"
#include "lookalike/options_table.h"

namespace lookalike {
namespace {

constexpr std::string_view kIntroduction =
    "# Options\n\n"
    "Made from the options table by `lookalike options --markdown`; do not edit.\n\n"
    "Every option is a flag `--name VALUE`, or `--name` alone for a switch. Sizes are numbers\n"
    "with a unit: `64KiB`, `256M`, `1.5G`; K, M, G, T are powers of 1024, KB, MB, GB, TB powers\n"
    "of 1000. The column *only for* names the measures, the units of shingles and the methods "
    "that\n"
    "an option applies to; where it is empty, the option applies to all. With anything else the\n"
    "option is refused.\n";

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
    {OptionClass::kInteraction, "Confirmation and messages",
     "These say what a command may do and what it prints; they never change a result."},
};

std::string EscapeCell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// Returns the names of the commands that have an option, or of those that have it with fewer
/// values than others.
std::string CommandsOf(const OptionRow& row, bool narrow = false) {
  std::string names;
  for (const CommandRow& command : CommandTable()) {
    if (!row.BelongsTo(command.command)) continue;
    if (narrow && !row.IsNarrowIn(command.command)) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", command.name);
  }
  return names;
}

/// Returns the accepted values of an option in all commands.
std::string TakesOf(const OptionRow& row) {
  if (row.IsSwitch()) return "";
  const std::string narrow = CommandsOf(row, true);
  if (narrow.empty()) return std::string(row.takes);
  return fmt::format("{}; {}: {}", row.takes, narrow, row.narrow.takes);
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

constexpr std::string_view kConfiguration =
    "\n## Configuration files and presets\n\n"
    "`--config FILE` reads options from a TOML file. Its keys are the names above without dashes "
    "in\n"
    "front; they apply to every command that has them. A table named after a command applies to\n"
    "that command only, and wins. Switches take `true` or `false`, lists an array of strings,\n"
    "sizes a string or a number of bytes. Paths are relative to the working directory, as on the\n"
    "command line.\n\n"
    "```toml\n"
    "preset = \"news\"\n"
    "threshold = 0.6\n"
    "memory = \"8G\"\n\n"
    "[dedup]\n"
    "keep = \"field:published\"\n"
    "against = [\"evaluation/*.jsonl\"]\n"
    "```\n\n"
    "`--preset NAME` sets options for one use. The command line wins over the file, the file over\n"
    "the preset, and the preset over the defaults; lists are replaced, not joined. An\n"
    "unknown key or a wrong value is an error that names its line. `lookalike options --presets`\n"
    "prints the presets as below.\n\n"
    "| preset | for |\n|---|---|\n";

std::string ConfigurationSection() {
  std::string text(kConfiguration);
  for (const Preset& preset : Presets()) {
    text += fmt::format("| `{}` | {} |\n", preset.name, preset.purpose);
  }
  for (const Preset& preset : Presets()) {
    const std::string_view options = preset.text.substr(preset.text.find('\n') + 1);
    text += fmt::format("\n### `--preset {}`\n\n```toml\n{}```\n", preset.name, options);
  }
  return text;
}

std::string OptionsSection(const Section& section) {
  std::string text = fmt::format(
      "\n## {}\n\n{}\n\n| option | default | takes | meaning | only for | commands |\n"
      "|---|---|---|---|---|---|\n",
      section.title, section.text);
  for (const OptionRow& row : OptionTable()) {
    if (row.kind != section.kind) continue;
    text += fmt::format("| `--{}{}{}` | {} | {} | {} | {} | {} |\n", row.name,
                        row.IsSwitch() ? "" : " ", row.value, EscapeCell(DefaultText(row)),
                        EscapeCell(TakesOf(row)), EscapeCell(row.help), AppliesTo(row),
                        CommandsOf(row));
  }
  return text;
}

}  // namespace

std::string OptionsMarkdown() {
  std::string text(kIntroduction);
  text += CommandsSection();
  for (const Section& section : kSections) text += OptionsSection(section);
  text += ConfigurationSection();
  return text;
}

}  // namespace lookalike
