#include "uses/distances/joins/point_tables.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

/// Draws few different keys, so that some pairs share one early, some late and some none.
std::vector<std::vector<uint32_t>> DrawTables(uint32_t tables, size_t points) {
  SplitMix64 random(tables);
  std::vector<std::vector<uint32_t>> keys(tables, std::vector<uint32_t>(points));
  for (auto& table : keys) {
    for (uint32_t& key : table) key = static_cast<uint32_t>(random.Next() % 40);
  }
  return keys;
}

TEST(SharedKeys, AreThoseOfTheTablesSoFar) {
  constexpr uint32_t kPoints = 30;
  for (const uint32_t tables : {1U, 15U, 16U, 17U, 40U}) {
    const auto keys = DrawTables(tables, kPoints);
    SharedKeys shared(kPoints, tables);
    for (uint32_t table = 0; table < tables; ++table) {
      shared.Add(keys[table]);
      for (uint32_t a = 0; a < kPoints; ++a) {
        for (uint32_t b = a + 1; b < kPoints; ++b) {
          bool before = false;
          for (uint32_t t = 0; t < table; ++t) before |= keys[t][a] == keys[t][b];
          EXPECT_EQ(shared.Before(a, b), before) << table << " of " << tables;
          EXPECT_EQ(shared.Yet(a, b), before || keys[table][a] == keys[table][b]) << table;
        }
      }
    }
  }
}

TEST(OrderOf, SortsByKeyThenPoint) {
  const std::vector<uint32_t> keys = {7, UINT32_MAX, 7, 0};
  std::vector<std::pair<uint32_t, uint32_t>> order;
  for (const uint64_t entry : OrderOf(keys)) {
    order.emplace_back(KeyOfEntry(entry), PointOfEntry(entry));
  }
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {
      {0, 3}, {7, 0}, {7, 2}, {UINT32_MAX, 1}};
  EXPECT_EQ(order, expected);
}

}  // namespace
}  // namespace lookalike
