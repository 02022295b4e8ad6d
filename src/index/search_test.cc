#include "index/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/must.h"
#include "index/index_keys.h"
#include "lookalike/index.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

using Random = std::mt19937_64;

IndexSettings Settings(double threshold, Kept kept = Kept::kFeatures) {
  IndexSettings settings;
  settings.options.shingle = "word:1";
  settings.options.threshold = threshold;
  settings.kept = kept;
  settings.clusters = false;
  return settings;
}

Index OpenNew(const IndexSettings& settings) {
  static std::atomic<int> last = 0;
  const std::string folder = ::testing::TempDir() + "/search" + std::to_string(++last);
  Must(Index::Create(folder, settings));
  return Must(Index::Open(folder, IndexMode::kWrite));
}

/// Adds texts, whose ids are their places.
void AddTexts(Index& index, const std::vector<std::string>& texts, size_t first = 0) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < texts.size(); ++i) ids.push_back(std::to_string(first + i));
  std::vector<IndexDocument> documents;
  for (size_t i = 0; i < texts.size(); ++i) documents.push_back({ids[i], texts[i], {}});
  Must(index.Add(documents));
}

IndexQuery AllOf(uint64_t limit) {
  IndexQuery query;
  query.limit = limit;
  return query;
}

Probe ProbeOfText(const IndexRules& rules, const std::string& text) {
  const std::string_view view = text;
  return Must(ProbesOf(rules, {&view, 1}))[0];
}

