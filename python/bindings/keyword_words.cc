#include "keyword_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "lookalike/messages.h"
#include "lookalike/options_table.h"

namespace lookalike::python {
namespace {

bool IsSwitch(std::string_view option) {
  const auto table = OptionTable();
  return std::any_of(table.begin(), table.end(),
                     [&](const OptionRow& row) { return row.name == option && row.IsSwitch(); });
}

bool IsNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// Returns a value as Python writes it: a number as it is, else a string literal.
std::string ValueOf(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '\'' && text.back() == '\'';
  if (quoted) text = text.substr(1, text.size() - 2);
  if (IsNumber(text)) return std::string(text);
  const char quote = text.find('\'') == text.npos ? '\'' : '"';
  std::string literal(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + quote;
}

class KeywordWords : public MessageWords {
 public:
  [[nodiscard]] std::string Option(const MarkedOption& option) const override {
    const std::string keyword = KeywordOf(option.name) + "=";
    if (IsSwitch(option.name)) return keyword + "True";
    return option.value ? keyword + ValueOf(*option.value) : keyword;
  }

  [[nodiscard]] std::string Call(std::string_view command,
                                 const std::vector<MarkedOption>& options) const override {
    if (command == "options") return CommandLine(command, options);
    std::string text = "`lookalike." + std::string(command);
    for (const MarkedOption& option : options) {
      text += (&option == &options.front() ? "(" : ", ") + Option(option);
    }
    return text + (options.empty() ? "`" : ")`");
  }

 private:
  /// Returns the call of a command that Python does not have.
  static std::string CommandLine(std::string_view command,
                                 const std::vector<MarkedOption>& options) {
    std::string text = "`lookalike " + std::string(command);
    for (const MarkedOption& option : options) text += " --" + std::string(option.name);
    return text + "`";
  }
};

}  // namespace

std::string KeywordOf(std::string_view option) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFields = {
      {{"text-field", "text"}, {"id-field", "id"}, {"url-field", "url"}}};
  for (const auto& [name, keyword] : kFields) {
    if (name == option) return std::string(keyword);
  }
  std::string keyword(option);
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  return keyword;
}

std::string InKeywords(std::string_view message) { return InWords(message, KeywordWords()); }

}  // namespace lookalike::python
