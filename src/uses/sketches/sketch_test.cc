#include "lookalike/sketch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "format/sketch_bytes.h"
#include "kernels/splitmix.h"
#include "lookalike/fingerprint.h"

namespace lookalike {
namespace {

using Features = std::vector<uint64_t>;

constexpr const char* kSketches[] = {"fss:128",
                                     "fss:16",
                                     "fss:1024",
                                     "permutations:128",
                                     "permutations:16",
                                     "one-permutation:128",
                                     "one-permutation:64",
                                     "permutations:64:mixer",
                                     "permutations:16:mixed-tabulation",
                                     "lead-byte:128",
                                     "lead-byte:16:4",
                                     "geometric:64",
                                     "biased:128",
                                     "weighted:64",
                                     "fss:100",
                                     "permutations:250",
                                     "one-permutation:33",
                                     "lead-byte:200",
                                     "biased:112"};

Options With(const std::string& sketch, const std::string& shingle = "word:5", uint64_t seed = 0) {
  Options options;
  options.sketch = sketch;
  options.shingle = shingle;
  options.seed = seed;
  return options;
}

Sketch Got(Result<Sketch> sketch) {
  if (!sketch) ADD_FAILURE() << sketch.error().ToString();
  return *std::move(sketch);
}

Sketch Of(const Features& features, const std::string& sketch = "fss:128") {
  return Got(Sketch::OfFeatures(features, With(sketch)));
}

Sketch Merged(Sketch a, const Sketch& b) {
  const Status status = a.Merge(b);
  EXPECT_TRUE(status.has_value());
  return a;
}

// Returns hashes of some small numbers, so that sets overlap.
Features SomeFeatures(std::mt19937_64* random) {
  Features features((*random)() % 300);
  for (uint64_t& feature : features) feature = std::mt19937_64((*random)() % 400)();
  return features;
}

class SketchLawsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(SketchLawsTest, MergingObeysTheLawsOfUnions) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    std::mt19937_64 random(seed);
    const Features a = SomeFeatures(&random), b = SomeFeatures(&random), c = SomeFeatures(&random);
    Features both = a;
    both.insert(both.end(), b.begin(), b.end());
    const Sketch x = Of(a, GetParam()), y = Of(b, GetParam()), z = Of(c, GetParam());
    RC_ASSERT(Merged(x, y) == Of(both, GetParam()));
    RC_ASSERT(Merged(x, y) == Merged(y, x));
    RC_ASSERT(Merged(Merged(x, y), z) == Merged(x, Merged(y, z)));
    RC_ASSERT(Merged(x, x) == x);
    RC_ASSERT(Merged(x, Of({}, GetParam())) == x);
    RC_ASSERT(Merged(Of({}, GetParam()), x) == x);
  }));
}

TEST_P(SketchLawsTest, BytesAreTheSketch) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    std::mt19937_64 random(seed);
    const Options options = With(GetParam(), "char:" + std::to_string(1 + seed % 64), seed);
    const Sketch sketch = Got(Sketch::OfFeatures(SomeFeatures(&random), options));
    const std::string bytes = sketch.ToBytes();
    RC_ASSERT(bytes.size() == 36 + sketch.shingle().size() + 4 * sketch.coordinates().size());
    const Sketch again = Got(Sketch::FromBytes(bytes));
    RC_ASSERT(again == sketch);
    RC_ASSERT(again.ToBytes() == bytes);
    RC_ASSERT(again.kind() == sketch.kind() && again.name() == GetParam());
  }));
}

TEST_P(SketchLawsTest, ItsTextAndItsRowAreTheSameSketch) {
  const Options options = With(GetParam(), "word:2", 7);
  const auto fingerprinter = Fingerprinter::Create([&] {
    Options exact = options;
    exact.method = "exact";
    return exact;
  }());
  ASSERT_TRUE(fingerprinter.has_value());
  for (const std::string text : {"one two three four", "", "?", "one"}) {
    const Sketch sketch = Got(Sketch::OfText(text, options));
    std::vector<uint32_t> row(fingerprinter->coordinates());
    ASSERT_TRUE(fingerprinter->Run(std::vector<std::string_view>{text}, {.sketches = row}));
    EXPECT_TRUE(Got(Sketch::OfCoordinates(row, options)) == sketch);
    EXPECT_TRUE(Got(Sketch::OfFeatures(*fingerprinter->Features(text), options)) == sketch);
    EXPECT_EQ(sketch.empty(), fingerprinter->Features(text)->empty());
  }
}

