#include "run/document_sketch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/sketch_bytes.h"
#include "lookalike/sketch.h"
#include "stages/sketch/estimate.h"

namespace lookalike {
namespace {

Document OfText(std::string_view text) {
  Document document;
  document.text = text;
  return document;
}

TEST(DocumentSketchTest, OfATextIsTheSketchOfItsFeatures) {
  DocumentSketcher sketcher({}, {{64, SketchKind::kFss}, 32});
  const std::string text = "one two three four five six seven one two three four five";
  const DocumentSketch made = sketcher.Make(OfText(text));
  EXPECT_EQ(made.features, 7u) << "eight runs of five words, one of them twice";
  Options options;
  options.sketch = "fss:64";
  const auto sketch = Sketch::OfText(text, options);
  EXPECT_EQ(std::vector(made.coordinates.begin(), made.coordinates.end()),
            std::vector(sketch->coordinates().begin(), sketch->coordinates().end()));
  EXPECT_FALSE(made.repaired);
  EXPECT_TRUE(sketcher.Make(OfText("\xff word")).repaired);
  EXPECT_EQ(sketcher.Make(OfText("?!")).features, 0u);
  EXPECT_TRUE(sketcher.Make(OfText("")).coordinates.empty());
}

TEST(DocumentSketchTest, AStoredOneIsThatOfTheText) {
  for (const uint32_t bits : {1U, 8U, 16U, 32U}) {
    DocumentSketcher sketcher({}, {{16, SketchKind::kPermutations}, bits});
    const DocumentSketch made = sketcher.Make(OfText("one two three four five six seven"));
    const std::vector<uint32_t> expected(made.coordinates.begin(), made.coordinates.end());
    for (const uint32_t value : expected) EXPECT_LE(value, UINT32_MAX >> (32 - bits));
    std::string packed;
    AppendPacked(expected, bits, &packed);
    Document stored;
    stored.sketch = packed;
    stored.features = 3;
    const DocumentSketch read = sketcher.Make(stored);
    EXPECT_EQ(read.features, 3u);
    EXPECT_EQ(std::vector(read.coordinates.begin(), read.coordinates.end()), expected);
  }
}

TEST(DocumentSketchTest, WordsHoldTheNumberOfFeaturesAndTwoCoordinatesEach) {
  const std::vector<uint32_t> coordinates = {1, 2, 3, 0xffffffff};
  std::vector<uint64_t> words = {99};
  AppendStored({5, coordinates, {}, false}, &words);
  EXPECT_EQ(words, (std::vector<uint64_t>{99, 5, 0x200000001, 0xffffffff00000003}));
  words.clear();
  AppendStored({5, std::span(coordinates).first(3), {}, false}, &words);
  EXPECT_EQ(words, (std::vector<uint64_t>{5, 0x200000001, 3}));
}

TEST(DocumentSketchTest, OfASampleAreItsValues) {
  const SetSketchSpec sample{SetSketchKind::kModM, 2};
  DocumentSketcher sketcher({}, {{}, 32, sample});
  const DocumentSketch made = sketcher.Make(OfText("one two three four five six seven eight"));
  EXPECT_EQ(made.features, 4u);
  EXPECT_TRUE(made.coordinates.empty());
  for (const uint64_t value : made.sample) EXPECT_EQ(value % 2, 0u);
  const std::vector<uint64_t> values = {2, 4, 800};
  Document stored;
  stored.sketch = {reinterpret_cast<const char*>(values.data()), 24};
  stored.features = 9;
  const DocumentSketch read = sketcher.Make(stored);
  EXPECT_EQ(std::vector(read.sample.begin(), read.sample.end()), values);
  std::vector<uint64_t> words;
  AppendStored(read, &words);
  EXPECT_EQ(words, (std::vector<uint64_t>{9, 2, 4, 800}));
}

TEST(KeyCoordinatesTest, AreTheOwnOnesWhereTheseMakeKeys) {
  const std::vector<uint32_t> coordinates = {4, 3, 2, 1};
  const DocumentSketch sketch = {9, coordinates, {}, false};
  for (const uint32_t bits : {8U, 16U, 32U}) {
    KeyCoordinates keys({{16, SketchKind::kFss}, bits});
    EXPECT_EQ(keys.Of(sketch).data(), coordinates.data());
  }
  KeyCoordinates keys({{16, SketchKind::kFss}, 4});
  EXPECT_EQ(keys.Of(sketch).size(), 128u);
}

/// Expects the share of equal key coordinates in two sketches to be as promised.
void ExpectShare(const KeptSketch& kept, const DocumentSketch& a, const DocumentSketch& b,
                 double threshold) {
  KeyCoordinates of_a(kept), of_b(kept);
  const auto x = of_a.Of(a), y = of_b.Of(b);
  ASSERT_EQ(x.size(), y.size());
  double equal = 0;
  for (size_t i = 0; i < x.size(); ++i) equal += x[i] == y[i];
  const double share = equal / static_cast<double>(x.size());
  EXPECT_GT(share, kept.KeyThreshold(threshold) - 0.12);
}

TEST(KeyCoordinatesTest, AreEqualAsOftenAsThePlanSays) {
  std::vector<uint64_t> a, b;
  for (uint64_t i = 0; i < 100; ++i) {
    if (i < 90) a.push_back(16 * OrderOf(i) / 16);
    if (i >= 10) b.push_back(16 * OrderOf(i) / 16);
  }
  ExpectShare({{}, 32, SetSketchSpec{SetSketchKind::kModM, 1}}, {90, {}, a, false},
              {90, {}, b, false}, 0.8);
  std::vector<uint32_t> c(512), d(512);
  for (uint32_t i = 0; i < 512; ++i) {
    c[i] = i % 3;
    d[i] = i < 460 ? i % 3 : 3 - i % 3;  // 52 differ: .9 are equal
  }
  ExpectShare({{512, SketchKind::kFss}, 2}, {9000, c, {}, false}, {9000, d, {}, false}, 0.86);
}

TEST(KeyThresholdTest, IsThatOfWhatKeysAreMadeOf) {
  const KeptSketch whole = {{128, SketchKind::kFss}, 32};
  EXPECT_EQ(whole.KeyThreshold(0.8), 0.8);
  const KeptSketch mod = {{}, 32, SetSketchSpec{SetSketchKind::kModM, 25}};
  EXPECT_EQ(mod.KeyThreshold(0.8), 0.8);
  const KeptSketch bottom = {{}, 32, SetSketchSpec{SetSketchKind::kBottomK, 64}};
  EXPECT_NEAR(bottom.KeyThreshold(0.8), 0.8 / 1.2, 1e-9);
  const KeptSketch bit = {{128, SketchKind::kFss}, 1};
  EXPECT_NEAR(bit.KeyThreshold(0.8), 0.9 / 1.1, 1e-9);
}

}  // namespace
}  // namespace lookalike
