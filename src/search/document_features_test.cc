#include "search/document_features.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace lookalike {
namespace {

/// A job that compares three texts, and reads one field for guards.
Job ThreeTexts() {
  Job job;
  job.choices.text_fields = {{"title", "body", "note"}, {0.8, 0.8, 0.8}};
  job.choices.guards.fields = {"lang"};
  return job;
}

Document DocumentOf(std::string_view title, std::optional<std::string_view> body,
                    std::optional<std::string_view> note, std::string_view lang = "en") {
  Document document;
  document.text = title;
  document.values = {lang, body, note};
  return document;
}

/// The characters of a text as its features.
struct Characters {
  std::vector<uint64_t> features;

  std::span<const uint64_t> operator()(std::string_view text, TextKind /*kind*/) {
    features.assign(text.begin(), text.end());
    return features;
  }
};

std::vector<uint64_t> FeaturesOf(const Job& job, const Document& document) {
  DocumentFeatures maker(job);
  Characters characters;
  const auto features = maker.Of(document, characters);
  return {features.begin(), features.end()};
}

TEST(DocumentFeaturesTest, FieldsFollowOneAnotherInTheirOrder) {
  const Job job = ThreeTexts();
  EXPECT_EQ(FeaturesOf(job, DocumentOf("ab", "a", "c")),
            (std::vector<uint64_t>{'a', 'b', FeatureOfField('a', 1), FeatureOfField('c', 2)}));
  EXPECT_EQ(FeaturesOf(job, DocumentOf("", std::nullopt, "c")),
            (std::vector<uint64_t>{FeatureOfField('c', 2)}));
}

TEST(DocumentFeaturesTest, OneTextIsAsItIs) {
  Job job;
  job.choices.guards.fields = {"lang"};
  Document document;
  document.text = "ab";
  document.values = {"en"};
  EXPECT_EQ(FeaturesOf(job, document), (std::vector<uint64_t>{'a', 'b'}));
}

TEST(DocumentFeaturesTest, EachFieldHasItsShareOfTheSketch) {
  const Job job = ThreeTexts();
  DocumentFeatures maker(job);
  Characters characters;
  const auto features = maker.Of(DocumentOf("t", std::nullopt, "n"), characters);
  std::vector<uint32_t> made;
  const auto sketch_of = [&](std::span<const uint64_t> part) -> std::span<const uint32_t> {
    made.clear();
    const auto field = static_cast<uint32_t>(FieldOf(part.front()));
    for (uint32_t k = 0; k < 8; ++k) made.push_back(100 * (field + 1) + k);
    return made;
  };
  const auto sketch = maker.SketchOf(features, sketch_of);
  const std::vector<uint32_t> all(sketch.begin(), sketch.end());
  EXPECT_EQ(all, (std::vector<uint32_t>{100, 301, 102, 303, 104, 305, 106, 307}));
  const auto whole = maker.Of(DocumentOf("t", "b", "n"), characters);
  const auto of_all = maker.SketchOf(whole, sketch_of);
  EXPECT_EQ((std::vector<uint32_t>(of_all.begin(), of_all.end())),
            (std::vector<uint32_t>{100, 201, 302, 103, 204, 305, 106, 207}));
  const auto body = maker.Of(DocumentOf("", "b", ""), characters);
  EXPECT_EQ(maker.SketchOf(body, sketch_of)[7], 207U);
}

TEST(DocumentFeaturesTest, CopiesWithoutFeaturesHaveEqualBytesInAllTexts) {
  const Job job = ThreeTexts();
  const DocumentFeatures maker(job);
  const auto hash = [&](const Document& document) { return maker.HashBytes(document).low; };
  const uint64_t one = hash(DocumentOf("!", "?", "."));
  EXPECT_EQ(one, hash(DocumentOf("!", "?", ".", "de")));
  EXPECT_NE(one, hash(DocumentOf("!?", "", ".")));
  EXPECT_NE(one, hash(DocumentOf("!", ".", "?")));
  EXPECT_NE(one, hash(DocumentOf("!", "?", std::nullopt)));
  EXPECT_EQ(hash(DocumentOf("!", "", ".")), hash(DocumentOf("!", std::nullopt, ".")));
  EXPECT_NE(maker.TextHash(DocumentOf("!", "?", ".")), maker.TextHash(DocumentOf("!", "?", ",")));
}

}  // namespace
}  // namespace lookalike
