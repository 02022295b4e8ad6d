#include "fingerprint/rabin_shingles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "isa/forced_isa.h"
#include "stages/sketch/sketch.h"

namespace lookalike {
namespace {

using Kind = ShingleSpec::Kind;

std::vector<std::string> RandomUnits(size_t count, size_t longest, std::mt19937_64* random) {
  std::vector<std::string> units(count);
  for (std::string& unit : units) {
    unit.resize(1 + (*random)() % longest);
    for (char& byte : unit) byte = static_cast<char>((*random)() % 0xFF);
  }
  return units;
}

std::string Joined(const std::vector<std::string>& units, size_t first, size_t count) {
  std::string joined = units[first];
  for (size_t i = first + 1; i < first + count; ++i) joined += "\xFF" + units[i];
  return joined;
}

void ExpectDirect(const std::vector<std::string>& units, size_t window, RabinShingles* shingles) {
  shingles->Clear();
  for (const std::string& unit : units) shingles->Add(unit);
  std::vector<uint64_t> fingerprints(units.size() - window + 1);
  shingles->Fingerprints(window, fingerprints.data());
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    ASSERT_EQ(fingerprints[i], shingles->function().OfPrefixed(Joined(units, i, window)))
        << "window of " << window << " at " << i;
  }
}

TEST(RabinShinglesTest, EachIsTheFingerprintOfItsBytesOnEveryInstructionSet) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    RabinShingles shingles(7);
    for (const size_t window : {1, 2, 5, 9, 64}) {
      ExpectDirect(RandomUnits(window, 30, &random), window, &shingles);
      ExpectDirect(RandomUnits(window + 40, 12, &random), window, &shingles);
    }
    ExpectDirect({std::string(1023, 'a'), "b", std::string(1024, 'c'), std::string(5000, 'd')}, 1,
                 &shingles);
    ExpectDirect(RandomUnits(20, 900, &random), 3, &shingles);  // longer than any tabled shift
  }
}

std::vector<uint64_t> FeaturesOf(std::string_view text, const ShingleSpec& shingle,
                                 uint64_t seed = 0) {
  FeatureSpec spec;
  spec.shingle = shingle;
  spec.hash = ShingleHash::kRabin;
  spec.seed = seed;
  FeatureExtractor extractor(spec);
  const auto features = extractor.Features(text);
  return {features.begin(), features.end()};
}

// docs/format/fingerprint-v1.md.
TEST(RabinFeaturesTest, DocumentedVectors) {
  EXPECT_EQ(FeaturesOf("one two three four five six", {Kind::kWord, 5}),
            (std::vector<uint64_t>{0x9903c5ff79fc4d2e, 0x46d7c67b01689a23}));
  EXPECT_EQ(FeaturesOf("One, TWO!", {Kind::kWord, 5}), std::vector<uint64_t>{0xd1165ca6b052d37a});
}

TEST(RabinFeaturesTest, OfEveryKindAreThoseOfTheUnitsBytes) {
  const auto feature = [](std::string_view bytes) {
    uint64_t x =
        RabinShingles(3).function().OfPrefixed(bytes) ^ uint64_t { 3 } * 0x2d358dccaa6c78a5;
    x *= 0xff51afd7ed558ccd;
    x = (x ^ x >> 32) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 32;
  };
  const auto of = [](std::string_view text, const ShingleSpec& shingle) {
    return FeaturesOf(text, shingle, 3);
  };
  using Features = std::vector<uint64_t>;
  EXPECT_EQ(of("a \t\n b", {Kind::kChar, 3}), Features{feature("a\xFF \xFF"
                                                               "b")});
  EXPECT_EQ(of("\u00e9a", {Kind::kByte, 2}), (Features{feature("\xC3\xFF\xA9"), feature("\xA9\xFF"
                                                                                        "a")}));
  EXPECT_EQ(of("x+y", {Kind::kCode, 3}), Features{feature("x\xFF+\xFFy")});
  EXPECT_EQ(of("Caf\u00c9, the man said", {Kind::kStopWord, 1}), Features{feature("the\xFFman")});
  EXPECT_EQ(of("the", {Kind::kStopWord, 1}), Features{});
  EXPECT_EQ(of("abc", {Kind::kWinnow, 3, 4}), Features{feature("a\xFF"
                                                               "b\xFF"
                                                               "c")});
  EXPECT_EQ(of("", {Kind::kWord, 2}), Features{});
  // Text that the fast path leaves to the normaliser, and text that it does not.
  EXPECT_EQ(of("cafe\u0301 noir", {Kind::kWord, 2}), of("caf\u00e9 noir", {Kind::kWord, 2}));
}

TEST(RabinFeaturesTest, UnitsDoNotRunTogether) {
  const ShingleSpec words{Kind::kWord, 2};
  std::set<uint64_t> seen;
  for (const char* text : {"ab c", "a bc", "abc", "a b c", "c ab"}) {
    for (const uint64_t feature : FeaturesOf(text, words)) seen.insert(feature);
  }
  EXPECT_EQ(seen.size(), 6u) << "a b c has two";
}

TEST(RabinFeaturesTest, TheSeedChangesShortShinglesToo) {
  for (const char* text : {"a", "one two three four five"}) {
    std::set<uint64_t> seen;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      seen.insert(FeaturesOf(text, {Kind::kWord, 5}, seed).at(0));
    }
    EXPECT_EQ(seen.size(), 20u) << text;
  }
}

/// Returns the mean square error of sketches over pairs of sets of consecutive numbers with J =
/// 1/3, divided by that of a plain minhash; `finish` makes features of fingerprints.
template <class Finish>
double ErrorOfSketches(const Finish& finish) {
  constexpr uint32_t kCoordinates = 128;
  constexpr int kTrials = 400;
  Sketcher sketcher(SketchSpec{kCoordinates});
  double squares = 0;
  for (uint64_t trial = 0; trial < kTrials; ++trial) {
    const RabinFunction f(RandomIrreducible(64, trial));
    std::vector<uint64_t> a, b;
    for (uint64_t i = 0; i < 900; ++i) {
      const uint64_t number = (trial * 900 + i) * 0x10001;
      const std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
      const uint64_t feature = finish(f.OfPrefixed(bytes));
      if (i < 600) a.push_back(feature);
      if (i >= 300) b.push_back(feature);
    }
    const auto span = sketcher.Run(a);
    const std::vector<uint32_t> first(span.begin(), span.end());
    const auto second = sketcher.Run(b);
    double equal = 0;
    for (uint32_t c = 0; c < kCoordinates; ++c) equal += first[c] == second[c];
    const double error = equal / kCoordinates - 1.0 / 3;
    squares += error * error;
  }
  return squares / kTrials / (2.0 / 9 / kCoordinates);
}

// Fingerprints are mixed because they are linear: regular inputs would keep their regularity.
TEST(RabinFeaturesTest, MixedFingerprintsOfRegularInputsSketchAsRandomOnesDo) {
  const auto mixed = [](uint64_t x) {
    x *= 0xff51afd7ed558ccd;
    x = (x ^ x >> 32) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 32;
  };
  EXPECT_LT(ErrorOfSketches(mixed), 1.1 + 4.5 * std::sqrt(2.0 / 400));
  EXPECT_GT(ErrorOfSketches([](uint64_t x) { return x; }), 2) << "as they are";
}

}  // namespace
}  // namespace lookalike
