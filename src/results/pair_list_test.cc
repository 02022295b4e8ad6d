#include "results/pair_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using Row = std::tuple<DocNumber, DocNumber, uint32_t, uint32_t, uint32_t>;

/// Documents in classes of equal feature streams, and the classes that are alike.
struct Corpus {
  uint64_t reference = 0;  ///< So many documents at the front are the reference's.
  std::vector<uint64_t> class_of;
  std::vector<uint32_t> size_of;                             ///< By class: its number of features.
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> common;  ///< For two alike classes.
  std::vector<DocNumber> order;
};

/// Makes a corpus; documents of the reference come first in any order.
Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  const uint64_t documents = 1 + (*random)() % 60, classes = 1 + (*random)() % documents;
  if ((*random)() % 2 == 0) corpus.reference = 1 + (*random)() % documents;
  for (uint64_t i = 0; i < classes; ++i) {
    corpus.size_of.push_back(20 + static_cast<uint32_t>((*random)() % 9));
  }
  for (uint64_t i = 0; i < documents; ++i) corpus.class_of.push_back((*random)() % classes);
  for (uint64_t i = 0; i < 2 * classes; ++i) {
    const uint64_t x = (*random)() % classes, y = (*random)() % classes;
    if (x != y) corpus.common[std::minmax(x, y)] = 15 + static_cast<uint32_t>((*random)() % 5);
  }
  for (DocNumber doc = 0; doc < documents; ++doc) corpus.order.push_back(doc);
  const auto own = corpus.order.begin() + static_cast<ptrdiff_t>(corpus.reference);
  if ((*random)() % 2 == 0) std::shuffle(own, corpus.order.end(), *random);
  return corpus;
}

