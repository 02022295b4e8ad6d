#include "lookalike/set_sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "format/sketch_bytes.h"

namespace lookalike {
namespace {

std::vector<uint64_t> Numbers(uint64_t begin, uint64_t end) {
  std::vector<uint64_t> features;
  for (uint64_t i = begin; i < end; ++i) features.push_back(i);
  return features;
}

Options With(const char* sketch) {
  Options options;
  options.sketch = sketch;
  return options;
}

SetSketch Of(const std::vector<uint64_t>& features, const char* sketch) {
  auto made = SetSketch::OfFeatures(features, With(sketch));
  EXPECT_TRUE(made) << sketch;
  return *made;
}

constexpr const char* kSketches[] = {"bottom-k:64", "mod-m:8", "fracminhash:8"};

TEST(SetSketchApiTest, BytesRoundTripAndEveryDamageIsRefused) {
  for (const char* name : kSketches) {
    const SetSketch sketch = Of(Numbers(0, 500), name);
    EXPECT_EQ(sketch.name(), name);
    EXPECT_EQ(sketch.shingle(), "word:5");
    const std::string bytes = sketch.ToBytes();
    EXPECT_EQ(bytes.size(), 36 + 6 + 8 * sketch.values().size());
    const auto read = SetSketch::FromBytes(bytes);
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(*read, sketch);
    for (size_t i = 0; i < bytes.size(); i += 7) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 4);
      EXPECT_FALSE(SetSketch::FromBytes(damaged)) << name << " " << i;
      EXPECT_FALSE(SetSketch::FromBytes(bytes.substr(0, i)));
    }
    EXPECT_FALSE(Sketch::FromBytes(bytes)) << "it has no coordinates";
    EXPECT_FALSE(SetSketch::FromBytes(Sketch::OfFeatures(Numbers(0, 9), {})->ToBytes()));
  }
}

TEST(SetSketchApiTest, EstimatesOfKnownSets) {
  for (const char* name : {"bottom-k:1000", "mod-m:2", "fracminhash:2"}) {
    const SetSketch a = Of(Numbers(0, 3000), name), b = Of(Numbers(1000, 7000), name);
    const auto j = a.EstimateResemblance(b), c = a.EstimateContainment(b);
    ASSERT_TRUE(j && c);
    EXPECT_NEAR(j->value, 2.0 / 7, 4 * j->standard_error) << name;
    EXPECT_NEAR(c->value, 2.0 / 3, 4 * c->standard_error) << name;
    EXPECT_GT(j->standard_error, 0);
    EXPECT_LT(j->standard_error, 0.02);
    const auto count = a.EstimateFeatureCount();
    EXPECT_NEAR(count.features, 3000, 4 * count.standard_error) << name;
  }
}

TEST(SetSketchApiTest, WholeSetsAreExactAndNothingIsUnknown) {
  const SetSketch a = Of(Numbers(0, 30), "bottom-k:64"), b = Of(Numbers(10, 40), "bottom-k:64");
  EXPECT_EQ(a.EstimateResemblance(b)->value, 0.5);
  EXPECT_EQ(a.EstimateResemblance(b)->standard_error, 0);
  const SetSketch none = Of({}, "mod-m:8");
  EXPECT_EQ(none.EstimateResemblance(none)->value, 0);
  EXPECT_EQ(none.EstimateResemblance(none)->standard_error, 1) << "nothing was seen";
}

/// Computes the standard error as defined in docs/format/sketch-v1.md.
double ErrorOf(const SampleEstimate& estimate, double drawn) {
  const auto n = static_cast<double>(estimate.seen);
  const double p = (static_cast<double>(estimate.common) + .5) / (n + 1);
  return std::sqrt(p * (1 - p) * (1 - drawn) / n);
}

TEST(SetSketchApiTest, StandardErrorsAreThoseOfDrawingWithoutReplacement) {
  const auto a = Numbers(0, 600), b = Numbers(200, 1000);
  for (const char* name : {"mod-m:8", "fracminhash:8"}) {
    const SetSketch x = Of(a, name), y = Of(b, name);
    const auto j = *x.EstimateResemblance(y), ab = *x.EstimateContainment(y),
               ba = *y.EstimateContainment(x);
    EXPECT_EQ(ab.seen, x.values().size()) << "features of the sample of A";
    EXPECT_EQ(ba.seen, y.values().size());
    EXPECT_EQ(j.seen, ab.seen + ba.seen - j.common);
    EXPECT_EQ(ab.value, static_cast<double>(j.common) / static_cast<double>(ab.seen));
    for (const auto& estimate : {j, ab, ba}) {
      EXPECT_DOUBLE_EQ(estimate.standard_error, ErrorOf(estimate, 1. / 8));
    }
    const auto count = x.EstimateFeatureCount();
    EXPECT_DOUBLE_EQ(count.standard_error, std::sqrt(count.features * 7));
  }
  const SetSketch x = Of(a, "bottom-k:64"), y = Of(b, "bottom-k:64");
  SetSketch both = x;
  ASSERT_TRUE(both.Merge(y));
  const double drawn = (static_cast<double>(both.values().back()) + 1) * 0x1p-64;
  EXPECT_DOUBLE_EQ(x.EstimateResemblance(y)->standard_error,
                   ErrorOf(*x.EstimateResemblance(y), drawn));
  EXPECT_DOUBLE_EQ(x.EstimateContainment(y)->standard_error,
                   ErrorOf(*x.EstimateContainment(y), drawn));
  const auto count = x.EstimateFeatureCount();
  EXPECT_DOUBLE_EQ(count.standard_error, count.features / std::sqrt(62.));
  const auto few = Of(Numbers(0, 63), "bottom-k:64").EstimateFeatureCount();
  EXPECT_EQ(few.features, 63);
  EXPECT_EQ(few.standard_error, 0);
}

