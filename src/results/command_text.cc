#include "results/command_text.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "io/object_uri.h"

namespace lookalike {
namespace {

bool IsPlain(char c) {
  constexpr std::string_view kOthers = "-_./:=,+@%";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

/// Returns one word, quoted if it is not plain to a shell.
std::string Quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), IsPlain)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

void AppendOption(const OptionRow& row, const Options& options, std::string* text) {
  const std::string flag = " " + FlagOf(row.name);
  const std::string value = OptionText(row, options);
  if (value == OptionText(row, Options())) return;
  if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&row.member)) {
    for (const std::string& each : options.**list) *text += flag + " " + Quoted(PublicName(each));
    return;
  }
  *text += row.IsSwitch() && value == "true" ? flag : flag + " " + Quoted(value);
}

}  // namespace

std::string FlagOf(std::string_view option) { return "--" + std::string(option); }

std::string CommandText(Command command, std::span<const std::string> inputs,
                        const std::string& output, const Options& options, ShownOptions shown) {
  std::string text = "lookalike";
  for (const CommandRow& row : CommandTable()) {
    if (row.command == command) text += " " + std::string(row.name);
  }
  for (const std::string& input : inputs) text += " " + Quoted(PublicName(input));
  text += " -o " + Quoted(PublicName(output));
  for (const OptionRow& row : OptionTable()) {
    const bool is_shown = row.kind == OptionClass::kBehaviour ||
                          (shown == ShownOptions::kAll && row.kind == OptionClass::kPerformance);
    if (is_shown && row.BelongsTo(command)) AppendOption(row, options, &text);
  }
  return text;
}

}  // namespace lookalike
