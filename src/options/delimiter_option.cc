#include "options/delimiter_option.h"

#include <array>
#include <utility>

namespace lookalike {

std::optional<char> ParseDelimiter(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 6> kNames = {{{"comma", ','},
                                                                        {"semicolon", ';'},
                                                                        {"tab", '\t'},
                                                                        {"\\t", '\t'},
                                                                        {"pipe", '|'},
                                                                        {"space", ' '}}};
  if (text.empty()) return '\0';
  for (const auto& [name, delimiter] : kNames) {
    if (text == name) return delimiter;
  }
  const char only = text.front();
  const bool printable = only == '\t' || (only >= ' ' && only <= '~');
  if (text.size() != 1 || !printable || only == '"') return {};
  return only;
}

}  // namespace lookalike