TEST(SetSketchApiTest, OfNothingInAllThereIsNothingToEstimate) {
  const SetSketch none = Of({}, "bottom-k:64");
  EXPECT_EQ(none.EstimateResemblance(none)->value, 0);
  EXPECT_EQ(none.EstimateResemblance(none)->standard_error, 0) << "all was seen";
}

/// Returns the bytes of a sketch with given values and a correct checksum.
std::string Stored(SetSketchKind kind, uint32_t parameter, std::vector<uint64_t> values,
                   const char* shingle = "word:5") {
  StoredSketch stored;
  stored.kind = static_cast<uint8_t>(kind);
  stored.fingerprint_version = kFingerprintVersion;
  stored.shingle = shingle;
  stored.parameter = parameter;
  stored.values = std::move(values);
  return EncodeSketch(stored);
}

TEST(SetSketchApiTest, ValuesThatNoSampleHasAreRefused) {
  EXPECT_TRUE(SetSketch::FromBytes(Stored(SetSketchKind::kBottomK, 2, {1, 2})));
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kBottomK, 2, {1, 2, 3}))) << "too many";
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kBottomK, 2, {2, 1})));
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kBottomK, 2, {1, 1})));
  EXPECT_TRUE(SetSketch::FromBytes(Stored(SetSketchKind::kModM, 8, {8, 16, 24})));
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kModM, 8, {8, 17, 24})));
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kFracMinHash, 8, {UINT64_MAX / 8 + 1})));
  EXPECT_FALSE(SetSketch::FromBytes(Stored(SetSketchKind::kModM, 8, {8}, "word:0")));
}

TEST(SetSketchApiTest, SeedsAreToldApart) {
  Options other = With("mod-m:8");
  other.seed = 7;
  SetSketch a = Of(Numbers(0, 9), "mod-m:8");
  const Status merged = a.Merge(*SetSketch::OfFeatures(Numbers(0, 9), other));
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().what.find("seed 0 and 7"), std::string::npos) << merged.error().what;
}

TEST(SetSketchApiTest, AddingFeaturesIsTheSketchOfAll) {
  for (const char* name : kSketches) {
    SetSketch sketch = Of({}, name);
    EXPECT_TRUE(sketch.Add(Numbers(0, 300)));
    EXPECT_TRUE(sketch.Add(Numbers(200, 500)));
    EXPECT_TRUE(sketch.Add({}));
    EXPECT_EQ(sketch, Of(Numbers(0, 500), name));
  }
}

TEST(SetSketchApiTest, MergesAndNamesDifferences) {
  for (const char* name : kSketches) {
    SetSketch a = Of(Numbers(0, 300), name);
    ASSERT_TRUE(a.Merge(Of(Numbers(200, 500), name)));
    EXPECT_EQ(a, Of(Numbers(0, 500), name));
  }
  SetSketch a = Of(Numbers(0, 300), "mod-m:8");
  const SetSketch before = a;
  const Status merged = a.Merge(Of(Numbers(0, 300), "mod-m:9"));
  ASSERT_FALSE(merged);
  EXPECT_NE(merged.error().what.find("mod-m:8"), std::string::npos);
  EXPECT_NE(merged.error().what.find("mod-m:9"), std::string::npos);
  EXPECT_EQ(a, before);
}

TEST(SetSketchApiTest, OtherSketchesAreRefused) {
  EXPECT_FALSE(SetSketch::OfFeatures({}, With("fss:128")));
  EXPECT_FALSE(Sketch::OfFeatures({}, With("mod-m:8")));
  EXPECT_FALSE(SetSketch::OfText("a b c", With("mod-m:0")));
  EXPECT_TRUE(SetSketch::OfText("", With("mod-m:8"))->values().empty());
}

}  // namespace
}  // namespace lookalike
