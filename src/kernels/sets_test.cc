// The set kernels, on every instruction set of this machine, against plain re-implementations.
#include "kernels/sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/isa.h"

namespace lookalike {
namespace {

TEST(CollectBelowTest, EqualsThePlainLoopOnEveryInstructionSet) {
  std::mt19937_64 random(1);
  for (int turn = 0; turn < 500; ++turn) {
    std::vector<uint64_t> features(random() % 70);
    // Few values, so that hashes are equal to the bound and to one another.
    for (uint64_t& feature : features) feature = (random() % 3) << 56 | (random() % 3);
    const uint32_t bounds[] = {0, 1, 256, 513, 1U << 31, UINT32_MAX};
    const uint32_t bound = bounds[random() % std::size(bounds)];
    std::vector<uint32_t> expected;
    for (const uint64_t feature : features) {
      const auto hash = static_cast<uint32_t>((feature & 0xFFFFFF) << 8 | feature >> 56);
      if (hash < bound) expected.push_back(hash);
    }
    for (const std::string& name : IsaNames()) {
      const ForcedIsa forced(name);
      std::vector<uint32_t> found(features.size() + kCollectRoom);
      found.resize(CollectBelow(features.data(), features.size(), bound, found.data()));
      ASSERT_EQ(found, expected) << name;
    }
  }
}

TEST(SortFewDistinctTest, SortsAndDropsRepetitionsOnEveryInstructionSet) {
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 500; ++turn) {
    std::vector<uint32_t> values(random() % (kMostFew + 1));
    const uint32_t universe = turn % 2 == 0 ? 30 : UINT32_MAX;
    for (uint32_t& value : values) value = static_cast<uint32_t>(random()) % universe;
    const std::set<uint32_t> distinct(values.begin(), values.end());
    for (const std::string& name : IsaNames()) {
      const ForcedIsa forced(name);
      std::vector<uint32_t> sorted = values;
      sorted.resize(SortFewDistinct(sorted.data(), sorted.size()));
      ASSERT_EQ(sorted, std::vector<uint32_t>(distinct.begin(), distinct.end())) << name;
    }
  }
}

std::vector<uint64_t> RandomSet(size_t count, uint64_t universe, std::mt19937_64* random) {
  std::set<uint64_t> set;
  for (size_t i = 0; i < count; ++i) set.insert((*random)() % universe * 0x0123456789ABCDEFULL);
  return {set.begin(), set.end()};
}

TEST(CountCommonValuesTest, EqualsThePlainCountOnEveryInstructionSet) {
  std::mt19937_64 random(2);
  for (int turn = 0; turn < 1500; ++turn) {
    // From all values in common to hardly any, with sizes around a block and far apart.
    const uint64_t universe = 1 + random() % (turn % 2 == 0 ? 60 : 2000);
    const auto a = RandomSet(random() % (turn % 3 == 0 ? 20 : 400), universe, &random);
    const auto b = RandomSet(random() % 400, universe, &random);
    std::vector<uint64_t> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    for (const std::string& name : IsaNames()) {
      const ForcedIsa forced(name);
      const auto count = [&](uint64_t needed) {
        return CountCommonValues(a.data(), a.size(), b.data(), b.size(), needed);
      };
      ASSERT_EQ(count(0), both.size()) << name;
      ASSERT_EQ(count(both.size()), both.size()) << name;
      ASSERT_LT(count(both.size() + 1), both.size() + 1) << name;
    }
  }
}

}  // namespace
}  // namespace lookalike
