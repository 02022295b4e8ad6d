#include "plan/choice.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

CollectionSize Documents(double documents, double bytes_each = 4000) {
  return {documents, documents * bytes_each};
}

std::string NameOf(const std::optional<Design>& design) {
  return design ? ToString(*design) : "exact";
}

TEST(ChoiceTest, ItReachesTheRecallAndNoOtherIsMuchCheaper) {
  for (const double threshold : {.3, .5, .8, .95}) {
    for (const double recall : {.9, .99, .999}) {
      SearchTerms terms;
      terms.threshold = threshold;
      terms.recall = recall;
      const auto chosen = ChooseSearch(terms, 1 << 20);
      ASSERT_TRUE(chosen.has_value()) << threshold << " " << recall;
      EXPECT_GE(Acceptance(*chosen, threshold), recall) << NameOf(chosen);
      terms.small = UINT64_MAX;
      const CollectionFacts facts = TypicalCollection(Documents(1 << 20));
      const double seconds = Predict(facts, terms, {}, chosen).cpu_seconds;
      for (const auto& other : CandidateDesigns(terms)) {
        if (!other) continue;
        const Prediction rival = Predict(facts, terms, {}, other);
        EXPECT_GE(1.041 * rival.cpu_seconds, seconds) << NameOf(other);
        if (rival.cpu_seconds > seconds) continue;
        EXPECT_GE(Predict(facts, terms, {}, chosen).recall, rival.recall) << NameOf(other);
      }
    }
  }
}

TEST(ChoiceTest, LargerCollectionsGetLongerKeys) {
  uint32_t last = 0;
  for (double documents = 1 << 14; documents < 1e9; documents *= 16) {
    const auto chosen = ChooseSearch({}, documents);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_GE(chosen->rows, last) << documents;
    last = chosen->rows;
  }
  EXPECT_GT(last, 6u);
}

TEST(ChoiceTest, OnlyTheClassOfSizeCounts) {
  const auto at = [](double documents) { return NameOf(ChooseSearch({}, documents)); };
  EXPECT_EQ(at(1 << 18), at((1 << 22) - 1));
  EXPECT_EQ(at(0), at((1 << 18) - 1)) << "small collections are all alike";
  EXPECT_NE(at(1), at(1e9));
}

TEST(ChoiceTest, TheExactJoinIsLeftWhereNoDesignReachesTheRecall) {
  SearchTerms terms;
  terms.threshold = .01;
  terms.recall = .9999;
  EXPECT_FALSE(ChooseSearch(terms, 1 << 20).has_value());
  const std::string what = NoDesignReaches(terms).what;
  EXPECT_NE(what.find("at most 0.7237"), std::string::npos) << what;
  EXPECT_NE(what.find("$<method=exact>"), std::string::npos) << what;
  EXPECT_NE(what.find("256 or more"), std::string::npos) << what;
  terms.coordinates = 1024;
  const std::string largest = NoDesignReaches(terms).what;
  EXPECT_EQ(largest.find("more coordinates"), std::string::npos) << largest;
}

TEST(ChoiceTest, ATypicalCollectionGrowsAlikePairsWithItsDocuments) {
  const Similarity small = TypicalCollection(Documents(1e4)).similarity;
  const Similarity large = TypicalCollection(Documents(1e6)).similarity;
  EXPECT_NEAR(large.PairsFrom(.8) / small.PairsFrom(.8), 100, 1);
  EXPECT_GT(large.key_pairs[0] / small.key_pairs[0], 1000);
  EXPECT_GT(small.key_pairs[0], small.key_pairs[3]);
}

}  // namespace
}  // namespace lookalike