/// Returns every pair of alike documents, by the definition.
std::vector<Row> PlainPairs(const Corpus& corpus) {
  std::vector<Row> rows;
  const uint64_t documents = corpus.class_of.size();
  for (DocNumber x = 0; x < documents; ++x) {
    for (DocNumber y = x + 1; y < documents; ++y) {
      const bool across = x < corpus.reference && y >= corpus.reference;
      if (corpus.reference != 0 && !across) continue;
      const uint64_t cx = corpus.class_of[x], cy = corpus.class_of[y];
      const auto alike = corpus.common.find(std::minmax(cx, cy));
      if (cx != cy && alike == corpus.common.end()) continue;
      const uint32_t size_x = corpus.size_of[cx], size_y = corpus.size_of[cy];
      const uint32_t common = cx == cy ? size_x : alike->second;
      // The reference comes second.
      rows.push_back(across ? Row{y, x, common, size_y, size_x}
                            : Row{x, y, common, size_x, size_y});
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

class PairListTest : public WorkspaceTest {
 protected:
  /// Returns the findings of steps 1 to 5 in a corpus.
  static SearchResult SearchOf(const Corpus& corpus, Job* job, Workspace* workspace) {
    SearchResult search;
    const uint64_t documents = corpus.class_of.size();
    SetCollections(corpus.reference, documents, job, &search);
    search.ranking = RankingOf(corpus.order);
    std::map<std::pair<uint64_t, bool>, Rank> reps;  // each side of a class has one
    std::vector<ExactCopy> copies;
    std::map<DocNumber, std::vector<uint64_t>> sets;
    std::vector<std::tuple<Rank, uint64_t>> searched;
    for (Rank rank = 0; rank < documents; ++rank) {
      const uint64_t of = corpus.class_of[corpus.order[rank]];
      const auto [rep, is_new] = reps.try_emplace({of, rank < corpus.reference}, rank);
      if (!is_new) {
        copies.push_back({rep->second, rank, 0});
        continue;
      }
      searched.emplace_back(rank, of);
      sets[corpus.order[rank]] = std::vector<uint64_t>(corpus.size_of[of]);
    }
    std::sort(copies.begin(), copies.end());
    std::vector<Edge> edges;
    const PairScope scope = {corpus.reference, corpus.reference != 0};
    for (const auto& [d, cd] : searched) {
      for (const auto& [a, ca] : searched) {
        const auto alike = corpus.common.find(std::minmax(ca, cd));
        const bool same = ca == cd && a != d;
        if (a >= d || !scope.Counts(a, d) || (!same && alike == corpus.common.end())) continue;
        const uint32_t common = same ? corpus.size_of[ca] : alike->second;
        edges.push_back({a, d, common, corpus.size_of[ca], corpus.size_of[cd]});
      }
    }
    search.classes.copies = {RunOf(copies, workspace)};
    search.classes.copy_count = copies.size();
    search.edges = EdgesOf(edges, 3, workspace);
    search.sets = SetsOf(sets, documents, workspace);
    return search;
  }

  static std::vector<Row> RowsOf(PairList* list) {
    std::vector<Row> rows;
    while (const DocPair* p = list->pairs.Next()) {
      rows.emplace_back(p->a, p->b, p->common, p->size_a, p->size_b);
    }
    EXPECT_TRUE(list->pairs.status());
    return rows;
  }

  static void ExpectPairs(const Corpus& corpus, const std::vector<Row>& expected,
                          Workspace* workspace) {
    Job job;
    job.rules.all_pairs = true;
    const SearchResult search = SearchOf(corpus, &job, workspace);
    EXPECT_EQ(Got(CountPairs(job, search, workspace)), expected.size());
    PairList list = Got(ListPairs(job, search, workspace));
    EXPECT_EQ(list.count, expected.size());
    EXPECT_EQ(RowsOf(&list), expected);
    std::set<DocNumber> named;
    for (const auto& [a, b, common, size_a, size_b] : expected) named.insert({a, b});
    for (DocNumber doc = 0; doc < corpus.class_of.size(); ++doc) {
      EXPECT_EQ(list.named.Test(doc), named.contains(doc)) << doc;
    }
  }
};

// Documents 0, 3 and 4 have the same 10 features, 9 of which are the features of document 1.
TEST_F(PairListTest, CopiesArePairsOfTheirOwnAndOfTheirPartners) {
  Corpus corpus;
  corpus.class_of = {0, 1, 2, 0, 0};
  corpus.size_of = {10, 9, 30};
  corpus.common[{0, 1}] = 9;
  corpus.order = {0, 1, 2, 3, 4};
  ExpectPairs(corpus,
              {{0, 1, 9, 10, 9},
               {0, 3, 10, 10, 10},
               {0, 4, 10, 10, 10},
               {1, 3, 9, 9, 10},
               {1, 4, 9, 9, 10},
               {3, 4, 10, 10, 10}},
              Ample().get());
  corpus.common.clear();
  ExpectPairs(corpus, {{0, 3, 10, 10, 10}, {0, 4, 10, 10, 10}, {3, 4, 10, 10, 10}}, Tiny().get());
  corpus.class_of = {0, 1, 2};
  corpus.order = {0, 1, 2};
  ExpectPairs(corpus, {}, Tiny().get());
}

// A document of the inputs that is a copy of a reference document has the pairs of both.
TEST_F(PairListTest, WithAReferenceOnlyPairsAcrossCountAndTheReferenceComesSecond) {
  Corpus corpus;
  corpus.reference = 3;
  corpus.class_of = {0, 1, 1, 1, 2};
  corpus.size_of = {10, 9, 30};
  corpus.common[{0, 1}] = 9;
  corpus.order = {0, 1, 2, 3, 4};
  ExpectPairs(corpus, {{3, 0, 9, 9, 10}, {3, 1, 9, 9, 9}, {3, 2, 9, 9, 9}}, Tiny().get());
}

TEST_F(PairListTest, EqualABruteForceWithAndWithoutAReference) {
  std::mt19937_64 random(1);
  size_t pairs = 0, across = 0;
  for (int i = 0; i < 300; ++i) {
    const Corpus corpus = RandomCorpus(&random);
    const std::vector<Row> expected = PlainPairs(corpus);
    const auto workspace = i % 2 == 0 ? Ample() : Tiny();
    ExpectPairs(corpus, expected, workspace.get());
    ASSERT_FALSE(HasFailure()) << "corpus " << i;
    (corpus.reference == 0 ? pairs : across) += expected.size();
  }
  EXPECT_GT(pairs, 5'000u);
  EXPECT_GT(across, 1'000u);
}

// There are more classes and more edges than are expanded at a time.
TEST_F(PairListTest, BlocksOfEdgesAndClassesJoinUp) {
  constexpr uint64_t kClasses = 10'000;
  Job job;
  SearchResult search;
  const auto workspace = Ample();
  std::vector<ExactCopy> copies;
  std::vector<Edge> edges;
  std::map<DocNumber, std::vector<uint64_t>> sets;
  std::vector<Row> expected;
  for (uint64_t i = 0; i < kClasses; ++i) {
    const DocNumber x = 2 * i, y = 2 * i + 1;
    copies.push_back({x, y, 0});
    sets[x] = {1, 2};
    expected.emplace_back(x, y, 2, 2, 2);
    if (i == 0) continue;
    edges.push_back({x - 2, x, 1, 2, 2});
    for (const DocNumber a : {x - 2, x - 1}) {
      for (const DocNumber d : {x, y}) expected.emplace_back(a, d, 1, 2, 2);
    }
  }
  std::sort(expected.begin(), expected.end());
  SetCollections(0, 2 * kClasses, &job, &search);
  search.classes.copies = {RunOf(copies, workspace.get())};
  search.edges = EdgesOf(edges, 2, workspace.get());
  search.sets = SetsOf(sets, 2 * kClasses, workspace.get());
  EXPECT_EQ(Got(CountPairs(job, search, workspace.get())), expected.size());
  PairList list = Got(ListPairs(job, search, workspace.get()));
  EXPECT_EQ(RowsOf(&list), expected);
}

}  // namespace
}  // namespace lookalike
