#include "stages/sketch/sketch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

using Features = std::vector<uint64_t>;

const std::vector<SketchKind> kKinds = AllKinds();

constexpr uint32_t kSizes[] = {16, 25, 32, 64, 100, 128, 250, 256, 512, 1000, 1024};

std::vector<uint32_t> SketchOf(const Features& features, uint32_t coordinates,
                               SketchKind kind = SketchKind::kFss) {
  static std::map<std::pair<SketchKind, uint32_t>, Sketcher> sketchers;  // some have large tables
  auto& sketcher =
      sketchers.try_emplace({kind, coordinates}, SketchSpec{coordinates, kind}).first->second;
  const auto sketch = sketcher.Run(features);
  return {sketch.begin(), sketch.end()};
}

Features RandomFeatures(size_t count, std::mt19937_64* random) {
  Features features(count);
  for (uint64_t& feature : features) feature = (*random)();
  return features;
}

std::vector<uint32_t> LeastOf(std::vector<uint32_t> a, const std::vector<uint32_t>& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[i]);
  return a;
}

// Returns sizes around those at which rounds are needed: few features, about K, K ln K.
size_t SomeSize(uint32_t coordinates, std::mt19937_64* random) {
  const size_t most[] = {3, coordinates / 4, coordinates, size_t{8} * coordinates};
  return 1 + (*random)() % most[(*random)() % 4];
}

class EverySketchTest : public ::testing::TestWithParam<SketchKind> {};

class MergeableSketchTest : public ::testing::TestWithParam<SketchKind> {};

TEST_P(MergeableSketchTest, TheSketchOfAUnionIsTheLeastOfEachCoordinate) {
  std::mt19937_64 random(1);
  for (const uint32_t k : kSizes) {
    for (int i = 0; i < 25; ++i) {
      const Features a = RandomFeatures(SomeSize(k, &random), &random);
      Features b = RandomFeatures(SomeSize(k, &random), &random);
      b.insert(b.end(), a.begin(), a.begin() + static_cast<ptrdiff_t>(random() % a.size()));
      Features both = a;
      both.insert(both.end(), b.begin(), b.end());
      ASSERT_EQ(SketchOf(both, k, GetParam()),
                LeastOf(SketchOf(a, k, GetParam()), SketchOf(b, k, GetParam())))
          << k << ": " << a.size() << " and " << b.size();
    }
  }
}

TEST_P(MergeableSketchTest, AddingFeaturesRaisesNoCoordinate) {
  std::mt19937_64 random(2);
  Features features = RandomFeatures(1, &random);
  std::vector<uint32_t> before = SketchOf(features, 64, GetParam());
  for (int i = 0; i < 400; ++i) {
    features.push_back(random());
    const std::vector<uint32_t> after = SketchOf(features, 64, GetParam());
    for (size_t c = 0; c < 64; ++c) ASSERT_LE(after[c], before[c]) << features.size();
    before = after;
  }
}

// Each coordinate comes from one feature of the set, and a subset that holds this feature chooses
// it too (the consistency law of min-wise sampling).
TEST_P(MergeableSketchTest, EveryCoordinateIsThatOfOneFeature) {
  std::mt19937_64 random(3);
  for (const size_t count : {size_t{1}, size_t{2}, size_t{9}, size_t{60}, size_t{300}}) {
    const Features features = RandomFeatures(count, &random);
    const std::vector<uint32_t> sketch = SketchOf(features, 32, GetParam());
    std::vector<std::vector<uint32_t>> alone;
    for (const uint64_t feature : features) alone.push_back(SketchOf({feature}, 32, GetParam()));
    for (size_t c = 0; c < 32; ++c) {
      uint32_t least = UINT32_MAX;
      for (const auto& one : alone) least = std::min(least, one[c]);
      ASSERT_EQ(sketch[c], least) << count << " features, coordinate " << c;
    }
  }
}

TEST_P(MergeableSketchTest, MergingIsThatOfTheUnion) {
  std::mt19937_64 random(8);
  const Features a = RandomFeatures(90, &random), b = RandomFeatures(70, &random);
  Features both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::vector<uint32_t> merged = SketchOf(a, 64, GetParam());
  MergeSketch(SketchOf(b, 64, GetParam()), merged);
  EXPECT_EQ(merged, SketchOf(both, 64, GetParam()));
}

TEST_P(EverySketchTest, CoordinatesAreKnownAsSuch) {
  std::mt19937_64 random(9);
  for (const uint32_t k : kSizes) {
    for (const uint32_t value :
         SketchOf(RandomFeatures(SomeSize(k, &random), &random), k, GetParam())) {
      ASSERT_TRUE(IsCoordinate(GetParam(), value)) << std::hex << value;
    }
  }
}

