#include "uses/passages/planned_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

class PlannedCutsTest : public WorkspaceTest {};

/// Returns a ranking of so many documents in any order.
Ranking AnyRanking(DocNumber documents) {
  Ranking ranking;
  ranking.order.resize(documents);
  std::iota(ranking.order.begin(), ranking.order.end(), DocNumber{0});
  std::shuffle(ranking.order.begin(), ranking.order.end(), std::mt19937_64(3));
  ranking.ranks.resize(documents);
  for (Rank rank = 0; rank < documents; ++rank) ranking.ranks[ranking.order[rank]] = rank;
  return ranking;
}

TEST_F(PlannedCutsTest, CutsByRankBecomeCutsByDocument) {
  constexpr DocNumber kDocuments = 200;
  const Ranking ranking = AnyRanking(kDocuments);
  for (const bool tiny : {false, true}) {
    const auto workspace = tiny ? Tiny() : Ample();
    RunStore& store = workspace->store();
    std::mt19937_64 random(5);
    PlannedCuts by_rank(&store, kDocuments);
    std::map<DocNumber, std::vector<std::pair<TextCut, uint64_t>>> expected;
    uint64_t words = 0;
    for (Rank rank = 1; rank < kDocuments; ++rank) {
      std::vector<TextCut> cuts;
      for (uint32_t word = 0; word < random() % 4; ++word) {
        TextCut cut;
        cut.doc = rank;
        cut.word = 10 * word;
        cut.words = 1 + word;
        cut.bytes = {random() % 100, 100 + random() % 100};
        cut.same_doc = random() % rank;
        cut.same_word = static_cast<uint32_t>(random() % 50);
        cuts.push_back(cut);
        const uint64_t hash = random();
        ASSERT_TRUE(by_rank.hashes.Add(hash));
        words += cut.words;
        cut.doc = ranking.order[rank];
        cut.same_doc = ranking.order[cut.same_doc];
        expected[cut.doc].emplace_back(cut, hash);
      }
      // Every seventh goes, with cuts or without.
      by_rank.cuts->Add(rank, cuts, rank % 7 == 0);
    }
    ASSERT_TRUE(by_rank.cuts->status());
    const PlannedCuts by_document =
        Got(ByDocument(by_rank, ranking, &store, workspace->memory().work));
    EXPECT_EQ(by_document.cuts->words(), words);
    PagedScan<TextCut> cuts(by_document.cuts->cuts());
    PagedScan<uint64_t> hashes(by_document.hashes);
    for (const auto& [doc, of_document] : expected) {
      EXPECT_EQ(by_document.cuts->CutsOf(doc).size(), of_document.size());
      for (const auto& [cut, hash] : of_document) {
        const TextCut* const next = cuts.Next();
        ASSERT_NE(next, nullptr);
        EXPECT_EQ(next->doc, doc);
        EXPECT_EQ(next->word, cut.word);
        EXPECT_EQ(next->words, cut.words);
        EXPECT_EQ(next->bytes, cut.bytes);
        EXPECT_EQ(next->same_doc, cut.same_doc);
        EXPECT_EQ(next->same_word, cut.same_word);
        EXPECT_EQ(*hashes.Next(), hash);
      }
    }
    EXPECT_EQ(cuts.Next(), nullptr);
    EXPECT_EQ(hashes.Next(), nullptr);
    for (Rank rank = 0; rank < kDocuments; ++rank) {
      EXPECT_EQ(by_document.cuts->IsDropped(ranking.order[rank]), rank > 0 && rank % 7 == 0);
    }
  }
}

TEST_F(PlannedCutsTest, NoCuts) {
  const auto workspace = Ample();
  const PlannedCuts none(&workspace->store(), 3);
  const PlannedCuts by_document =
      Got(ByDocument(none, AnyRanking(3), &workspace->store(), workspace->memory().work));
  EXPECT_EQ(by_document.cuts->cuts().size(), 0);
  EXPECT_EQ(by_document.cuts->dropped().Count(), 0);
}

}  // namespace
}  // namespace lookalike
