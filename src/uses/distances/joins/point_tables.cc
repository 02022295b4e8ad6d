#include "uses/distances/joins/point_tables.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kGrain = 1024;

}  // namespace

std::vector<uint32_t> MakeKeys(const Metric& metric, const KeyDesign& design, uint64_t seed,
                               uint32_t table) {
  const PointSet& points = metric.points();
  const PointKeys maker(metric.kind(), points.dimension, design, seed, table);
  std::vector<uint32_t> keys(points.size());
  ParallelForRanges(size_t{0}, points.size(), kGrain, [&](size_t first, size_t last) {
    std::vector<double> scratch;
    for (size_t i = first; i < last; ++i) keys[i] = maker.KeyOf(points.Row(i), &scratch);
  });
  return keys;
}

void SharedKeys::Add(std::span<const uint32_t> keys) {
  const uint32_t lane = added_ % kBlock, width = WidthOf(added_);
  if (lane == 0) blocks_.emplace_back(points_ * width);
  std::vector<uint32_t>& block = blocks_.back();
  ParallelForRanges(size_t{0}, points_, kGrain, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) block[i * width + lane] = keys[i];
  });
  ++added_;
}

bool SharedKeys::InFirst(uint32_t tables, uint32_t a, uint32_t b) const {
  for (uint32_t first = 0; first < tables; first += kBlock) {
    const uint32_t* const block = blocks_[first / kBlock].data();
    const uint32_t width = WidthOf(first);
    const uint32_t *const of_a = block + size_t{a} * width, *const of_b = block + size_t{b} * width;
    if (std::inner_product(of_a, of_a + std::min(width, tables - first), of_b, false,
                           std::logical_or<>(), std::equal_to<>())) {
      return true;
    }
  }
  return false;
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
