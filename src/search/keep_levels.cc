#include "search/keep_levels.h"

#include <algorithm>

namespace lookalike {
namespace {

/// Levels that are looked at one by one at both ends of a range, at most.
constexpr size_t kBlock = 64;

}  // namespace

std::string_view NameOfLevel(KeepLevel level, const KeepPolicy& policy) {
  switch (level) {
    case KeepLevel::kReference:
      return "reference";
    case KeepLevel::kInputOrder:
      return "input order";
    case KeepLevel::kDecision:
      return "decision";
  }
  return policy.criteria[static_cast<size_t>(level) - 1].text;
}

std::vector<std::pair<std::string, uint64_t>> NamedCounts(const LevelCounts& counts,
                                                          const KeepPolicy& policy) {
  std::vector<std::pair<std::string, uint64_t>> named;
  if (policy.IsFirst()) return named;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto level = static_cast<KeepLevel>(i);
    const bool is_criterion = i > 0 && i <= policy.criteria.size();
    if (!is_criterion && level != KeepLevel::kInputOrder && counts[i] == 0) continue;
    named.emplace_back(NameOfLevel(level, policy), counts[i]);
  }
  return named;
}

KeepLevels::KeepLevels(std::vector<KeepLevel> of_neighbours)
    : of_neighbours_(std::move(of_neighbours)) {
  for (const auto* below = &of_neighbours_; below->size() > kBlock; below = &least_.back()) {
    std::vector<KeepLevel> least;
    least.reserve(below->size() / kBlock + 1);
    for (size_t i = 0; i < below->size(); i += kBlock) {
      const auto begin = below->begin() + static_cast<std::ptrdiff_t>(i);
      const auto size = static_cast<std::ptrdiff_t>(std::min(kBlock, below->size() - i));
      least.push_back(*std::min_element(begin, begin + size));
    }
    least_.push_back(std::move(least));
  }
}

KeepLevel KeepLevels::Between(Rank a, Rank d) const {
  KeepLevel least = KeepLevel::kInputOrder;
  if (of_neighbours_.empty()) return least;
  const auto take = [&](KeepLevel level) { least = std::min(least, level); };
  const auto* levels = &of_neighbours_;
  size_t begin = a + 1, end = d + 1;
  for (size_t above = 0;; ++above) {
    const bool is_last = above == least_.size();
    for (; begin < end && (is_last || begin % kBlock != 0); ++begin) take((*levels)[begin]);
    for (; begin < end && (is_last || end % kBlock != 0); --end) take((*levels)[end - 1]);
    if (begin == end) return least;
    levels = &least_[above];
    begin /= kBlock;
    end /= kBlock;
  }
}

}  // namespace lookalike
