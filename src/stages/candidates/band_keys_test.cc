#include "stages/candidates/band_keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

std::vector<uint64_t> KeysOf(const Design& design, const std::vector<uint32_t>& sketch) {
  std::vector<uint64_t> keys(design.keys);
  MakeBandKeys(design, sketch, keys);
  return keys;
}

// Equal vectors in different bands must not collide.
TEST(BandKeysTest, EqualCoordinatesInDifferentBandsMakeDifferentKeys) {
  for (const char* text : {"bands:16x8", "bands:128x1", "overlapping:128:8:32", "groups:6x14:2"}) {
    const Design design = *ParseDesign(text);
    for (const uint32_t value : {0U, 7U, ~0U}) {
      const auto keys = KeysOf(design, std::vector<uint32_t>(design.coordinates, value));
      EXPECT_EQ(std::set<uint64_t>(keys.begin(), keys.end()).size(), keys.size()) << text;
    }
  }
}

// A key is equal exactly if all of its coordinates are, and changes with each of them.
TEST(BandKeysTest, AKeySeesItsCoordinatesOnly) {
  std::mt19937_64 random(1);
  for (const char* text : {"bands:16x8", "overlapping:128:8:64", "groups:6x14:2", "bands:3x1"}) {
    const Design design = *ParseDesign(text);
    std::vector<uint32_t> sketch(design.coordinates);
    for (uint32_t& value : sketch) value = static_cast<uint32_t>(random());
    const auto keys = KeysOf(design, sketch);
    for (uint32_t c = 0; c < design.coordinates; ++c) {
      std::vector<uint32_t> changed = sketch;
      changed[c] ^= 1U << (random() % 32);
      const auto others = KeysOf(design, changed);
      for (uint32_t key = 0; key < design.keys; ++key) {
        const auto mine = design.Key(key);
        const bool uses = std::find(mine.begin(), mine.end(), c) != mine.end();
        ASSERT_EQ(keys[key] != others[key], uses) << text << " key " << key << ", " << c;
      }
    }
  }
}

TEST(BandKeysTest, TheOrderOfCoordinatesCounts) {
  const Design design = *ParseDesign("bands:1x2");
  EXPECT_NE(KeysOf(design, {1, 2}), KeysOf(design, {2, 1}));
}

// Radix partitions need even top bits.
TEST(BandKeysTest, KeysSpreadEvenlyOverTheirTopBits) {
  const Design design = *ParseDesign("bands:16x8");
  std::vector<int> counts(64);
  constexpr int kDocuments = 4000;
  for (uint32_t doc = 0; doc < kDocuments; ++doc) {
    for (const uint64_t key : KeysOf(design, std::vector<uint32_t>(128, doc))) ++counts[key >> 58];
  }
  const double mean = 16.0 * kDocuments / 64;
  for (const int count : counts) EXPECT_NEAR(count, mean, 6 * std::sqrt(mean));
}

// --- The acceptance curve -----------------------------------------------------------------------

/// Returns the share of pairs of sets, with `common` common features and `only` more in each, that
/// share a key.
double CandidateShare(const Design& design, uint32_t coordinates, size_t common, size_t only,
                      int trials) {
  std::mt19937_64 random(common * 1000 + only);
  Sketcher sketcher(SketchSpec{coordinates});
  int met = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<uint64_t> a(common + only);
    for (uint64_t& feature : a) feature = random();
    std::vector<uint64_t> b(a.begin(), a.begin() + static_cast<ptrdiff_t>(common));
    for (size_t i = 0; i < only; ++i) b.push_back(random());
    const auto span = sketcher.Run(a);
    const auto keys = KeysOf(design, {span.begin(), span.end()});
    const auto other = sketcher.Run(b);
    const auto others = KeysOf(design, {other.begin(), other.end()});
    bool meet = false;
    for (uint32_t i = 0; i < design.keys; ++i) meet = meet || keys[i] == others[i];
    met += meet;
  }
  return static_cast<double>(met) / trials;
}

// The curve assumes independent coordinates. Those of Fast Similarity Sketching vary less together,
// which shifts the share for designs of short keys by up to .015 in the middle of the curve; the
// binomial band of 4.5 standard errors is added to that.
TEST(BandKeysTest, CandidatesFollowTheAcceptanceCurve) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kTrials = 400;
#else
  constexpr int kTrials = 4000;
#endif
  for (const char* text : {"bands:16x8", "bands:20x5", "overlapping:128:8:32", "groups:6x14:2"}) {
    const Design design = *ParseDesign(text);
    for (const size_t common :
         {size_t{40}, size_t{60}, size_t{80}, size_t{120}, size_t{160}, size_t{300}, size_t{800}}) {
      const double j = static_cast<double>(common) / static_cast<double>(common + 40);
      const double expected = Acceptance(design, j);
      const double share = CandidateShare(design, 128, common, 20, kTrials);
      const double error = std::sqrt(expected * (1 - expected) / kTrials) + 1.0 / kTrials;
      EXPECT_NEAR(share, expected, .02 * 4 * expected * (1 - expected) + 4.5 * error)
          << text << " at J = " << j;
    }
  }
}

}  // namespace
}  // namespace lookalike
