#include "fingerprint/feature_extractor.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stages/candidates/band_keys.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"
#include "vectors/escaped_text.h"

namespace lookalike {
namespace {

// `shingle` may be followed by " hash=rabin".
std::vector<uint64_t> FeaturesOf(std::string_view text, std::string_view shingle,
                                 uint64_t seed = 0) {
  const size_t end = std::min(shingle.find(' '), shingle.size());
  const Result<ShingleSpec> spec = ParseShingle(shingle.substr(0, end));
  EXPECT_TRUE(spec.has_value()) << shingle;
  const bool rabin = shingle.substr(end) == " hash=rabin";
  FeatureExtractor extractor({.shingle = spec.value_or(ShingleSpec{}),
                              .hash = rabin ? ShingleHash::kRabin : ShingleHash::kMixer,
                              .seed = seed});
  const auto features = extractor.Features(text);
  return {features.begin(), features.end()};
}

std::string NumberedWords(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += fmt::format("w{} ", i);
  return text;
}

// --- The pinned vectors -------------------------------------------------------------------------

std::vector<std::string> Columns(const std::string& line) {
  std::vector<std::string> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    columns.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return columns;
}

// Returns the first four values and the XXH3-64 of all of them.
template <class T>
std::string Digest(const std::vector<T>& values) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(4, values.size()); ++i) {
    text += fmt::format("{:0{}x},", values[i], 2 * sizeof(T));
  }
  return text + fmt::format("{:016x}", XXH3_64bits(values.data(), values.size() * sizeof(T)));
}

// Returns all values if there are at most 100.
std::string AllOf(const std::vector<uint64_t>& values) {
  if (values.size() > 100) return Digest(values);
  std::string text;
  for (const uint64_t value : values)
    text += fmt::format("{}{:016x}", text.empty() ? "" : ",", value);
  return text.empty() ? "-" : text;
}

std::string SketchColumns(const std::vector<uint64_t>& features) {
  std::string columns;
  for (const uint32_t k : {16U, 1024U, 128U}) {
    Sketcher sketcher(SketchSpec{k});
    const auto span = sketcher.Run(features);
    const std::vector<uint32_t> sketch(span.begin(), span.end());
    columns += "\t" + Digest(sketch);
    if (k != 128) continue;
    std::vector<uint8_t> codes(CodeCount(k));
    MakeCodes(sketch, codes.data());
    columns += "\t" + Digest(codes);
    for (const char* text : {"overlapping:128:8:32", "bands:16x8"}) {
      const Design design = *ParseDesign(text);
      std::vector<uint64_t> keys(design.keys);
      MakeBandKeys(design, sketch, keys);
      columns += "\t" + Digest(keys);
    }
  }
  for (const SketchKind kind : {SketchKind::kPermutations, SketchKind::kOnePermutation}) {
    Sketcher sketcher(SketchSpec{128, kind});
    const auto sketch = sketcher.Run(features);
    columns += "\t" + Digest(std::vector<uint32_t>(sketch.begin(), sketch.end()));
  }
  return columns;
}

// Returns the line recomputed from its inputs, its first three columns.
std::string Recomputed(const std::string& line) {
  std::vector<std::string> columns = Columns(line);
  columns.resize(std::max<size_t>(3, columns.size()));
  const uint64_t seed = std::stoull(columns[1]);
  const auto features = FeaturesOf(Unescape(columns[2]), columns[0].c_str(), seed);
  const StreamHash stream = HashStream(features);
  std::string expected = columns[0] + "\t" + columns[1] + "\t" + columns[2];
  expected += fmt::format("\t{}\t{:016x}{:016x}", AllOf(features), stream.high, stream.low);
  return expected + (features.empty() ? "\t-\t-\t-\t-\t-\t-\t-\t-" : SketchColumns(features));
}

TEST(FingerprintVectorsTest, EveryVectorHolds) {
  std::ifstream file(LOOKALIKE_TEST_DATA "/fingerprint_v1.tsv");
  const std::string copy = ::testing::TempDir() + "fingerprint_v1.tsv";
  std::ofstream recomputed(copy);
  size_t vectors = 0, wrong = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      recomputed << line << '\n';
      continue;
    }
    const std::string expected = Recomputed(line);
    recomputed << expected << '\n';
    ++vectors;
    wrong += line != expected;
    EXPECT_EQ(line.substr(0, 400), expected.substr(0, 400));
  }
  EXPECT_GE(vectors, 36u);
  EXPECT_EQ(wrong, 0u) << "the fingerprint changed: a new version, or a mistake; what the code "
                          "makes now is in "
                       << copy;
}