TEST(IsCoordinateTest, ValuesThatNoRoundGives) {
  constexpr uint32_t kRound = 1U << 27, kFresh = 1U << 31;
  for (const uint32_t value : {0U, kRound - 1, kFresh, kFresh + kRound - 1}) {
    EXPECT_TRUE(IsCoordinate(SketchKind::kOnePermutation, value)) << std::hex << value;
  }
  for (const uint32_t value : {kRound, kFresh - 1, kFresh + kRound, UINT32_MAX}) {
    EXPECT_FALSE(IsCoordinate(SketchKind::kOnePermutation, value)) << std::hex << value;
  }
  EXPECT_TRUE(IsCoordinate(SketchKind::kFss, kFresh - 1)) << "of the last of 16 rounds";
  EXPECT_TRUE(IsCoordinate(SketchKind::kFss, kFresh + kRound - 1));
  EXPECT_FALSE(IsCoordinate(SketchKind::kFss, kFresh + kRound));
  EXPECT_TRUE(IsCoordinate(SketchKind::kPermutations, UINT32_MAX));
}

RC_GTEST_PROP(SketchProperty, OrderAndRepetitionChangeNothing, (Features features, uint64_t seed)) {
  RC_PRE(!features.empty());
  std::mt19937_64 random(seed);
  Features longer = features;
  for (size_t i = 0; i < features.size(); ++i) {
    longer.push_back(features[random() % features.size()]);
  }
  std::shuffle(longer.begin(), longer.end(), random);
  for (const SketchKind kind : kKinds) {
    RC_ASSERT(SketchOf(longer, 128, kind) == SketchOf(features, 128, kind));
  }
}

TEST_P(EverySketchTest, EqualSetsAgreeAndDisjointSetsDoNot) {
  std::mt19937_64 random(4);
  for (const uint32_t k : kSizes) {
    uint64_t equal = 0;
    for (int i = 0; i < 20; ++i) {
      const Features a = RandomFeatures(SomeSize(k, &random), &random);
      ASSERT_EQ(SketchOf(a, k, GetParam()), SketchOf(a, k, GetParam()));
      const auto x = SketchOf(a, k, GetParam());
      const auto y = SketchOf(RandomFeatures(SomeSize(k, &random), &random), k, GetParam());
      for (size_t c = 0; c < k; ++c) equal += x[c] == y[c] && x[c] != kEmptyBin;
    }
    // A coordinate of disjoint sets is equal only if two values of 27 bits collide: below 20 * 1024
    // * 8192 / 2^27 of them in all where least values crowd near 0.
    EXPECT_LE(equal, 2u) << k;
  }
}

TEST_P(EverySketchTest, OneSketcherServesManySets) {
  std::mt19937_64 random(5);
  Sketcher sketcher(SketchSpec{128, GetParam()});
  for (const size_t count : {size_t{900}, size_t{1}, size_t{40}, size_t{2000}, size_t{2}}) {
    const Features features = RandomFeatures(count, &random);
    const auto sketch = sketcher.Run(features);
    ASSERT_EQ(std::vector<uint32_t>(sketch.begin(), sketch.end()),
              SketchOf(features, 128, GetParam()));
  }
}

std::string TestName(const ::testing::TestParamInfo<SketchKind>& test) {
  std::string name = ToString({16, test.param});
  std::erase_if(name, [](char c) { return c == '-' || c == ':'; });
  return name;
}

std::vector<SketchKind> MergeableKinds() {
  std::vector<SketchKind> kinds = AllKinds();
  std::erase_if(kinds, [](SketchKind kind) { return !IsMergeable(kind); });
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySketchTest, ::testing::ValuesIn(kKinds), TestName);
INSTANTIATE_TEST_SUITE_P(Kinds, MergeableSketchTest, ::testing::ValuesIn(MergeableKinds()),
                         TestName);

TEST(SketchTest, OnlyDensifiedBinsDoNotMerge) {
  EXPECT_EQ(MergeableKinds().size(), kKinds.size() - 1);
  EXPECT_FALSE(IsMergeable(SketchKind::kDensifiedBins));
}

TEST(SketchTest, OnlyBinsMakeNoKeys) {
  for (const SketchKind kind : kKinds) EXPECT_EQ(IsBandable(kind), kind != SketchKind::kBins);
}