TEST_P(SketchLawsTest, EstimatesOfKnownSets) {
  std::mt19937_64 random(1);
  Features a(800), b;
  for (uint64_t& feature : a) feature = random();
  b.assign(a.begin() + 160, a.end());
  for (int i = 0; i < 160; ++i) b.push_back(random());  // 640 of 960 are shared
  const Sketch x = Of(a, GetParam()), y = Of(b, GetParam());
  const auto estimate = x.EstimateResemblance(y);
  ASSERT_TRUE(estimate.has_value());
  const double k = static_cast<double>(x.coordinates().size());
  EXPECT_EQ(estimate->coordinates, x.coordinates().size());
  EXPECT_EQ(estimate->resemblance, estimate->equal / k);
  const double j = estimate->resemblance;
  const double moved = (j * k + 0.5) / (k + 1);
  EXPECT_DOUBLE_EQ(estimate->standard_error, std::sqrt(moved * (1 - moved) / k));
  EXPECT_NEAR(j, 2. / 3, 4.5 * std::sqrt(2. / 9 / k));
  EXPECT_EQ(y.EstimateResemblance(x)->equal, estimate->equal);
  const FeatureCountEstimate count = x.EstimateFeatureCount();
  EXPECT_NEAR(count.features, 800, 4.5 * 800 / std::sqrt(k - 2));
  EXPECT_DOUBLE_EQ(count.standard_error, count.features / std::sqrt(k - 2));
}

TEST_P(SketchLawsTest, ItselfAndNothing) {
  const Sketch some = Of({0x123456789abcdef0}, GetParam()), none = Of({}, GetParam());
  EXPECT_EQ(some.EstimateResemblance(some)->resemblance, 1);
  EXPECT_GT(some.EstimateResemblance(some)->standard_error, 0) << "all equal is not all known";
  for (const auto& [a, b] : {std::pair(&some, &none), {&none, &some}, {&none, &none}}) {
    const auto estimate = a->EstimateResemblance(*b);
    ASSERT_TRUE(estimate.has_value());
    EXPECT_EQ(estimate->resemblance, 0) << "as the exact measures have it";
    EXPECT_EQ(estimate->equal, 0u);
    EXPECT_EQ(estimate->standard_error, 0);
    EXPECT_EQ(estimate->coordinates, some.coordinates().size());
  }
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(some.empty());
  EXPECT_EQ(none.EstimateFeatureCount().features, 0);
  EXPECT_EQ(none.EstimateFeatureCount().standard_error, 0);
}

INSTANTIATE_TEST_SUITE_P(Sketches, SketchLawsTest, ::testing::ValuesIn(kSketches),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name;
                         });

TEST(SketchValueTest, TellsWhatItIs) {
  const Sketch sketch = Got(Sketch::OfText("a b c", With("one-permutation:64", "char:09", 12)));
  EXPECT_EQ(sketch.kind(), SketchKind::kOnePermutation);
  EXPECT_EQ(sketch.name(), "one-permutation:64");
  EXPECT_EQ(sketch.shingle(), "char:9") << "one spelling, so that equal shingles compare";
  EXPECT_EQ(sketch.seed(), 12u);
  EXPECT_EQ(sketch.coordinates().size(), 64u);
}

TEST(SketchValueTest, IsThatOfTheFingerprint) {
  const Sketch sketch = Got(Sketch::OfText("one two three four five six", With("fss:16")));
  EXPECT_EQ(sketch.coordinates()[0], 0x7518a489u);
  EXPECT_EQ(sketch.coordinates()[15], 0x38a8ba98u);
}

TEST(SketchValueTest, AnErrorNamesEveryDifferenceAndNothingChanges) {
  const Features features = {1, 2, 3};
  const Sketch plain = Got(Sketch::OfFeatures(features, With("fss:64", "word:5", 1)));
  const struct {
    Options options;
    const char* what;
  } cases[] = {
      {With("fss:128", "word:5", 1), "differ: sketch fss:64 and fss:128;"},
      {With("permutations:64", "word:5", 1), "differ: sketch fss:64 and permutations:64;"},
      {With("permutations:64:matrix", "word:5", 1),
       "differ: sketch fss:64 and permutations:64:matrix;"},
      {With("fss:64", "word:4", 1), "differ: shingle word:5 and word:4;"},
      {With("fss:64", "char:5", 1), "differ: shingle word:5 and char:5;"},
      {With("fss:64", "word:5", 2), "differ: seed 1 and 2;"},
      {With("fss:64", "char:5", 2), "differ: shingle word:5 and char:5, seed 1 and 2;"},
  };
  for (const auto& c : cases) {
    const Sketch other = Got(Sketch::OfFeatures(Features{4}, c.options));
    Sketch sketch = plain;
    const Status merged = sketch.Merge(other);
    ASSERT_FALSE(merged.has_value()) << c.what;
    EXPECT_NE(merged.error().what.find(c.what), std::string::npos) << merged.error().what;
    EXPECT_TRUE(sketch == plain);
    const auto estimate = sketch.EstimateResemblance(other);
    ASSERT_FALSE(estimate.has_value());
    EXPECT_NE(estimate.error().what.find(c.what), std::string::npos);
    EXPECT_FALSE(sketch == other);
  }
}

