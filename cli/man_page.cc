#include "man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "command_line.h"
#include "lookalike/configuration.h"
#include "lookalike/lookalike.h"
#include "lookalike/options_table.h"

namespace lookalike::cli {
namespace {

/// Escapes text for roff: dashes can be copied, and no backslash or leading mark is taken for a
/// request.
std::string Roff(std::string_view text) {
  std::string escaped = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// Returns a tagged paragraph: the flag in bold, its value in italics, then its description.
std::string Entry(std::string_view flag, std::string_view value, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR{}{}{}\n{}\n", Roff(flag), value.empty() ? "" : " \\fI",
                     Roff(value), value.empty() ? "" : "\\fR", Roff(text));
}

std::string CommandNames(uint32_t commands) {
  std::string names;
  for (const CommandRow& row : CommandTable()) {
    if ((commands & static_cast<uint32_t>(row.command)) == 0) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return names;
}

std::string Commands() {
  std::string text = ".SH COMMANDS\n";
  for (const CommandRow& row : CommandTable()) {
    text += Entry(fmt::format("lookalike {}", row.name), row.synopsis, row.summary);
  }
  return text;
}

std::string Arguments() {
  std::string text = ".SH ARGUMENTS\n";
  for (const ArgumentRow& row : ArgumentTable()) {
    text += Entry(row.flag, row.value,
                  fmt::format("{} Commands: {}.", row.help, CommandNames(row.commands)));
  }
  return text;
}

std::string OptionsOfClass(OptionClass kind, std::string_view title) {
  std::string text = fmt::format(".SS {}\n", title);
  for (const OptionRow& row : OptionTable()) {
    if (row.kind != kind) continue;
    const std::string takes =
        row.IsSwitch() ? "" : fmt::format(" Takes {}. [{}]", row.takes, DefaultText(row));
    text += Entry(fmt::format("--{}", row.name), row.value,
                  fmt::format("{}{} Commands: {}.", row.help, takes, CommandNames(row.commands)));
  }
  return text;
}

std::string PresetsSection() {
  std::string text =
      ".SH PRESETS\n"
      "Options for one use. \\fBlookalike options \\-\\-presets\\fR prints them.\n";
  for (const Preset& preset : Presets()) text += Entry(preset.name, "", preset.purpose);
  return text;
}

std::string Examples() {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const CommandRow& row : CommandTable()) text += Roff(row.example) + "\n";
  return text + ".fi\n";
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n\\fB0\\fR\nDone.\n"
    ".TP\n\\fB1\\fR\nNothing found: no pair, or a resemblance below the threshold that was "
    "given.\n"
    ".TP\n\\fB2\\fR\nFailed or interrupted: nothing is written, and earlier results stay as they "
    "were.\n"
    ".TP\n\\fB3\\fR\nDone, but records were rejected or inputs skipped.\n";

constexpr std::string_view kEnvironment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBLOOKALIKE_ISA\\fR\nRestricts the command to one instruction set, such as scalar or "
    "avx2. Results do not depend on it.\n"
    ".TP\n\\fBNO_COLOR\\fR\nIf this is set to any value, the output has no colour.\n";

}  // namespace

std::string ManPage() {
  const std::string version = VersionString();
  std::string text = fmt::format(
      ".\\\" Made from the options table by `lookalike options --man`; do not edit.\n"
      ".TH LOOKALIKE 1 \"\" \"lookalike {}\" \"User Commands\"\n"
      ".SH NAME\nlookalike \\- find near\\-duplicate documents and verify every answer\n"
      ".SH SYNOPSIS\n\\fBlookalike\\fR \\fICOMMAND\\fR ...\n"
      ".SH DESCRIPTION\nFinds near\\-duplicates in collections of texts. Every answer is checked "
      "exactly: a removed document has a kept witness whose resemblance was computed from all "
      "shingles.\n",
      Roff(version.substr(0, version.find(' '))));
  text += Commands() + Arguments() + ".SH OPTIONS\n";
  text += OptionsOfClass(OptionClass::kBehaviour, "Options that decide the answer");
  text += OptionsOfClass(OptionClass::kPerformance, "Options that only change time and memory");
  text += OptionsOfClass(OptionClass::kInteraction, "Confirmation and messages");
  text += PresetsSection();
  text += kExitStatus;
  text += kEnvironment;
  return text + Examples();
}

}  // namespace lookalike::cli
