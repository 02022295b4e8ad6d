#include "distances/point_tables.h"

#include <algorithm>

#include "flow/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kGrain = 1024;

}  // namespace

void PointTables::MakeNext() {
  const auto table = static_cast<uint32_t>(keys_.size());
  const PointSet& points = metric_.points();
  const PointKeys maker(metric_.kind(), points.dimension, design_, seed_, table);
  std::vector<uint32_t>& keys = keys_.emplace_back(points.size());
  ParallelForRanges(size_t{0}, points.size(), kGrain, [&](size_t first, size_t last) {
    std::vector<double> scratch;
    for (size_t i = first; i < last; ++i) keys[i] = maker.KeyOf(points.Row(i), &scratch);
  });
  order_ = OrderOf(keys);
}

bool PointTables::Shared(size_t tables, uint32_t a, uint32_t b) const {
  return std::any_of(keys_.begin(), keys_.begin() + static_cast<ptrdiff_t>(tables),
                     [&](const std::vector<uint32_t>& keys) { return keys[a] == keys[b]; });
}

std::vector<uint64_t> OrderOf(std::span<const uint32_t> keys) {
  std::vector<uint64_t> order(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) order[i] = uint64_t{keys[i]} << 32 | i;
  ParallelSort(order.begin(), order.end());
  return order;
}

std::vector<size_t> CutByPairs(std::span<const uint64_t> order) {
  constexpr size_t kPairs = size_t{1} << 20;
  std::vector<size_t> cuts = {0};
  size_t pairs = 0;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin + 1;
    while (end < order.size() && KeyOfEntry(order[end]) == KeyOfEntry(order[begin])) ++end;
    for (size_t i = begin; i < end; ++i) {
      pairs += end - i;
      if (pairs < kPairs) continue;
      cuts.push_back(i + 1);
      pairs = 0;
    }
    begin = end;
  }
  if (cuts.back() != order.size()) cuts.push_back(order.size());
  return cuts;
}

}  // namespace lookalike