Sketch OfFirst(uint64_t first, uint64_t last, const std::string& sketch) {
  Features features;
  for (uint64_t i = first; i < last; ++i) features.push_back(std::mt19937_64(i)());
  return Of(features, sketch);
}

TEST(SketchValueTest, AddingFeaturesIsTheSketchOfAll) {
  const Features first = {1, 5, uint64_t{3} << 40}, more = {5, 9, UINT64_MAX / 3};
  Features all = first;
  all.insert(all.end(), more.begin(), more.end());
  for (const std::string name : kSketches) {
    Sketch sketch = Of({}, name);
    EXPECT_TRUE(sketch.Add({}));
    EXPECT_TRUE(sketch.empty()) << name;
    EXPECT_TRUE(sketch.Add(first));
    EXPECT_EQ(sketch, Of(first, name)) << name;
    EXPECT_TRUE(sketch.Add(more));
    EXPECT_EQ(sketch, Of(all, name)) << name;
  }
  Sketch densified = Of(first, "one-permutation:128:densified");
  EXPECT_FALSE(densified.Add(more));
  EXPECT_EQ(densified, Of(first, "one-permutation:128:densified"));
}

TEST(SketchValueTest, DensifiedBinsDoNotMerge) {
  Sketch sketch = OfFirst(0, 20, "one-permutation:64:densified");
  const Sketch other = OfFirst(10, 30, "one-permutation:64:densified"), before = sketch;
  const Status merged = sketch.Merge(other);
  ASSERT_FALSE(merged.has_value());
  EXPECT_NE(merged.error().what.find("one-permutation:64:densified cannot be merged"),
            std::string::npos);
  EXPECT_TRUE(sketch == before);
  EXPECT_EQ(Got(Sketch::FromBytes(sketch.ToBytes())), sketch);
  EXPECT_EQ(sketch.EstimateResemblance(sketch)->resemblance, 1);
  EXPECT_NEAR(sketch.EstimateResemblance(other)->resemblance, 1. / 3, .35);
}

// L7, L26: whole weights are replication for every kind, and any sampler agrees with them.
TEST(SketchValueTest, WeightsOfAllKindsEstimateTheSame) {
  std::vector<uint64_t> features;
  std::vector<double> of_a, of_b;
  double least = 0, most = 0;
  for (uint64_t i = 1; i <= 200; ++i) {
    features.push_back(Mix64(i));
    of_a.push_back(static_cast<double>(1 + i % 7));
    of_b.push_back(static_cast<double>(1 + i % 5));
    least += std::min(of_a.back(), of_b.back());
    most += std::max(of_a.back(), of_b.back());
  }
  for (const char* sketch : {"fss:1024", "permutations:1024", "one-permutation:1024",
                             "lead-byte:1024", "weighted:1024"}) {
    const auto a = Sketch::OfWeighted(features, of_a, With(sketch));
    const auto b = Sketch::OfWeighted(features, of_b, With(sketch));
    ASSERT_TRUE(a && b) << sketch;
    const auto estimate = *a->EstimateResemblance(*b);
    EXPECT_NEAR(estimate.resemblance, least / most, 4 * estimate.standard_error) << sketch;
    const auto count = a->EstimateFeatureCount();
    EXPECT_NEAR(count.features, std::accumulate(of_a.begin(), of_a.end(), 0.),
                5 * count.standard_error)
        << sketch;
  }
}

