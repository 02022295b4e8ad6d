#include "nearest_name.h"

#include <algorithm>
#include <vector>

namespace lookalike::cli {
namespace {

/// Counts the edits that turn `given` into `name` (Damerau's distance, restricted form), or into a
/// prefix of it, which costs one more edit, because people often omit the end.
size_t Edits(std::string_view given, std::string_view name) {
  std::vector<std::vector<size_t>> edits(given.size() + 1, std::vector<size_t>(name.size() + 1));
  for (size_t i = 0; i <= given.size(); ++i) {
    for (size_t j = 0; j <= name.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t change = given[i - 1] == name[j - 1] ? 0 : 1;
      edits[i][j] =
          std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && given[i - 1] == name[j - 2] && given[i - 2] == name[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  const std::vector<size_t>& ends = edits[given.size()];
  const size_t beginning = *std::min_element(ends.begin() + 1, ends.end());
  return std::min(ends.back(), beginning + 1);
}

std::string_view WithoutDashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

}  // namespace

std::string NearestName(std::string_view given, std::span<const std::string> names) {
  constexpr size_t kLongestName = 64;
  if (given.size() > kLongestName) return "";
  const std::string_view word = WithoutDashes(given);
  std::string nearest;
  size_t fewest = (word.size() <= 3 ? 1 : std::max<size_t>(2, word.size() / 3)) + 1;
  for (const std::string& name : names) {
    const std::string_view bare = WithoutDashes(name);
    if (bare.size() < 2) continue;
    const size_t edits = Edits(word, bare);
    if (edits >= std::min(fewest, word.size())) continue;
    fewest = edits;
    nearest = name;
  }
  return nearest;
}

}  // namespace lookalike::cli
