// Filters that keep a few bits of each group, and whole sketches.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "stages/candidates/band_keys.h"
#include "stages/candidates/design.h"

namespace lookalike {
namespace {

Design Parsed(const std::string& text) {
  Result<Design> design = ParseDesign(text);
  EXPECT_TRUE(design.has_value()) << text;
  return design.value_or(Design{});
}

std::vector<uint64_t> KeysOf(const Design& design, const std::vector<uint32_t>& sketch) {
  std::vector<uint64_t> keys(design.keys);
  MakeBandKeys(design, sketch, keys);
  return keys;
}

TEST(FilterBitsTest, TextIsTheDesign) {
  for (const char* text :
       {"groups:8x11:3:8", "groups:6x14:2:63", "groups:8x1:7:1", "sketch:84:77", "sketch:1:1"}) {
    EXPECT_EQ(ToString(Parsed(text)), text);
  }
  EXPECT_EQ(ToString(Parsed("groups:6x14:2:64")), "groups:6x14:2");
  for (const char* text : {"groups:8x11:3:65", "groups:8x11:3:0", "groups:8x11:3:8:8", "sketch:84",
                           "sketch:84:85", "sketch:5000:1", "sketch:84:0"}) {
    EXPECT_FALSE(ParseDesign(text).has_value()) << text;
  }
}

TEST(FilterBitsTest, Facts28EightBytesADocument) {
  EXPECT_EQ(Parsed("groups:8x11:3:8").keys, 56u);
  EXPECT_EQ(Parsed("groups:8x11:7:8").keys, 8u);
  EXPECT_EQ(BytesPerDocument(Parsed("groups:8x11:3:8")), 8u);
  EXPECT_EQ(BytesPerDocument(Parsed("groups:3x11:3:3")), 2u) << "9 bits";
  EXPECT_EQ(BytesPerDocument(Parsed("groups:6x14:2")), 48u);
  EXPECT_EQ(BytesPerDocument(Parsed("sketch:84:76")), 672u);
}

// The rates for unlike documents, for any length of groups.
TEST(FilterBitsTest, Facts28AccidentalMatches) {
  EXPECT_NEAR(Acceptance(Parsed("groups:8x11:3:8"), 0), 3.289e-6, 5e-10);
  EXPECT_NEAR(Acceptance(Parsed("groups:8x5:7:8"), 0), 1.106e-16, 5e-20);
  EXPECT_NEAR(Acceptance(Parsed("groups:8x11:2:8"), 0), 4.2e-4, 5e-6);
  EXPECT_NEAR(Acceptance(Parsed("groups:6x14:2"), 0) * 1e38, 4.4, .05);
  const double pairs = 50'000. * 49'999 / 2;
  EXPECT_NEAR(pairs * Acceptance(Parsed("groups:8x11:3:8"), 0), 4112, .5);
}

TEST(FilterBitsTest, FewerBitsAcceptMoreAndManyAsMuchAsAll) {
  for (const double j : {0., .3, .6, .9}) {
    double last = 1;
    for (uint32_t bits = 1; bits <= 64; ++bits) {
      const double p = Acceptance(*GroupsShape(8, 11, 3, bits), j);
      EXPECT_LE(p, last) << bits << " bits at " << j;
      last = p;
    }
    const double q = std::pow(j, 11);
    double exact = 0;
    for (int i = 3; i <= 8; ++i) {
      exact += std::tgamma(9) / std::tgamma(i + 1) / std::tgamma(9 - i) * std::pow(q, i) *
               std::pow(1 - q, 8 - i);
    }
    EXPECT_NEAR(last, exact, 1e-12) << j;
  }
}

TEST(FilterBitsTest, Facts28WholeSketches) {
  EXPECT_NEAR(Acceptance(Parsed("sketch:84:76"), .9), .5340, 5e-5);
  EXPECT_NEAR(Acceptance(Parsed("sketch:84:77"), .9), .3889, 5e-5);
  EXPECT_NEAR(Acceptance(Parsed("sketch:200:180"), .92), .8775, 5e-5);
  EXPECT_NEAR(ResemblanceAt(Parsed("sketch:84:76"), .5), .8972, 5e-5);
  EXPECT_NEAR(ResemblanceAt(Parsed("sketch:200:180"), .99), .9396, 5e-5);
  EXPECT_EQ(Parsed("sketch:84:76").keys, 0u);
}

TEST(FilterBitsTest, InverseOfTheAcceptance) {
  for (const char* text :
       {"bands:20x5", "groups:6x14:2", "groups:8x11:3:8", "sketch:84:77", "overlapping:128:8:32"}) {
    const Design design = Parsed(text);
    for (const double p : {.01, .25, .5, .99}) {
      EXPECT_NEAR(Acceptance(design, ResemblanceAt(design, p)), p, 1e-7) << text;
    }
  }
  EXPECT_EQ(ResemblanceAt(Parsed("groups:8x11:1:1"), .5), 0) << "accidents reach it";
}

// A key of short groups is equal exactly if the kept bits of its groups are. Designs of single
// groups show which bits are equal.
TEST(FilterBitsTest, KeysAreEqualExactlyWhereTheirGroupsAre) {
  const Design design = Parsed("groups:5x3:2:2"), single = Parsed("groups:5x3:1:2");
  std::mt19937_64 random(7);
  size_t met = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<uint32_t> a(design.coordinates), b;
    for (uint32_t& value : a) value = static_cast<uint32_t>(random());
    b = a;
    for (uint32_t& value : b) value = random() % 2 == 0 ? value : static_cast<uint32_t>(random());
    const auto groups_a = KeysOf(single, a), groups_b = KeysOf(single, b);
    const auto keys_a = KeysOf(design, a), keys_b = KeysOf(design, b);
    size_t key = 0;
    for (size_t x = 0; x < 5; ++x) {
      for (size_t y = x + 1; y < 5; ++y, ++key) {
        const bool equal = groups_a[x] == groups_b[x] && groups_a[y] == groups_b[y];
        ASSERT_EQ(keys_a[key] == keys_b[key], equal) << "groups " << x << ", " << y;
        met += equal ? 1 : 0;
      }
    }
  }
  EXPECT_GT(met, 500u);
}

// Unlike groups have equal bits once in 2^BITS; so do groups of different positions, whose keys
// must nevertheless differ.
TEST(FilterBitsTest, BitsAreEqualByAccidentAsOftenAsTheySay) {
  for (const uint32_t bits : {1u, 4u, 8u}) {
    const Design design = *ParseDesign("groups:8x3:1:" + std::to_string(bits));
    std::mt19937_64 random(bits);
    constexpr int kTrials = 20000;
    int equal = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<uint32_t> a(24), b(24);
      for (uint32_t& value : a) value = static_cast<uint32_t>(random());
      for (uint32_t& value : b) value = static_cast<uint32_t>(random());
      const auto keys_a = KeysOf(design, a), keys_b = KeysOf(design, b);
      for (size_t i = 0; i < 8; ++i) {
        equal += keys_a[i] == keys_b[i] ? 1 : 0;
        EXPECT_NE(keys_a[i], keys_b[(i + 1) % 8]);
      }
    }
    const double p = std::ldexp(1, -static_cast<int>(bits)), n = 8. * kTrials;
    EXPECT_NEAR(equal / n, p, 4 * std::sqrt(p * (1 - p) / n)) << bits << " bits";
  }
}

}  // namespace
}  // namespace lookalike