TEST(SketchValueTest, TextsAreSketchedByWeight) {
  Options options = With("weighted:1024");
  options.shingle = "word:1";
  options.bag = "max";
  const auto a = Sketch::OfText("a a a b", options), b = Sketch::OfText("a a b b c", options);
  ASSERT_TRUE(a && b);
  const auto estimate = *a->EstimateResemblance(*b);
  EXPECT_NEAR(estimate.resemblance, .5, 4 * estimate.standard_error);
  const auto features = *Fingerprinter::Create(options, 10)->Features("a b");
  options.bag = "off";
  EXPECT_NE(*Sketch::OfText("a a b", options), *a);
  EXPECT_EQ(Sketch::OfText("a b", options)->coordinates().size(), 1024u);
  const auto plain = *Sketch::OfText("a b", options);
  const auto ones = *Sketch::OfWeighted(features, std::vector<double>{1, 1}, options);
  EXPECT_EQ(plain, ones);
}

TEST(SketchValueTest, UnitsOfWeightsAreInTheName) {
  const std::vector<uint64_t> features = {Mix64(1), Mix64(2)};
  Options halves = With("fss");
  halves.weight_unit = .5;
  const auto by_halves = Sketch::OfWeighted(features, std::vector<double>{1, .5}, halves);
  const auto whole = Sketch::OfWeighted(features, std::vector<double>{2, 1}, With("fss"));
  ASSERT_TRUE(by_halves) << by_halves.error().ToString();
  EXPECT_TRUE(std::ranges::equal(by_halves->coordinates(), whole->coordinates()));
  EXPECT_EQ(by_halves->shingle(), "word:5 weight-unit=0.5");
  EXPECT_FALSE(by_halves->EstimateResemblance(*whole));
  EXPECT_EQ(Sketch::FromBytes(by_halves->ToBytes()), *by_halves);
  halves.weight_unit = 0;
  EXPECT_FALSE(Sketch::OfWeighted(features, std::vector<double>{1, 1}, halves));
}

TEST(SketchValueTest, WrongWeightsAreErrors) {
  const std::vector<uint64_t> two = {1, 2}, same = {1, 1};
  const auto error = [&](const std::vector<uint64_t>& features, std::vector<double> weights,
                         const char* sketch) {
    const auto made = Sketch::OfWeighted(features, weights, With(sketch));
    return made ? std::string() : made.error().what;
  };
  EXPECT_EQ(error(two, {1e50, 1e-50}, "weighted"), "");
  EXPECT_NE(error(two, {1}, "fss").find("2 features, but 1 weights"), std::string::npos);
  EXPECT_NE(error(two, {1, 0}, "fss").find("weight 1 is 0"), std::string::npos);
  EXPECT_NE(error(two, {1, -1}, "weighted").find("weight 1 is -1"), std::string::npos);
  EXPECT_NE(error(two, {std::nan(""), 1}, "weighted").find("weight 0 is nan"), std::string::npos);
  EXPECT_NE(error(two, {1, 1e7}, "fss").find("to 1048576"), std::string::npos);
  EXPECT_NE(error(same, {1, 2}, "weighted").find("twice"), std::string::npos);
}

TEST(SketchValueTest, BinsThatAreEmptyOnBothSidesAreNotCompared) {
  const Sketch a = OfFirst(0, 20, "one-permutation:1024:bins");
  const Sketch b = OfFirst(10, 30, "one-permutation:1024:bins");
  const auto estimate = a.EstimateResemblance(b);
  ASSERT_TRUE(estimate.has_value());
  // 30 features, nearly all in separate bins; 10 are shared.
  EXPECT_GE(estimate->coordinates, 27u);
  EXPECT_LE(estimate->coordinates, 30u);
  EXPECT_GE(estimate->equal, 8u);
  EXPECT_NEAR(estimate->resemblance * estimate->coordinates, estimate->equal, 1e-9);
  EXPECT_NEAR(a.EstimateFeatureCount().features, 20, 1);
  EXPECT_EQ(Merged(a, b), OfFirst(0, 30, "one-permutation:1024:bins"));
  EXPECT_EQ(Got(Sketch::FromBytes(a.ToBytes())), a);
  const Sketch none = Of({}, "one-permutation:1024:bins");
  EXPECT_EQ(none.EstimateResemblance(none)->resemblance, 0);
  EXPECT_EQ(a.EstimateResemblance(none)->resemblance, 0);
  EXPECT_FALSE(a.Compressed(8).has_value());
}

TEST(SketchValueTest, NoKeysOfBins) {
  Options options = With("one-permutation:128:bins");
  const auto refused = Fingerprinter::Create(options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().what.find("leaves bins empty"), std::string::npos);
  options.method = "exact";
  EXPECT_TRUE(Fingerprinter::Create(options).has_value());
}

