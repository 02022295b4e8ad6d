#include "batch/document_sketch.h"

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
  DocumentSketcher sketcher({}, {64, SketchKind::kFss}, 32);
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
    DocumentSketcher sketcher({}, {16, SketchKind::kPermutations}, bits);
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
  AppendStored({5, coordinates, false}, &words);
  EXPECT_EQ(words, (std::vector<uint64_t>{99, 5, 0x200000001, 0xffffffff00000003}));
  words.clear();
  AppendStored({5, std::span(coordinates).first(3), false}, &words);
  EXPECT_EQ(words, (std::vector<uint64_t>{5, 0x200000001, 3}));
}

}  // namespace
}  // namespace lookalike
