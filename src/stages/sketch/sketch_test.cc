#include "stages/sketch/sketch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Features = std::vector<uint64_t>;

std::vector<uint32_t> SketchOf(const Features& features, uint32_t coordinates) {
  Sketcher sketcher(SketchSpec{coordinates});
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

// Sizes around those at which rounds begin to be needed: few features, about K, K ln K.
size_t SomeSize(uint32_t coordinates, std::mt19937_64* random) {
  const size_t most[] = {3, coordinates / 4, coordinates, size_t{8} * coordinates};
  return 1 + (*random)() % most[(*random)() % 4];
}

TEST(SketchTest, TheSketchOfAUnionIsTheLeastOfEachCoordinate) {
  std::mt19937_64 random(1);
  for (uint32_t k = 16; k <= 1024; k *= 2) {
    for (int i = 0; i < 25; ++i) {
      const Features a = RandomFeatures(SomeSize(k, &random), &random);
      Features b = RandomFeatures(SomeSize(k, &random), &random);
      b.insert(b.end(), a.begin(), a.begin() + static_cast<ptrdiff_t>(random() % a.size()));
      Features both = a;
      both.insert(both.end(), b.begin(), b.end());
      ASSERT_EQ(SketchOf(both, k), LeastOf(SketchOf(a, k), SketchOf(b, k)))
          << k << ": " << a.size() << " and " << b.size();
    }
  }
}

TEST(SketchTest, AddingFeaturesRaisesNoCoordinate) {
  std::mt19937_64 random(2);
  Features features = RandomFeatures(1, &random);
  std::vector<uint32_t> before = SketchOf(features, 64);
  for (int i = 0; i < 400; ++i) {
    features.push_back(random());
    const std::vector<uint32_t> after = SketchOf(features, 64);
    for (size_t c = 0; c < 64; ++c) ASSERT_LE(after[c], before[c]) << features.size();
    before = after;
  }
}

// Each coordinate comes from one feature of the set, and a subset that holds that feature chooses
// it too (the consistency law of min-wise sampling).
TEST(SketchTest, EveryCoordinateIsThatOfOneFeature) {
  std::mt19937_64 random(3);
  for (const size_t count : {size_t{1}, size_t{2}, size_t{9}, size_t{60}, size_t{300}}) {
    const Features features = RandomFeatures(count, &random);
    const std::vector<uint32_t> sketch = SketchOf(features, 32);
    std::vector<std::vector<uint32_t>> alone;
    for (const uint64_t feature : features) alone.push_back(SketchOf({feature}, 32));
    for (size_t c = 0; c < 32; ++c) {
      uint32_t least = UINT32_MAX;
      for (const auto& one : alone) least = std::min(least, one[c]);
      ASSERT_EQ(sketch[c], least) << count << " features, coordinate " << c;
    }
  }
}

RC_GTEST_PROP(SketchProperty, OrderAndRepetitionChangeNothing, (Features features, uint64_t seed)) {
  RC_PRE(!features.empty());
  const std::vector<uint32_t> sketch = SketchOf(features, 128);
  std::mt19937_64 random(seed);
  const size_t before = features.size();
  for (size_t i = 0; i < before; ++i) features.push_back(features[random() % before]);
  std::shuffle(features.begin(), features.end(), random);
  RC_ASSERT(SketchOf(features, 128) == sketch);
}

TEST(SketchTest, EqualSetsAgreeAndDisjointSetsDoNot) {
  std::mt19937_64 random(4);
  for (uint32_t k = 16; k <= 1024; k *= 2) {
    uint64_t equal = 0;
    for (int i = 0; i < 20; ++i) {
      const Features a = RandomFeatures(SomeSize(k, &random), &random);
      ASSERT_EQ(SketchOf(a, k), SketchOf(a, k));
      const auto x = SketchOf(a, k);
      const auto y = SketchOf(RandomFeatures(SomeSize(k, &random), &random), k);
      for (size_t c = 0; c < k; ++c) equal += x[c] == y[c];
    }
    // A coordinate of disjoint sets is equal only where two values of 27 bits meet by accident:
    // below 20 * 1024 * 8192 / 2^27 of them in all where least values crowd near 0.
    EXPECT_LE(equal, 2u) << k;
  }
}

TEST(SketchTest, OneSketcherServesManySets) {
  std::mt19937_64 random(5);
  Sketcher sketcher(SketchSpec{128});
  for (const size_t count : {size_t{900}, size_t{1}, size_t{40}, size_t{2000}, size_t{2}}) {
    const Features features = RandomFeatures(count, &random);
    const auto sketch = sketcher.Run(features);
    ASSERT_EQ(std::vector<uint32_t>(sketch.begin(), sketch.end()), SketchOf(features, 128));
  }
}

TEST(SketchTest, CodesAreOneByteOfTheFirst128Coordinates) {
  std::mt19937_64 random(6);
  for (uint32_t k = 16; k <= 1024; k *= 2) {
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
  for (const char* text : {"", "fss:", "fss:0", "fss:8", "fss:100", "fss:2048", "fss:128 ", "FSS",
                           "fss:+64", "minhash:128", "fssx", "fss:4294967424"}) {
    const auto spec = ParseSketch(text);
    ASSERT_FALSE(spec.has_value()) << text;
    EXPECT_NE(spec.error().what.find("from 16 to 1024"), std::string::npos);
  }
}

}  // namespace
}  // namespace lookalike
