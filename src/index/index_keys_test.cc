#include "index/index_keys.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "engine/must.h"
#include "index/store.h"
#include "measures/code_agreement.h"
#include "measures/threshold.h"

namespace lookalike {
namespace {

constexpr uint32_t kWidth = 128;
constexpr double kThresholds[] = {0.5, 0.6, 0.8, 0.9, 1};

using Set = std::vector<uint64_t>;

double RecallOf(double threshold, double keys, double codes) {
  return 1 - std::pow(1 - std::pow(CodeAgreement(threshold), codes), keys);
}

// An index that another version made is refused if its keys would be planned otherwise now, so
// that plans are part of the format.
TEST(PlanBandsTest, PlansAreThoseOfTheFormat) {
  struct Plan {
    double threshold, recall;
    uint32_t keys, codes;
  };
  for (const Plan& plan :
       {Plan{.8, .99, 12, 5}, Plan{1, .99, 1, 5}, Plan{.9, .99, 6, 5}, Plan{.75, .99, 13, 4},
        Plan{.7, .99, 17, 4}, Plan{.65, .99, 15, 3}, Plan{.5, .99, 35, 3}, Plan{.4, .99, 27, 2},
        Plan{.3, .99, 48, 2}, Plan{.2, .99, 21, 1}, Plan{.1, .99, 43, 1}}) {
    const BandDesign bands = Must(PlanBands(plan.threshold, plan.recall, kWidth));
    EXPECT_EQ(bands.keys, plan.keys) << plan.threshold;
    EXPECT_EQ(bands.codes, plan.codes) << plan.threshold;
  }
}

/// Returns the most codes of a key by which so many keys as are worth it reach the recall; 0: none.
uint32_t MostCodes(double threshold, double recall, uint32_t width) {
  constexpr uint32_t kMostKeys[] = {0, 128, 64, 40, 20, 16};
  for (uint32_t codes = 5; codes > 0; --codes) {
    const uint32_t keys = std::min(kMostKeys[codes], width / codes);
    if (RecallOf(threshold, keys, codes) >= recall) return codes;
  }
  return 0;
}

TEST(PlanBandsTest, APlanReachesTheRecallWithoutAKeyTooMany) {
  size_t planned = 0, refused = 0;
  for (int step = 1; step <= 2000; ++step) {
    for (const double recall : {.5, .9, .99, .9999}) {
      for (const uint32_t width : {16U, 128U, 256U}) {
        const double threshold = step / 2000.0;
        const auto plan = PlanBands(threshold, recall, width);
        const uint32_t codes = MostCodes(threshold, recall, width);
        ASSERT_EQ(plan.has_value(), codes != 0) << threshold << " " << recall << " " << width;
        if (!plan) {
          EXPECT_EQ(plan.error().code, ErrorCode::kOption);
          EXPECT_EQ(plan.error().option, "recall");
          ++refused;
          continue;
        }
        ++planned;
        EXPECT_EQ(plan->codes, codes) << threshold << " " << recall << " " << width;
        EXPECT_GE(RecallOf(threshold, plan->keys, codes), recall - 1e-12) << threshold;
        EXPECT_LT(RecallOf(threshold, plan->keys - 1.0, codes), recall) << threshold;
        EXPECT_LE(plan->keys * plan->codes, width);
        EXPECT_LE(plan->keys, 128U);  // the bytes above are for features
      }
    }
  }
  EXPECT_GT(planned, 10'000U);
  EXPECT_GT(refused, 500U);
}

TEST(PlanBandsTest, AllCodesMayBeUsed) {
  EXPECT_EQ(Must(PlanBands(.8, .99, 60)).codes, 5U);  // 12 keys of 5
  EXPECT_EQ(Must(PlanBands(.8, .99, 59)).codes, 4U);
}

TEST(PlanBandsTest, NothingIsPlannedThatCannotBeReached) {
  EXPECT_FALSE(PlanBands(.8, .99, 2));
  EXPECT_FALSE(PlanBands(.01, .99, kWidth));
  EXPECT_FALSE(PlanBands(.8, .99, 0));
}

std::string AnyCodes(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string codes(kWidth, '\0');
  for (char& code : codes) code = static_cast<char>(random());
  return codes;
}

/// Returns the keys of a document as an index would make it: few features take the place of codes.
std::vector<std::string> KeysOf(const IndexKeys& keys, const Set& set, const std::string& codes) {
  const bool few = set.size() <= 16;
  return keys.KeysOf({few ? SearchedBy::kFeatures : SearchedBy::kKeys,
                      few ? std::string_view() : std::string_view(codes), set, set.size()});
}

TEST(IndexKeysTest, BandKeysAreCodesOneAfterTheOther) {
  std::string codes;
  for (size_t i = 0; i < kWidth; ++i) codes.push_back(static_cast<char>(i + 1));
  const IndexKeys keys({3, 2}, .8);
  const std::vector<std::string> expected = {std::string("\0\1\2\0\0\0", 6),
                                             std::string("\1\3\4\0\0\0", 6),
                                             std::string("\2\5\6\0\0\0", 6)};
  EXPECT_EQ(keys.KeysOf({SearchedBy::kKeys, codes, {}, 1000}), expected);
}

TEST(IndexKeysTest, FeatureKeysAreTheFirstBytesOfTheLowestFeatures) {
  const IndexKeys keys({12, 5}, .8);
  Set set;
  for (uint64_t i = 1; i <= 10; ++i) set.push_back(i * 0x0102030405060708);
  // Eight of ten features must be common: one of the first three is.
  const std::vector<std::string> expected = {std::string("\x82\x01\x02\x03\x04\x05"),
                                             std::string("\x82\x02\x04\x06\x08\x0a"),
                                             std::string("\x82\x03\x06\x09\x0c\x0f")};
  EXPECT_EQ(KeysOf(keys, set, {}), expected);
}

TEST(IndexKeysTest, OnlyDocumentsThatCanBeLikeOneOfFewFeaturesHaveKeysOfFeatures) {
  const IndexKeys keys({12, 5}, .8);
  EXPECT_TRUE(keys.NeedsFeatures(SearchedBy::kFeatures, 16));
  EXPECT_TRUE(keys.NeedsFeatures(SearchedBy::kKeys, 20));
  EXPECT_FALSE(keys.NeedsFeatures(SearchedBy::kKeys, 21));
  EXPECT_FALSE(keys.NeedsFeatures(SearchedBy::kNothing, 3));
  const std::string codes = AnyCodes(1);
  Set set(21);
  std::iota(set.begin(), set.end(), 1);
  EXPECT_EQ(KeysOf(keys, set, codes).size(), 12U);
  EXPECT_TRUE(keys.KeysOf({SearchedBy::kNothing, {}, {}, 0}).empty());
}

RC_GTEST_PROP(IndexKeysProperty, KeysAreDistinctAndBandsAreNoFeatures, (uint64_t seed)) {
  std::mt19937_64 random(seed);
  const double threshold = kThresholds[random() % 5];
  const BandDesign designs[] = {{128, 1}, {64, 2}, {12, 5}, {1, 5}};
  const BandDesign design = designs[random() % 4];
  const IndexKeys keys(design, threshold);
  // Features whose first bytes are equal, or equal to numbers of bands.
  std::set<uint64_t> features;
  const size_t size = 1 + random() % 40;
  while (features.size() < size) features.insert(random() >> (random() % 3 * 24));
  const Set set(features.begin(), features.end());
  const auto found = KeysOf(keys, set, random() % 2 == 0 ? AnyCodes(seed) : std::string(kWidth, 0));
  RC_ASSERT(!found.empty());
  RC_ASSERT(std::set<std::string>(found.begin(), found.end()).size() == found.size());
  size_t bands = 0;
  for (const std::string& key : found) {
    RC_ASSERT(key.size() == kPostingPrefix);
    const auto tag = static_cast<uint8_t>(key[0]);
    RC_ASSERT(tag < design.keys || tag == 0x82);
    if (tag < design.keys) ++bands;
  }
  RC_ASSERT(bands == (size > 16 ? design.keys : 0));
}

bool ShareAKey(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& key) {
    return std::find(b.begin(), b.end(), key) != b.end();
  });
}

uint64_t CountCommon(const Set& a, const Set& b) {
  Set common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common.size();
}

TEST(IndexKeysTest, AllPairsOfSubsetsThatAreAlikeShareAKey) {
  constexpr uint64_t kUniverse = 9;
  std::vector<Set> sets;
  for (uint64_t mask = 1; mask < uint64_t{1} << kUniverse; ++mask) {
    Set& set = sets.emplace_back();
    for (uint64_t i = 0; i < kUniverse; ++i) {
      if (mask >> i & 1) set.push_back((i + 1) << 40);
    }
  }
  for (const double threshold : kThresholds) {
    const IndexKeys keys({12, 5}, threshold);
    std::vector<std::vector<std::string>> of_set;
    for (const Set& set : sets) of_set.push_back(KeysOf(keys, set, {}));
    size_t alike = 0;
    for (size_t a = 0; a < sets.size(); ++a) {
      for (size_t b = a; b < sets.size(); ++b) {
        const auto common = static_cast<uint64_t>(std::popcount((a + 1) & (b + 1)));
        if (!MeetsThreshold(common, sets[a].size(), sets[b].size(), threshold)) continue;
        ++alike;
        ASSERT_TRUE(ShareAKey(of_set[a], of_set[b])) << threshold << " " << a + 1 << " " << b + 1;
      }
    }
    EXPECT_GE(alike, sets.size());
  }
}

/// Returns a set that shares all but a few features with another one.
Set Changed(const Set& set, size_t dropped, size_t added, std::mt19937_64& random) {
  Set changed = set;
  std::shuffle(changed.begin(), changed.end(), random);
  changed.resize(changed.size() - std::min(dropped, changed.size() - 1));
  for (size_t i = 0; i < added; ++i) changed.push_back(random());
  std::sort(changed.begin(), changed.end());
  return changed;
}

TEST(IndexKeysTest, ASmallSetSharesAKeyWithEverySetThatIsLikeIt) {
  std::mt19937_64 random(1);
  size_t alike = 0, with_large = 0;
  for (const double threshold : kThresholds) {
    const IndexKeys keys({12, 5}, threshold);
    for (size_t round = 0; round < 20'000; ++round) {
      Set small(1 + random() % 16);
      for (uint64_t& feature : small) feature = random();
      std::sort(small.begin(), small.end());
      const Set other = Changed(small, random() % 6, random() % 20, random);
      const uint64_t common = CountCommon(small, other);
      if (!MeetsThreshold(common, small.size(), other.size(), threshold)) continue;
      ++alike;
      if (other.size() > 16) ++with_large;
      ASSERT_TRUE(ShareAKey(KeysOf(keys, small, {}), KeysOf(keys, other, AnyCodes(round))))
          << threshold << ": " << small.size() << " and " << other.size();
    }
  }
  EXPECT_GT(alike, 9'000U);
  EXPECT_GT(with_large, 500U);
}

}  // namespace
}  // namespace lookalike