// The example of docs/format/fingerprint-v1.md, value by value.
TEST(FingerprintVectorsTest, TheWorkedExample) {
  const auto features = FeaturesOf("one two three four five six", "word:5");
  EXPECT_EQ(features, (std::vector<uint64_t>{0x1f10da5366eed9db, 0xd6ade92ce1aba726}));
  Sketcher sketcher(SketchSpec{16});
  const auto span = sketcher.Run(features);
  const std::vector<uint32_t> sketch(span.begin(), span.end());
  const std::vector<uint32_t> coordinates = {0x7518a489, 0x00da5366, 0x2dd48f59, 0x33bbd6b2,
                                             0x4bdba667, 0x2911a4e1, 0x82649afd, 0x81a145eb,
                                             0x0b84737d, 0x089520da, 0x5bf129a7, 0x4f883001,
                                             0x11b00c05, 0x05e92ce1, 0x5fce021c, 0x38a8ba98};
  EXPECT_EQ(sketch, coordinates);
  std::vector<uint8_t> codes(16);
  MakeCodes(sketch, codes.data());
  EXPECT_EQ(codes, (std::vector<uint8_t>{0x83, 0xa7, 0xe1, 0x89, 0x96, 0x06, 0x27, 0xea, 0x87, 0x06,
                                         0x93, 0x4a, 0x1b, 0xce, 0x58, 0xd3}));
  std::vector<uint64_t> keys(2);
  MakeBandKeys(*ParseDesign("bands:2x8"), sketch, keys);
  EXPECT_EQ(keys, (std::vector<uint64_t>{0xe3e281b7e0d8df47, 0xd98fe68b9e6f3277}));
}

// --- What holds for every text ------------------------------------------------------------------

TEST(FeatureExtractorTest, ShingleCount) {
  for (const size_t window : {size_t{1}, size_t{2}, size_t{5}, size_t{31}, size_t{64}}) {
    const std::string shingle = fmt::format("word:{}", window);
    for (size_t words = 0; words <= 70; ++words) {
      const size_t expected = words == 0 ? 0 : words < window ? 1 : words - window + 1;
      const auto features = FeaturesOf(NumberedWords(words), shingle.c_str());
      ASSERT_EQ(features.size(), expected) << shingle << ", " << words << " words";
      const std::set<uint64_t> distinct(features.begin(), features.end());
      ASSERT_EQ(distinct.size(), expected) << "distinct words make distinct shingles";
    }
  }
}

TEST(FeatureExtractorTest, CharacterShingleCount) {
  EXPECT_EQ(FeaturesOf("abcdabd", "char:2").size(), 6u);
  const auto features = FeaturesOf("abcdabd", "char:2");
  EXPECT_EQ(std::set<uint64_t>(features.begin(), features.end()).size(), 5u);
  EXPECT_EQ(features[0], features[4]);
  EXPECT_EQ(FeaturesOf("Grüße", "char:3").size(), 4u) << "units are code points after folding";
  EXPECT_EQ(FeaturesOf("ab", "char:3").size(), 1u);
  EXPECT_TRUE(FeaturesOf(" \t ", "char:3").empty());
}

// [2] of the seed documents: 5 windows of which 3 are distinct.
TEST(FeatureExtractorTest, ARoseIsARoseIsARose) {
  const auto features = FeaturesOf("A rose is a rose, is a ROSE.", "word:4");
  ASSERT_EQ(features.size(), 5u);
  EXPECT_EQ(features[0], features[3]);
  EXPECT_EQ(features[1], features[4]);
  std::vector<uint64_t> set;
  MakeFeatureSet(features, &set);
  EXPECT_EQ(set.size(), 3u);
  EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
}

TEST(FeatureExtractorTest, AWindowSeesItsUnitsAndTheirOrderOnly) {
  for (size_t window = 1; window <= 64; ++window) {
    const std::string shingle = fmt::format("word:{}", window);
    const std::string text = NumberedWords(window);
    const uint64_t feature = FeaturesOf(text, shingle.c_str()).at(0);
    EXPECT_EQ(FeaturesOf("before " + text + "after", shingle.c_str()).at(1), feature);
    std::set<uint64_t> changed = {feature};
    for (size_t i = 0; i < window; ++i) {
      std::string other = text;
      other.replace(other.find(fmt::format("w{} ", i)), 1, "x");
      changed.insert(FeaturesOf(other, shingle.c_str()).at(0));
    }
    EXPECT_EQ(changed.size(), window + 1) << "every unit counts";
    if (window < 2) continue;
    for (size_t i = 0; i + 1 < window; ++i) {  // neighbours change places
      const std::string pair = fmt::format("w{} w{} ", i, i + 1);
      std::string other = text;
      other.replace(other.find(pair), pair.size(), fmt::format("w{} w{} ", i + 1, i));
      changed.insert(FeaturesOf(other, shingle.c_str()).at(0));
    }
    EXPECT_EQ(changed.size(), 2 * window) << "order counts";
  }
}

