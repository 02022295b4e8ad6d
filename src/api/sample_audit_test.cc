#include "lookalike/sample_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/must.h"

namespace lookalike {
namespace {

constexpr uint64_t kFirst = uint64_t{1} << 60;  // numbers are above what 40 bits hold

Engine MakeEngine(uint64_t reference_end = 0) {
  Options options;
  options.shingle = "word:1";
  options.threshold = 0.5;
  options.min_features = 3;
  return Must(Engine::Create(options, 1000, EngineGoal::kKeep, reference_end));
}

/// Texts of some of 24 words; later ones of two words, which are in no pair.
std::vector<std::string> RandomTexts(size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::string> texts(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t words = i >= 40 && i % 10 == 0 ? 2 : 5 + random() % 20;
    for (size_t k = 0; k < words; ++k) texts[i] += "w" + std::to_string(random() % 24) + " ";
  }
  return texts;
}

Extracted Extract(const Engine& engine, const std::vector<std::string>& texts) {
  return Must(engine.Extract(std::vector<std::string_view>(texts.begin(), texts.end())));
}

std::vector<uint64_t> Numbers(size_t first, size_t count) {
  std::vector<uint64_t> numbers(count);
  for (size_t i = 0; i < count; ++i) numbers[i] = kFirst + first + i;
  return numbers;
}

/// Compares all rows with the first `sampled` ones that have a set, in blocks.
SimilarColumns Compare(const Engine& engine, const Extracted& rows, size_t sampled) {
  SampledSets sample;
  const std::vector<uint64_t> documents = Numbers(0, sampled);
  sample.documents = documents;
  sample.features = rows.sets.features;
  sample.offsets = std::span(rows.sets.offsets).first(sampled + 1);
  sample.words = std::span(rows.words).first(sampled * engine.words());
  SampleComparison comparison = Must(SampleComparison::Create(engine, sample));
  const ExtractedView all = rows;
  constexpr size_t kBlock = 64;
  for (size_t first = 0; first < all.size(); first += kBlock) {
    const size_t count = std::min<size_t>(kBlock, all.size() - first);
    ExtractedView block;
    block.features = all.features;
    block.offsets = all.offsets.subspan(first, count + 1);
    block.searched = all.searched.subspan(first, count);
    block.words = all.words.subspan(first * engine.words(), count * engine.words());
    EXPECT_TRUE(comparison.Add(Numbers(first, count), block));
  }
  return comparison.Take();
}

double ResemblanceOf(const ExtractedView& rows, size_t a, size_t b) {
  const auto set = [&](size_t i) {
    return rows.features.subspan(rows.offsets[i], rows.offsets[i + 1] - rows.offsets[i]);
  };
  const std::set<uint64_t> left(set(a).begin(), set(a).end());
  const auto common = static_cast<double>(std::count_if(
      set(b).begin(), set(b).end(), [&](uint64_t feature) { return left.contains(feature); }));
  return common / (static_cast<double>(set(a).size() + set(b).size()) - common);
}

using Found = std::set<std::pair<uint32_t, uint64_t>>;

Found FoundIn(const SimilarColumns& columns) {
  Found found;
  for (size_t i = 0; i < columns.sample.size(); ++i) {
    EXPECT_TRUE(found.emplace(columns.sample[i], columns.document[i]).second);
  }
  return found;
}

/// The pairs of a sampled document and another one, by comparing all, without those of a reference.
Found TrueOnes(const Extracted& rows, size_t sampled, uint64_t reference) {
  Found pairs;
  const ExtractedView view = rows;
  for (uint32_t s = 0; s < sampled; ++s) {
    for (uint64_t i = 0; i < view.size(); ++i) {
      if (i == s || view.searched[i] == SearchedBy::kNothing) continue;
      if (i < reference && s < reference) continue;
      if (ResemblanceOf(view, s, i) >= 0.5) pairs.emplace(s, kFirst + i);
    }
  }
  return pairs;
}

TEST(SampleAuditTest, FindsWhatAComparisonOfAllFinds) {
  for (const uint64_t reference : {uint64_t{0}, uint64_t{20}}) {
    const Engine engine = MakeEngine(reference == 0 ? 0 : kFirst + reference);
    const Extracted rows = Extract(engine, RandomTexts(400));
    const SimilarColumns similar = Compare(engine, rows, 40);
    const Found expected = TrueOnes(rows, 40, reference);
    EXPECT_GT(expected.size(), 100U);
    EXPECT_EQ(FoundIn(similar), expected);
    for (uint32_t i = 0; i < 40; ++i) {
      const auto is_of = [&](const auto& pair) { return pair.first == i; };
      EXPECT_EQ(similar.similar[i],
                static_cast<uint64_t>(std::count_if(expected.begin(), expected.end(), is_of)));
    }
  }
}

TEST(SampleAuditTest, PairsThatGuardsExcludeAreNotSimilar) {
  const auto texts = RandomTexts(400);
  std::vector<FieldText> values(2 * texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    values[2 * i] = std::to_string(i % 3);       // a language, which must be the same
    values[2 * i + 1] = std::to_string(i % 17);  // a site, which must be another
  }
  Options options = MakeEngine().options();
  options.differ = {"lang"};
  options.not_same = {"site"};
  const Engine engine = Must(Engine::Create(options, 1000));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const Extracted rows = Must(engine.Extract(views, {}, SetsOf::kAll, values));
  Found expected;
  size_t excluded = 0;
  for (const auto& [sample, document] : TrueOnes(rows, 40, 0)) {
    const uint64_t other = document - kFirst;
    if (sample % 3 == other % 3 && sample % 17 != other % 17) {
      expected.emplace(sample, document);
    } else {
      ++excluded;
    }
  }
  EXPECT_GT(expected.size(), 30U);
  EXPECT_GT(excluded, 30U);
  EXPECT_EQ(FoundIn(Compare(engine, rows, 40)), expected);
}

TEST(SampleAuditTest, OfVerySimilarDocumentsThoseWithTheSmallestDrawsAreNamed) {
  const Engine engine = MakeEngine();
  const std::vector<std::string> texts(500, "the same five words here");
  const SimilarColumns similar = Compare(engine, Extract(engine, texts), 2);
  EXPECT_EQ(similar.similar, (std::vector<uint64_t>{499, 499}));
  ASSERT_EQ(similar.sample.size(), 2 * SampleComparison::kNamed);
  EXPECT_EQ(FoundIn(similar).size(), similar.sample.size());
  // Draws are uniform: of 499, the largest of the 128 smallest is at about a quarter of the range.
  const auto of_first = std::span(similar.draw).first(SampleComparison::kNamed);
  const double largest = static_cast<double>(*std::max_element(of_first.begin(), of_first.end()));
  EXPECT_NEAR(largest / 0x1p64, 128.0 / 499, 0.08);
}

// Texts of 60 words of their own, and for each some with changed words, below and above the
// threshold.
std::vector<std::string> FamiliesOfTexts(size_t families, size_t members) {
  std::vector<std::string> texts;
  for (size_t family = 0; family < families; ++family) {
    for (size_t changed = 0; changed < members; ++changed) {
      std::string text;
      for (size_t word = 0; word < 60; ++word) {
        text += word < changed ? "m" + std::to_string(changed) : "f";
        text += "x" + std::to_string(family) + "y" + std::to_string(word) + " ";
      }
      texts.push_back(text);
    }
  }
  return texts;
}

TEST(SampleAuditTest, CodesRuleOutOthersAndNoSimilarDocument) {
  constexpr size_t kFamilies = 50, kMembers = 60;
  const Engine engine = MakeEngine();
  const Extracted rows = Extract(engine, FamiliesOfTexts(kFamilies, kMembers));
  const ExtractedView view = rows;
  ASSERT_EQ(std::count(view.searched.begin(), view.searched.end(), SearchedBy::kKeys),
            static_cast<ptrdiff_t>(view.size()));
  // The first member of every other family is in the sample.
  std::vector<uint8_t> sampled;
  for (size_t family = 0; family < kFamilies; family += 2) {
    const auto code =
        view.codes.subspan(family * kMembers * engine.code_bytes(), engine.code_bytes());
    sampled.insert(sampled.end(), code.begin(), code.end());
  }
  const std::vector<uint8_t> may = Must(MayReachSample(engine, sampled, view.codes));
  ASSERT_EQ(may.size(), view.size());
  for (size_t i = 0; i < may.size(); ++i) {
    const size_t family = i / kMembers;
    const double resemblance = ResemblanceOf(view, family * kMembers, i);
    const bool of_sample = family % 2 == 0;
    if (of_sample && resemblance >= 0.5) {
      EXPECT_EQ(may[i], 1) << "resemblance " << resemblance;
    } else if (!of_sample || resemblance < 0.1) {
      EXPECT_EQ(may[i], 0) << "resemblance " << resemblance;
    }
  }
}

TEST(SampleAuditTest, CodesOfAWrongSizeAreRefused) {
  const Engine engine = MakeEngine();
  const std::vector<uint8_t> whole(2 * engine.code_bytes()), cut(engine.code_bytes() + 1);
  EXPECT_FALSE(MayReachSample(engine, cut, whole));
  EXPECT_FALSE(MayReachSample(engine, whole, cut));
  EXPECT_EQ(Must(MayReachSample(engine, {}, whole)), (std::vector<uint8_t>{0, 0}));
}

TEST(SampleAuditTest, AnEmptySampleFindsNothing) {
  const Engine engine = MakeEngine();
  const SimilarColumns similar = Compare(engine, Extract(engine, RandomTexts(30)), 0);
  EXPECT_TRUE(similar.sample.empty() && similar.similar.empty());
}

TEST(SampleAuditTest, ColumnsOfDifferentLengthsAreRefused) {
  const Engine engine = MakeEngine();
  const std::vector<uint64_t> documents = {1, 2}, features = {3};
  const std::vector<int64_t> offsets = {0, 1}, wrong = {0, 2, 1};
  EXPECT_FALSE(SampleComparison::Create(engine, {documents, features, offsets}));
  EXPECT_FALSE(SampleComparison::Create(engine, {documents, features, wrong}));
  SampleComparison none =
      Must(SampleComparison::Create(engine, {{}, {}, std::span(offsets).first(1)}));
  const Extracted rows = Extract(engine, RandomTexts(3));
  EXPECT_FALSE(none.Add(documents, rows));
  const std::vector<double> two = {1, 2}, one = {1};
  EXPECT_FALSE(EstimateRecall(two, one, 0.9));
}

TEST(SampleAuditTest, TheRecallIsTheShareOfPairs) {
  const std::vector<double> pairs(50, 10), found(50, 9);
  const RecallAudit audit = Must(EstimateRecall(pairs, found, 0.97));
  EXPECT_DOUBLE_EQ(*audit.estimate, 0.9);
  EXPECT_LT(*audit.low, 0.9);
  EXPECT_LT(*audit.high, 0.97);
  EXPECT_FALSE(audit.met);
  EXPECT_FALSE(Must(EstimateRecall(std::span<const double>(), {}, 0.9)).estimate);
}

}  // namespace
}  // namespace lookalike
