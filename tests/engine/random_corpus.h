// Small random corpora with candidate pairs, and their edges by definition.
#ifndef LOOKALIKE_TESTS_ENGINE_RANDOM_CORPUS_H_
#define LOOKALIKE_TESTS_ENGINE_RANDOM_CORPUS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "engine/small_workspace.h"
#include "records/records.h"
#include "search/keep_order.h"
#include "search/verify_pass.h"
#include "spill/record_reader.h"

namespace lookalike {

/// An edge: ranks a and d, common features, sizes.
using Row = std::tuple<Rank, Rank, uint32_t, uint32_t, uint32_t>;

/// Feature sets by document, some of them long, and pairs by (d, a).
struct Corpus {
  std::map<DocNumber, std::vector<uint64_t>> sets;
  Ranking ranking;
  std::vector<CandidatePair> pairs;
  uint64_t documents = 0;
};

/// Returns a corpus of at most 61 documents; a third of all pairs are candidates.
inline Corpus RandomCorpus(std::mt19937_64* random) {
  Corpus corpus;
  corpus.documents = 2 + (*random)() % 60;
  std::vector<DocNumber> order(corpus.documents);
  std::iota(order.begin(), order.end(), DocNumber{0});
  if ((*random)() % 2 == 0) {
    std::shuffle(order.begin(), order.end(), *random);
    corpus.ranking = RankingOf(order);
  }
  for (DocNumber doc = 0; doc < corpus.documents; ++doc) {
    std::set<uint64_t> set;
    for (uint64_t i = 1 + (*random)() % 12; i > 0; --i) set.insert((*random)() % 14);
    if ((*random)() % 10 == 0) {
      for (uint64_t i = 0; i < 300; ++i) set.insert(1000 + i);
    }
    corpus.sets[doc] = {set.begin(), set.end()};
  }
  for (Rank d = 0; d < corpus.documents; ++d) {
    for (Rank a = 0; a < d; ++a) {
      if ((*random)() % 3 == 0) corpus.pairs.push_back({a, d});
    }
  }
  return corpus;
}

/// Returns the rows of the pairs whose resemblance, computed by definition, reaches a threshold.
inline std::vector<Row> PlainEdges(const Corpus& corpus, const std::vector<CandidatePair>& pairs,
                                   double threshold) {
  std::vector<Row> rows;
  for (const CandidatePair& pair : pairs) {
    const auto& x = corpus.sets.at(corpus.ranking.DocOf(pair.a));
    const auto& y = corpus.sets.at(corpus.ranking.DocOf(pair.d));
    std::vector<uint64_t> common;
    std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common));
    const size_t all = x.size() + y.size() - common.size();
    if (static_cast<double>(common.size()) / static_cast<double>(all) < threshold) continue;
    rows.emplace_back(pair.a, pair.d, common.size(), x.size(), y.size());
  }
  return rows;
}

/// Returns the rows of verified edges.
inline std::vector<Row> RowsOf(const VerifiedEdges& edges) {
  std::vector<Row> rows;
  RecordReader<Edge> reader(edges.runs, 0);
  while (const Edge* e = reader.Next())
    rows.emplace_back(e->a, e->d, e->common, e->size_a, e->size_d);
  EXPECT_TRUE(reader.status());
  EXPECT_EQ(edges.edges, rows.size());
  return rows;
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_ENGINE_RANDOM_CORPUS_H_