// A short text is one shingle of all its words, unlike any of full length, even if the rest hashes
// to 0.
TEST(FeatureExtractorTest, ShortTextsAreShinglesOfTheirOwn) {
  std::set<uint64_t> seen;
  for (size_t words = 1; words <= 8; ++words) {
    const std::string text = NumberedWords(words);
    seen.insert(FeaturesOf(text, "word:8").at(0));
    if (words == 8) break;
    seen.insert(FeaturesOf(text, fmt::format("word:{}", words).c_str()).at(0));
  }
  EXPECT_EQ(seen.size(), 8u + 7u);
  EXPECT_EQ(FeaturesOf("w0 w1", "word:5").size(), 1u);
  EXPECT_NE(FeaturesOf("w0 w1", "word:5"), FeaturesOf("w1 w0", "word:5"));
  EXPECT_EQ(FeaturesOf("W0, w1!", "word:5"), FeaturesOf("w0 w1", "word:5"));
}

TEST(FeatureExtractorTest, WordsOfEveryLengthAreToldApart) {
  std::set<uint64_t> seen;
  size_t expected = 0;
  for (size_t length = 1; length <= 40; ++length) {
    const std::string word(length, 'a');
    seen.insert(FeaturesOf(word, "word:1").at(0));
    ++expected;
    for (size_t i = 0; i < length; ++i, ++expected) {  // every byte counts
      std::string other = word;
      other[i] = 'b';
      seen.insert(FeaturesOf(other, "word:1").at(0));
    }
  }
  EXPECT_EQ(seen.size(), expected);
}

TEST(FeatureExtractorTest, WhatFollowsAWordDoesNotCount) {
  for (const size_t length :
       {size_t{1}, size_t{7}, size_t{8}, size_t{15}, size_t{16}, size_t{17}}) {
    const std::string word(length, 'q');
    const uint64_t alone = FeaturesOf(word, "word:1").at(0);
    EXPECT_EQ(FeaturesOf(word + "! zzzzzzzzzzzzzzzzzzz", "word:1").at(0), alone) << length;
    EXPECT_EQ(FeaturesOf("... " + word + "\n", "word:1").at(0), alone) << length;
  }
}

TEST(FeatureExtractorTest, TheSeedChangesEveryFeature) {
  const std::string text = NumberedWords(200);
  std::set<uint64_t> seen;
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{2}, UINT64_MAX}) {
    for (const uint64_t feature : FeaturesOf(text, "word:5", seed)) seen.insert(feature);
    seen.insert(FeaturesOf("two words", "word:5", seed).at(0));
  }
  EXPECT_EQ(seen.size(), 4 * (196 + 1));
}

TEST(FeatureExtractorTest, EqualTextsAfterNormalisationHaveEqualFeatures) {
  const auto features = FeaturesOf("The CAFÉ isn’t open — ﬁve o'clock", "word:3");
  EXPECT_EQ(FeaturesOf("  the cafe\u0301 ISN'T\n\topen: five o clock!", "word:3"), features);
  EXPECT_NE(FeaturesOf("the cafe isn't open: five o clock", "word:3"), features);
}

TEST(FeatureExtractorTest, OneObjectServesManyTexts) {
  FeatureExtractor extractor(FeatureSpec{});
  const std::vector<std::string> texts = {NumberedWords(300), "", "a b c d e f", "x",
                                          NumberedWords(7)};
  for (const std::string& text : texts) {
    const auto features = extractor.Features(text);
    EXPECT_EQ(std::vector<uint64_t>(features.begin(), features.end()), FeaturesOf(text, "word:5"));
  }
}

// ASCII text takes a fast path, which must give the same result.
TEST(FeatureExtractorTest, TheWayOfAsciiTextGivesEqualFeatures) {
  std::mt19937_64 random(1);
  Normalizer normalizer;
  FeatureExtractor fast{FeatureSpec{}}, slow{FeatureSpec{}};
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 400, ' ');
    for (char& c : text) {
      c = static_cast<char>(i % 2 == 0 ? random() % 128 : "aZ_9 .@[`{/:eE"[random() % 14]);
    }
    const auto x = fast.Features(text);
    const auto y = slow.FeaturesOfNormalized(normalizer.Run(text));
    ASSERT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << text;
  }
}