// One query looks at 10,000 documents at most, and says if there are more.
TEST(IndexSearchTest, CandidatesAreLimited) {
  const IndexSettings settings = Settings(.5);
  const IndexRules rules = Must(MakeRules(settings));
  // Documents of three features are found by the lower two; these have the first one of the probe.
  const Probe probe = ProbeOfText(rules, "common one two");
  const std::string key = rules.keys.KeysOf(KeyedPart(probe))[0];
  const uint64_t common = ProbeOfText(rules, "common").features[0];
  ASSERT_EQ(probe.features[0], common) << "choose other words";
  std::vector<std::string> texts;
  for (size_t i = 0; texts.size() < 10'001; ++i) {
    const std::string text = "common x" + std::to_string(i) + " y" + std::to_string(i);
    const auto keys = rules.keys.KeysOf(KeyedPart(ProbeOfText(rules, text)));
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) texts.push_back(text);
  }
  Index index = OpenNew(settings);
  AddTexts(index, {texts.begin(), texts.end() - 1});
  const IndexAnswer all = Must(index.QueryText("common one two", {}));
  EXPECT_EQ(all.candidates, 10'000U);
  EXPECT_FALSE(all.truncated);
  EXPECT_TRUE(all.matches.empty());  // one of five features is common
  AddTexts(index, {texts.back()}, texts.size() - 1);
  const IndexAnswer most = Must(index.QueryText("common one two", {}));
  EXPECT_EQ(most.candidates, 10'000U);
  EXPECT_TRUE(most.truncated);
}

TEST(IndexSearchTest, CopiesOfAMatchAreLimited) {
  Index index = OpenNew(Settings(.5));
  AddTexts(index, std::vector<std::string>(10'000, "one two three four"));
  const IndexAnswer all = Must(index.QueryText("one two three four five", AllOf(20'000)));
  EXPECT_EQ(all.matches.size(), 10'000U);
  EXPECT_EQ(all.candidates, 1U);
  EXPECT_FALSE(all.truncated);
  AddTexts(index, {"one two three four"}, 10'000);
  const IndexAnswer most = Must(index.QueryText("one two three four five", AllOf(20'000)));
  EXPECT_EQ(most.matches.size(), 10'000U);
  EXPECT_TRUE(most.truncated);
}

TEST(IndexSearchTest, AnswersAreCutToWhatIsAsked) {
  Index index = OpenNew(Settings(.5));
  AddTexts(index, {"a b c d", "a b c e", "a b c d e", "a b c d", "a b c x y", "k l m"});
  const auto ask = [&](uint64_t top, uint64_t limit) {
    IndexQuery query;
    query.top = top;
    query.limit = limit;
    const IndexAnswer answer = Must(index.QueryText("a b c d", query));
    std::string ids;
    for (const IndexMatch& match : answer.matches) ids += match.id;
    return ids + (answer.truncated ? "+" : "");
  };
  EXPECT_EQ(ask(0, 100), "03214");  // 1, 1, .8, .6, .5
  EXPECT_EQ(ask(0, 5), "03214");
  EXPECT_EQ(ask(0, 4), "0321+");
  EXPECT_EQ(ask(0, 1), "0+");
  EXPECT_EQ(ask(4, 100), "0321");
  EXPECT_EQ(ask(2, 100), "03");
  EXPECT_EQ(ask(1, 100), "0");
  EXPECT_EQ(ask(5, 2), "03+");
}

TEST(IndexSearchTest, FeaturesAreThoseThatAreKeptOrThoseOfTexts) {
  // At .8, features are kept of up to 20 words; those of more are made of the text.
  Index index = OpenNew(Settings(.8, Kept::kText));
  const auto words = [](int count) {
    std::string text;
    for (int word = 0; word < count; ++word) text += "w" + std::to_string(word) + " ";
    return text;
  };
  AddTexts(index, {words(20), words(22), words(19), words(23)});
  const IndexAnswer answer = Must(index.QueryText(words(21), {}));
  std::vector<std::pair<std::string, double>> found;
  for (const IndexMatch& match : answer.matches) found.emplace_back(match.id, match.resemblance);
  EXPECT_EQ(found, (std::vector<std::pair<std::string, double>>{
                       {"1", 21. / 22}, {"0", 20. / 21}, {"3", 21. / 23}, {"2", 19. / 21}}));
}

TEST(IndexSearchTest, AnExhaustiveQueryFindsWhatAComparisonOfAllFinds) {
  for (const Kept kept : {Kept::kFeatures, Kept::kText}) {
    Random random(1);
    const IndexSettings settings = Settings(.8, kept);
    const IndexRules rules = Must(MakeRules(settings));
    std::vector<std::string> texts;
    for (size_t i = 0; i < 150; ++i) {  // subsets of 80 words, of many sizes
      std::string text;
      const size_t odds = 2 + random() % 14;
      for (int word = 0; word < 80; ++word) {
        if (random() % 16 < odds) text += "w" + std::to_string(word) + " ";
      }
      texts.push_back(i % 5 == 4 ? texts[i - 4] : text);
    }
    Index index = OpenNew(settings);
    AddTexts(index, texts);
    std::vector<Probe> probes;
    for (const std::string& text : texts) probes.push_back(ProbeOfText(rules, text));
    for (const double threshold : {.3, .6, 1.0}) {
      size_t pairs = 0;
      for (size_t i = 0; i < texts.size(); i += 7) {
        IndexQuery query = AllOf(1000);
        query.exhaustive = true;
        query.threshold = threshold;
        const IndexAnswer answer = Must(index.QueryId(std::to_string(i), query));
        std::set<std::string> found, expected;
        for (const IndexMatch& match : answer.matches) {
          EXPECT_TRUE(match.exact);
          EXPECT_TRUE(found.insert(match.id).second);
        }
        for (size_t k = 0; k < texts.size(); ++k) {
          const auto& a = probes[i].features;
          const auto& b = probes[k].features;
          const auto common = static_cast<double>(*CountCommon(a, b, 0));
          const double all = static_cast<double>(a.size() + b.size()) - common;
          if (k != i && common / all >= threshold) expected.insert(std::to_string(k));
        }
        EXPECT_EQ(found, expected);
        pairs += expected.size();
      }
      EXPECT_GT(pairs, 5U) << threshold;
    }
  }
}

/// Returns a document with codes only, so many of them equal to those of another one.
Probe WithCodes(size_t equal) {
  Probe probe;
  probe.searched = SearchedBy::kKeys;
  probe.size = 1000;
  probe.codes = std::string(equal, 'a') + std::string(128 - equal, 'b');
  return probe;
}

DocumentRecord RecordWithCodes() {
  DocumentRecord record;
  record.searched = SearchedBy::kKeys;
  record.features = 1000;
  record.codes = std::string(128, 'a');
  record.id = "id";
  return record;
}

TEST(IndexSearchTest, WithoutFeaturesResemblancesAreEstimates) {
  const IndexRules rules = Must(MakeRules(Settings(.5, Kept::kNone)));
  const DocumentRecord record = RecordWithCodes();
  for (size_t equal = 0; equal <= 128; ++equal) {
    const auto match = Compare(WithCodes(equal), .25, record, {});
    // Codes of one byte agree by chance once in 256 times.
    const double agree = static_cast<double>(equal) / 128;
    const double estimate = (256 * agree - 1) / 255;
    ASSERT_EQ(match.has_value(), estimate >= .25) << equal;
    if (!match) continue;
    EXPECT_FALSE(match->exact);
    EXPECT_DOUBLE_EQ(match->resemblance, estimate);
    const double error = std::sqrt(agree * (1 - agree) / 128) * 256 / 255;
    EXPECT_NEAR(match->standard_error, error, 1e-12);
    EXPECT_LE(match->standard_error, .0445);
  }
  EXPECT_EQ(Compare(WithCodes(0), 0, record, {})->resemblance, 0);
}

TEST(IndexSearchTest, EstimatesAreNearTheTruth) {
  Random random(1);
  Index index = OpenNew(Settings(.5, Kept::kNone));
  std::vector<std::string> texts;
  const auto text_of = [](int family, int changed) {
    std::string text;
    for (int word = 0; word < 200; ++word) {
      text +=
          (word < changed ? "x" : "f") + std::to_string(family) + "w" + std::to_string(word) + " ";
    }
    return text;
  };
  for (int family = 0; family < 100; ++family) texts.push_back(text_of(family, 20));
  AddTexts(index, texts);
  for (int family = 0; family < 100; ++family) {
    const IndexAnswer copy = Must(index.QueryText(text_of(family, 20), {}));
    ASSERT_EQ(copy.matches.size(), 1U);
    EXPECT_EQ(copy.matches[0].resemblance, 1);
    const IndexAnswer answer = Must(index.QueryText(text_of(family, 0), {}));
    ASSERT_EQ(answer.matches.size(), 1U) << family;
    EXPECT_EQ(answer.matches[0].id, std::to_string(family));
    EXPECT_FALSE(answer.matches[0].exact);
    EXPECT_NEAR(answer.matches[0].resemblance, 180.0 / 220, 5 * answer.matches[0].standard_error);
  }
}

TEST(IndexSearchTest, TheSieveLetsThroughWhatCanBeAlike) {
  const IndexRules rules = Must(MakeRules(Settings(.8)));
  const Sieve sieve(rules, .8, kMissByKeys), finer(rules, .8, kMissInAll);
  const DocumentRecord record = RecordWithCodes();
  const auto floor_of = [&](const Sieve& of) {
    size_t equal = 0;
    while (!of.Passes(WithCodes(equal), record)) ++equal;
    for (size_t more = equal; more <= 128; ++more) EXPECT_TRUE(of.Passes(WithCodes(more), record));
    return equal;
  };
  // At .8, 103 of 128 codes agree in the mean, with a standard deviation of 4.5: the floors are 4.3
  // and 6 deviations lower, or a little more.
  EXPECT_NEAR(static_cast<double>(floor_of(sieve)), 81, 2);
  EXPECT_NEAR(static_cast<double>(floor_of(finer)), 71, 3);
  // Sizes rule out others: 800 and 1250 can be alike with 1000.
  Probe probe = WithCodes(128);
  for (const auto& [size, passes] :
       {std::pair<uint64_t, bool>{799, false}, {800, true}, {1250, true}, {1251, false}}) {
    probe.size = size;
    EXPECT_EQ(sieve.Passes(probe, record), passes) << size;
  }
  // Documents of few features have no codes.
  Probe few;
  few.searched = SearchedBy::kFeatures;
  few.size = 16;
  DocumentRecord small = RecordWithCodes();
  small.features = 16;
  EXPECT_TRUE(sieve.Passes(few, small));
  small.searched = SearchedBy::kNothing;
  EXPECT_FALSE(sieve.Passes(few, small));
  small.searched = few.searched;
  few.searched = SearchedBy::kNothing;
  EXPECT_FALSE(sieve.Passes(few, small));
}

TEST(IndexSearchTest, FeaturesAreComparedExactly) {
  const IndexRules rules = Must(MakeRules(Settings(.5)));
  Probe probe;
  probe.searched = SearchedBy::kFeatures;
  probe.features = {1, 2, 3, 4};
  probe.size = 4;
  const DocumentRecord record;
  const auto compare = [&](const std::vector<uint64_t>& features, double threshold) {
    const auto match = Compare(probe, threshold, record, features);
    return match ? std::optional(match->resemblance) : std::nullopt;
  };
  EXPECT_EQ(compare({1, 2, 3, 4}, 1), 1.0);
  EXPECT_EQ(compare({1, 2, 3}, .75), .75);
  EXPECT_EQ(compare({1, 2, 3}, .76), std::nullopt);
  EXPECT_EQ(compare({1, 9}, .2), .2);
  EXPECT_EQ(compare({8, 9}, 0), std::nullopt);  // nothing is common
}

}  // namespace
}  // namespace lookalike