TEST(SketchTest, EachNameHasASketchOfItsOwn) {
  std::mt19937_64 random(7);
  const Features features = RandomFeatures(100, &random);
  std::set<std::vector<uint32_t>> sketches;
  for (const SketchKind kind : kKinds) {
    const std::string name = ToString({64, kind});
    const auto spec = ParseSketch(name);
    ASSERT_TRUE(spec.has_value()) << name;
    EXPECT_EQ(spec->kind, kind);
    EXPECT_EQ(spec->coordinates, 64u);
    sketches.insert(SketchOf(features, 64, kind));
  }
  EXPECT_EQ(sketches.size(), kKinds.size());
}

// Stored sketches contain them.
TEST(SketchTest, NumbersOfKindsStay) {
  const char* const names[] = {"fss:16",
                               "permutations:16",
                               "one-permutation:16",
                               "permutations:16:mixer",
                               "permutations:16:linear",
                               "permutations:16:universal",
                               "permutations:16:matrix",
                               "permutations:16:tabulation",
                               "permutations:16:mixed-tabulation",
                               "lead-byte:16",
                               "lead-byte:16:4",
                               "one-permutation:16:densified",
                               "one-permutation:16:bins",
                               "geometric:16",
                               "biased:16",
                               "weighted:16"};
  ASSERT_EQ(kKinds.size(), std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) {
    EXPECT_EQ(static_cast<int>(ParseSketch(names[i])->kind), i + 1) << names[i];
    EXPECT_EQ(ToString(*ParseSketch(names[i])), names[i]);
  }
  for (const int number : {0, 99, 255}) {
    EXPECT_FALSE(IsKnownKind(static_cast<SketchKind>(number))) << number;
  }
  for (const SketchKind kind : kKinds) EXPECT_TRUE(IsKnownKind(kind));
}

TEST(SketchTest, CodesAreOneByteOfTheFirst128Coordinates) {
  std::mt19937_64 random(6);
  for (const uint32_t k : kSizes) {
    const uint32_t count = CodeCount(k);
    EXPECT_EQ(count, std::min(k, 128U));
    const auto sketch = SketchOf(RandomFeatures(500, &random), k);
    std::vector<uint8_t> codes(count + 1, 0xA5);
    MakeCodes(sketch, codes.data());
    EXPECT_EQ(codes[count], 0xA5) << "nothing is written past the codes";
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(codes[i], static_cast<uint8_t>((uint64_t{sketch[i]} * 0x9e3779b1U) >> 24 & 0xFF));
    }
  }
}

TEST(ParseSketchTest, GoodAndBad) {
  EXPECT_EQ(ParseSketch("fss")->coordinates, 128u);
  EXPECT_EQ(ParseSketch("fss:16")->coordinates, 16u);
  EXPECT_EQ(ParseSketch("fss:1024")->coordinates, 1024u);
  EXPECT_EQ(ParseSketch("permutations:32:matrix")->kind, SketchKind::kMatrixPermutations);
  for (const char* text : {"",
                           "fss:",
                           "fss:0",
                           "fss:8",
                           "fss:15",
                           "fss:1025",
                           "fss:2048",
                           "fss:128 ",
                           "FSS",
                           "fss:+64",
                           "minhash:128",
                           "fssx",
                           "fss:4294967424",
                           "permutation:64",
                           "permutations:",
                           "one-permutation:8",
                           "fss:64:",
                           "fss:64:mixer",
                           "permutations::mixer",
                           "permutations:64:",
                           "permutations:64:mixers",
                           "permutations:mixer",
                           "lead-byte:64:8",
                           "permutations:64:mixer:",
                           "permutations:64:mixer:mixer"}) {
    const auto spec = ParseSketch(text);
    ASSERT_FALSE(spec.has_value()) << text;
    EXPECT_NE(spec.error().what.find("16 to 1024"), std::string::npos) << spec.error().what;
  }
}

TEST(ParseSketchTest, EveryNumberFrom16To1024IsThere) {
  for (uint32_t k = 16; k <= 1024; ++k) {
    EXPECT_EQ(ParseSketch("permutations:" + std::to_string(k))->coordinates, k);
  }
  EXPECT_EQ(ToString(*ParseSketch("fss:100")), "fss:100");
}

TEST(ParseSketchTest, OthersNameTheNearest) {
  const std::pair<const char*, const char*> nearest[] = {
      {"fss:8", "use fss:16, the nearest"},
      {"permutations:0:matrix", "use permutations:16:matrix, the nearest"},
      {"lead-byte:2000", "use lead-byte:1024, the nearest"},
      {"fss:99999999999999999999", "use fss:1024, the nearest"}};
  for (const auto& [text, expected] : nearest) {
    EXPECT_NE(ParseSketch(text).error().what.find(expected), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace lookalike