TEST(FeatureExtractorTest, LongTextsAreFoldedInParts) {
  constexpr size_t kPart = size_t{1} << 20;
  std::string text = NumberedWords(kPart / 3);
  for (size_t at = kPart - 300; at + 300 < text.size(); at += kPart / 2) {
    text.replace(at, 60, "Stra\u00dfe -\u4e2d\u6587 \u00a0 3 \u2014 " + std::string(37, 'x'));
  }
  text += std::string(kPart, 'y') + " end";
  ASSERT_GT(text.size(), 3 * kPart);
  for (const ShingleHash hash : {ShingleHash::kMixer, ShingleHash::kRabin}) {
    const FeatureSpec spec = {.shingle = *ParseShingle("word:3"), .hash = hash};
    FeatureExtractor extractor(spec), other(spec);
    for (const char* const last : {"", " one more", " e\u0301t\u00e9", " ill-formed \xff"}) {
      const std::string whole = text + last;
      const auto features = extractor.Features(whole);
      EXPECT_EQ(extractor.replaced_invalid(), whole.back() == '\xff');
      Normalizer normalizer(spec.FormToRead());
      std::string normalized(normalizer.Run(whole));
      const size_t size = normalized.size();
      normalized.append(64, '\0');
      const auto expected =
          other.FeaturesOfNormalized(std::string_view(normalized).substr(0, size));
      ASSERT_TRUE(std::equal(features.begin(), features.end(), expected.begin(), expected.end()));
      EXPECT_EQ(extractor.Features("of a short text").size(), 2);
    }
  }
}

TEST(FeatureExtractorTest, InvalidTextIsSaidOfTheLastTextOnly) {
  FeatureExtractor extractor{FeatureSpec{}};
  for (const auto& [text, invalid] : {std::pair{"a\xFF", true}, std::pair{"plain", false},
                                      std::pair{"\xC3", true}, std::pair{"é", false}}) {
    (void)extractor.Features(text);
    EXPECT_EQ(extractor.replaced_invalid(), invalid) << text;
  }
}

TEST(FeatureExtractorTest, StreamHashSeesOrderAndRepetition) {
  const std::vector<uint64_t> ab = {1, 2}, ba = {2, 1}, abb = {1, 2, 2};
  EXPECT_NE(HashStream(ab), HashStream(ba));
  EXPECT_NE(HashStream(ab), HashStream(abb));
  EXPECT_EQ(HashStream(ab), HashStream(std::vector<uint64_t>{1, 2}));
}

TEST(FeatureExtractorTest, MakeFeatureSetForgetsWhatWasThere) {
  std::vector<uint64_t> set = {9, 9, 9, 9, 9};
  MakeFeatureSet(std::vector<uint64_t>{5, 1, 5, 3, 1}, &set);
  EXPECT_EQ(set, (std::vector<uint64_t>{1, 3, 5}));
  MakeFeatureSet({}, &set);
  EXPECT_TRUE(set.empty());
  std::vector<uint64_t> fresh;
  MakeFeatureSet({}, &fresh);
  EXPECT_TRUE(fresh.empty());
}

std::vector<uint64_t> PageFeatures(HtmlMode pages, std::string_view text, TextKind kind) {
  FeatureExtractor extractor({.shingle = {ShingleSpec::Kind::kWord, 2}, .pages = pages});
  const auto features = extractor.Features(text, kind);
  return {features.begin(), features.end()};
}

// The option and the input's own statement decide whether a text is read as a page.
TEST(FeatureExtractor, PagesAreReadByModeAndKind) {
  const std::string_view page = "<p>one<b>two</b><script>no</script> <a href=u>three</a> four";
  using enum TextKind;
  const auto off = PageFeatures(HtmlMode::kOff, page, kUnknown);
  const auto visible = PageFeatures(HtmlMode::kOff, "onetwo three four", kPlain);
  const auto altavista = PageFeatures(HtmlMode::kOff, "onetwo u three four", kPlain);
  EXPECT_EQ(PageFeatures(HtmlMode::kAuto, page, kUnknown), off);
  EXPECT_EQ(PageFeatures(HtmlMode::kAuto, page, kPlain), off);
  EXPECT_EQ(PageFeatures(HtmlMode::kAuto, page, kHtml), visible);
  EXPECT_EQ(PageFeatures(HtmlMode::kOff, page, kHtml), off);
  EXPECT_EQ(PageFeatures(HtmlMode::kVisible, page, kUnknown), visible);
  EXPECT_EQ(PageFeatures(HtmlMode::kVisible, page, kPlain), off);
  EXPECT_EQ(PageFeatures(HtmlMode::kAltaVista, page, kUnknown), altavista);
  EXPECT_EQ(PageFeatures(HtmlMode::kAltaVista, page, kHtml), altavista);
  EXPECT_EQ(PageFeatures(HtmlMode::kAltaVista, page, kPlain), off);
}

}  // namespace
}  // namespace lookalike