TEST(SketchValueTest, BadOptionsAreErrors) {
  EXPECT_FALSE(Sketch::OfText("a", With("fss:8")).has_value());
  EXPECT_FALSE(Sketch::OfText("a", With("fss:128", "line:1")).has_value());
  EXPECT_FALSE(Sketch::OfFeatures({}, With("bottom-k:64")).has_value());
  Options options;
  options.threshold = 2;
  EXPECT_FALSE(Sketch::OfFeatures({}, options).has_value());
}

// The memory is never touched, so it takes no space.
TEST(SketchValueTest, RefusesTextsThatAreTooLong) {
  const size_t size = (size_t{372} << 20) + 1;
  const std::unique_ptr<char, decltype(&std::free)> bytes(static_cast<char*>(std::calloc(size, 1)),
                                                          &std::free);
  ASSERT_NE(bytes, nullptr);
  const auto sketch = Sketch::OfText(std::string_view(bytes.get(), size), Options());
  ASSERT_FALSE(sketch.has_value());
  EXPECT_NE(sketch.error().what.find("too long"), std::string::npos);
}

TEST(SketchValueTest, CoordinatesMustBeThoseOfASketch) {
  const Sketch sketch = Of({5, 6, 7}, "one-permutation:16");
  std::vector<uint32_t> row(sketch.coordinates().begin(), sketch.coordinates().end());
  const Options options = With("one-permutation:16");
  EXPECT_TRUE(Sketch::OfCoordinates(row, options).has_value());
  row[3] = 1U << 30;
  auto wrong = Sketch::OfCoordinates(row, options);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().what.find("coordinate 3 is 0x40000000"), std::string::npos)
      << wrong.error().what;
  row[3] = kNoCoordinate;
  EXPECT_FALSE(Sketch::OfCoordinates(row, options).has_value()) << "all are none, or no one is";
  row.pop_back();
  wrong = Sketch::OfCoordinates(row, options);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_NE(wrong.error().what.find("15 coordinates were given"), std::string::npos);
}

// The bytes are valid in the format, but no sketch has them.
TEST(SketchValueTest, StoredFieldsMustMakeASketch) {
  const StoredSketch good = {1, 1, 0, "word:5", std::vector<uint32_t>(16, 9)};
  ASSERT_TRUE(Sketch::FromBytes(EncodeSketch(good)).has_value());
  const auto error_of = [](const StoredSketch& stored) {
    const auto sketch = Sketch::FromBytes(EncodeSketch(stored));
    return sketch ? "" : sketch.error().what;
  };
  StoredSketch bad = good;
  bad.kind = 0;
  EXPECT_NE(error_of(bad).find("kind 0,"), std::string::npos);
  bad.kind = 99;
  EXPECT_NE(error_of(bad).find("kind 99,"), std::string::npos);
  bad = good;
  bad.fingerprint_version = 2;
  EXPECT_NE(error_of(bad).find("fingerprint version 2"), std::string::npos);
  for (const char* shingle : {"", "word:0", "word:05", "word:5 ", "line:5"}) {
    bad = good;
    bad.shingle = shingle;
    EXPECT_NE(error_of(bad).find("does not name a shingle"), std::string::npos) << shingle;
  }
  for (const size_t count : {0, 8, 15, 1025, 2048}) {
    bad = good;
    bad.coordinates.resize(count);
    EXPECT_NE(error_of(bad).find("expected 16 to 1024"), std::string::npos) << count;
  }
  bad = good;
  bad.coordinates[7] = kNoCoordinate;
  EXPECT_NE(error_of(bad).find("coordinate 7"), std::string::npos);
}

TEST(SketchValueTest, AnyChangedByteIsAnError) {
  const std::string bytes = Of({1, 2, 3}, "fss:16").ToBytes();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] + 1);
    const auto sketch = Sketch::FromBytes(changed);
    ASSERT_FALSE(sketch.has_value()) << at;
    EXPECT_FALSE(sketch.error().what.empty());
    EXPECT_FALSE(Sketch::FromBytes(bytes.substr(0, at)).has_value()) << at;
  }
}

TEST(SketchValueTest, WhatWasMovedFromIsHarmless) {
  Sketch sketch = Of({1, 2, 3});
  const Sketch taken = std::move(sketch);
  EXPECT_FALSE(sketch.Merge(taken).has_value());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(sketch.EstimateFeatureCount().features, 0);
}

}  // namespace
}  // namespace lookalike
