#include "stages/candidates/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace lookalike {
namespace {

Design Parsed(const std::string& text) {
  Result<Design> design = ParseDesign(text);
  EXPECT_TRUE(design.has_value()) << text;
  return design.value_or(Design{});
}

// Returns the share of `trials` pairs, with independent coordinates of resemblance j, that share a
// key.
double Simulated(const Design& design, double j, int trials, uint64_t seed) {
  std::mt19937_64 random(seed);
  const uint64_t bound = static_cast<uint64_t>(std::ldexp(j, 53));
  std::vector<bool> equal(design.coordinates);
  int hits = 0;
  for (int trial = 0; trial < trials; ++trial) {
    for (uint32_t c = 0; c < design.coordinates; ++c) equal[c] = (random() >> 11) < bound;
    bool hit = false;
    for (uint32_t key = 0; key < design.keys && !hit; ++key) {
      const auto coordinates = design.Key(key);
      hit = std::all_of(coordinates.begin(), coordinates.end(), [&](auto c) { return equal[c]; });
    }
    hits += hit;
  }
  return static_cast<double>(hits) / trials;
}

double Deviation(double p, int trials) { return std::sqrt(p * (1 - p) / trials); }

TEST(DesignTest, TextIsTheDesign) {
  for (const char* text : {"bands:20x5", "groups:6x14:2", "groups:8x25:1", "overlapping:128:8:32",
                           "overlapping:100:7:50", "bands:1x1", "overlapping:3:3:4"}) {
    const Design design = Parsed(text);
    EXPECT_EQ(ToString(design), text);
    EXPECT_EQ(design.key_coordinates.size(), size_t{design.keys} * design.rows) << text;
    for (uint32_t key = 0; key < design.keys; ++key) {
      const auto coordinates = design.Key(key);
      const std::set<uint16_t> distinct(coordinates.begin(), coordinates.end());
      EXPECT_EQ(distinct.size(), design.rows) << text << " key " << key;
      EXPECT_LT(*distinct.rbegin(), design.coordinates) << text << " key " << key;
    }
  }
}

TEST(DesignTest, BadTextsAreErrorsThatSayWhatIsAllowed) {
  for (const char* text :
       {"", "bands", "bands:", "bands:20", "bands:0x5", "bands:20x5x", "bands:20x5 ", "bands:-1x5",
        "bands:99999999999x1", "bands:5000x2", "groups:6x14", "groups:6x14:7", "groups:40x2:20",
        "overlapping:128:8", "overlapping:8:9:1", "overlapping:128:8:5000", "stripes:2x3"}) {
    const Result<Design> design = ParseDesign(text);
    ASSERT_FALSE(design.has_value()) << text;
    EXPECT_NE(design.error().what.find("bands:BxR"), std::string::npos) << design.error().what;
  }
}

TEST(DesignTest, AcceptanceOfTheDocumentsDesigns) {
  const Design groups = Parsed("groups:6x14:2"), single = Parsed("groups:8x25:1");
  const Design bands = Parsed("bands:20x5");
  EXPECT_NEAR(Acceptance(groups, .75), .0045, 6e-5);
  EXPECT_NEAR(Acceptance(groups, .9), .4151, 6e-5);
  EXPECT_NEAR(Acceptance(groups, .95), .8786, 6e-5);
  EXPECT_NEAR(Acceptance(groups, .99), .9998, 6e-5);
  EXPECT_NEAR(Acceptance(single, .8), .0298, 6e-5);
  EXPECT_NEAR(Acceptance(single, .9), .4490, 6e-5);
  EXPECT_NEAR(Acceptance(single, .95), .9257, 6e-5);
  EXPECT_NEAR(Acceptance(bands, .3), .0474943, 1e-7);
  EXPECT_NEAR(Acceptance(bands, .5), .4701, 6e-5);
  EXPECT_NEAR(1 - Acceptance(bands, .8), 3.56058e-4, 1e-9);
  EXPECT_NEAR(Acceptance(groups, .5), 5.59e-8, 1e-10);
  EXPECT_NEAR(Acceptance(Parsed("groups:6x5:4"), .8), .0946, 6e-5);
}

TEST(DesignTest, SizesAndHalfPoints) {
  const Design groups = Parsed("groups:6x14:2");
  EXPECT_EQ(groups.keys, 15u);
  EXPECT_EQ(groups.coordinates, 84u);
  EXPECT_EQ(BytesPerDocument(groups), 48u);
  EXPECT_NEAR(HalfPoint(groups), .9094, 5e-5);
  EXPECT_EQ(BytesPerDocument(Parsed("bands:20x5")), 160u);
  EXPECT_NEAR(HalfPoint(Parsed("bands:20x5")), .5087, 5e-5);
  EXPECT_NEAR(HalfPoint(Parsed("bands:16x4")), .4538, 5e-5);
  EXPECT_NEAR(HalfPoint(Parsed("bands:1x50")), .9862, 5e-5);
}

TEST(DesignTest, AcceptanceGrowsFromZeroToOne) {
  for (const char* text : {"bands:20x5", "groups:6x14:2", "overlapping:128:8:32",
                           "overlapping:128:8:40", "overlapping:128:5:90", "overlapping:128:8:20",
                           "overlapping:1024:24:128", "overlapping:64:1:64"}) {
    const Design design = Parsed(text);
    EXPECT_LT(Acceptance(design, 0), 1e-37) << text << ": accidents of 64 bits";
    EXPECT_NEAR(Acceptance(design, 1), 1, 1e-12) << text;
    double last = 0;
    for (int i = 1; i <= 100; ++i) {
      const double p = Acceptance(design, i / 100.);
      EXPECT_GE(p, last - 1e-12) << text << " at " << i;
      EXPECT_LE(p, 1) << text;
      last = p;
    }
  }
}

TEST(DesignTest, MoreKeysNeverAcceptLess) {
  for (uint32_t rows : {1u, 2u, 4u, 5u, 8u, 11u}) {
    for (double j : {.3, .6, .8, .95}) {
      double last = 0;
      for (uint32_t keys = 1; keys <= 128; ++keys) {
        const Design shape{
            .kind = Design::Kind::kOverlapping, .coordinates = 128, .keys = keys, .rows = rows};
        const double p = Acceptance(shape, j);
        EXPECT_GE(p, last - 1e-12) << rows << " rows, " << keys << " keys at " << j;
        last = p;
      }
    }
  }
}

TEST(DesignTest, OverlappingKeysAreRowsThenColumnsOfTheMatrix) {
  const Design design = Parsed("overlapping:128:8:32");
  for (uint16_t i = 0; i < 8; ++i) {
    EXPECT_EQ(design.Key(3)[i], 24 + i);
    EXPECT_EQ(design.Key(16 + 3)[i], 3 + 16 * i);
  }
}

TEST(DesignTest, OverlappingUsesEveryCoordinateEquallyOften) {
  for (const char* text : {"overlapping:128:8:32", "overlapping:128:8:50", "overlapping:128:7:81",
                           "overlapping:100:24:128", "overlapping:5:3:7", "overlapping:128:9:13"}) {
    const Design design = Parsed(text);
    std::vector<int> uses(design.coordinates);
    for (uint16_t c : design.key_coordinates) ++uses[c];
    const auto [least, most] = std::minmax_element(uses.begin(), uses.end());
    EXPECT_LE(*most - *least, 1) << text;
  }
}

TEST(DesignTest, SimulationAgreesWithExactAcceptance) {
  constexpr int kTrials = 40000;
  for (const char* text : {"bands:20x5", "groups:6x14:2", "groups:6x5:4", "overlapping:128:8:16",
                           "overlapping:128:8:32", "overlapping:128:4:64", "overlapping:64:8:16"}) {
    const Design design = Parsed(text);
    for (double j : {.5, .7, .8, .9}) {
      const double p = Acceptance(design, j);
      EXPECT_NEAR(Simulated(design, j, kTrials, 7), p, 4 * Deviation(p, kTrials) + 1e-4)
          << text << " at " << j;
    }
  }
}

TEST(DesignTest, FewestKeysReachTheRecallAndOneLessDoesNot) {
  constexpr int kTrials = 20000;
  for (const double recall : {.9, .99, .9999}) {
    for (const double threshold : {.5, .6, .7, .8, .9, .95}) {
      for (const uint32_t rows : {1u, 3u, 8u, 13u}) {
        const auto design = FewestKeys(threshold, recall, 128, rows);
        if (!design) continue;
        const std::string name = ToString(*design);
        EXPECT_EQ(design->rows, rows);
        EXPECT_GE(Acceptance(*design, threshold), recall) << name;
        EXPECT_LE(design->keys, 128u);
        EXPECT_GE(Simulated(*design, threshold, kTrials, 11),
                  recall - 3.5 * Deviation(recall, kTrials))
            << name << " at " << threshold;
        if (design->keys == 1) continue;
        const auto less = ParseDesign("overlapping:128:" + std::to_string(rows) + ":" +
                                      std::to_string(design->keys - 1));
        EXPECT_LT(Acceptance(*less, threshold), recall) << name;
      }
    }
  }
}

TEST(DesignTest, FewestKeysOfTheWholeMatrix) {
  const auto design = FewestKeys(.8, .99, 128, 8);
  ASSERT_TRUE(design.has_value());
  EXPECT_EQ(ToString(*design), "overlapping:128:8:32");
}

TEST(DesignTest, FewestKeysOfOtherSketchSizes) {
  for (const uint32_t coordinates : {64u, 256u, 1024u}) {
    const auto design = FewestKeys(.8, .99, coordinates, 6);
    ASSERT_TRUE(design.has_value()) << coordinates;
    EXPECT_EQ(design->coordinates, coordinates);
    EXPECT_GE(Acceptance(*design, .8), .99);
  }
}

TEST(DesignTest, WhatNoKeysReachIsNoDesign) {
  for (uint32_t rows = 1; rows <= 24; ++rows) {
    EXPECT_FALSE(FewestKeys(.01, .9999, 128, rows).has_value()) << rows;
  }
  EXPECT_NEAR(ReachableRecall(.01, 128), .7237, 5e-5);
}

TEST(ExtensionTest, KeepsPairsTogetherAndFits) {
  for (double threshold : {.3, .5, .7, .8, .9, .95}) {
    for (double recall : {.9, .99, .9999}) {
      const Extension extension = PlanExtension(threshold, recall, 128);
      EXPECT_LE(extension.rows * extension.keys, 128u);
      const std::set<uint16_t> distinct(extension.key_coordinates.begin(),
                                        extension.key_coordinates.end());
      EXPECT_EQ(distinct.size(), extension.rows * extension.keys);
      EXPECT_GE(1 - std::pow(1 - std::pow(threshold, extension.rows), extension.keys),
                recall - 1e-12);
    }
  }
  EXPECT_EQ(PlanExtension(.8, .99, 128).rows, 6u);
  EXPECT_EQ(PlanExtension(.8, .99, 128).keys, 16u);
}

TEST(ExtensionTest, NeverInsideAKeyOfTheDesignAndOtherForEachLevel) {
  const Design design = Parsed("overlapping:128:8:32");
  const Extension first = PlanExtension(.8, .99, 128), second = PlanExtension(.8, .99, 128, 1);
  EXPECT_NE(first.key_coordinates, second.key_coordinates);
  for (uint32_t e = 0; e < first.keys; ++e) {
    for (uint32_t key = 0; key < design.keys; ++key) {
      std::vector<uint16_t> shared;
      std::ranges::set_intersection(first.Key(e), design.Key(key), std::back_inserter(shared));
      EXPECT_LT(shared.size(), 4u) << "extension " << e << " key " << key;
    }
  }
}

TEST(ExtensionTest, HopelessThresholdTakesSingleCoordinates) {
  const Extension extension = PlanExtension(.001, .99, 128);
  EXPECT_EQ(extension.rows, 1u);
  EXPECT_EQ(extension.keys, 128u);
}

}  // namespace
}  // namespace lookalike
