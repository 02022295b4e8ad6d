#include "spread_lists.h"

#include <algorithm>
#include <cstddef>

namespace lookalike::cli {

std::vector<std::string> SpreadLists(std::span<const std::string> words,
                                     const std::vector<std::string>& lists) {
  std::vector<std::string> spread;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto is_flag = [&](size_t at) { return words[at].size() > 1 && words[at][0] == '-'; };
    const bool is_list = std::find(lists.begin(), lists.end(), words[i]) != lists.end();
    if (words[i] == "--") {
      spread.insert(spread.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
      break;
    }
    if (!is_list || i + 1 == words.size() || is_flag(i + 1)) {
      spread.push_back(words[i]);
      continue;
    }
    const std::string& flag = words[i];
    while (i + 1 < words.size() && !is_flag(i + 1)) spread.push_back(flag + "=" + words[++i]);
  }
  return spread;
}

}  // namespace lookalike::cli
