#include "batch/result_files.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace lookalike {
namespace {

using Row = std::tuple<DocNumber, DocNumber, uint32_t, uint32_t, uint32_t>;

std::vector<Row> Rows(const std::vector<DocPair>& pairs) {
  std::vector<Row> rows;
  for (const DocPair& p : pairs) rows.emplace_back(p.a, p.b, p.common, p.size_a, p.size_b);
  return rows;
}

// Documents 0, 3 and 4 have the same 10 features, 9 of which document 1 has and no other.
TEST(ExpandPairsTest, CopiesArePairsOfTheirOwnAndOfTheirPartners) {
  SearchResult search;
  search.table.documents = 5;
  search.copies = {{3, 0}, {4, 0}};
  search.rep_sizes = {{0, 10}};
  search.edges = {{0, 1, 9, 10, 9}};
  const std::vector<DocPair> pairs = ExpandPairs(search);
  EXPECT_EQ(Rows(pairs), (std::vector<Row>{{0, 1, 9, 10, 9},
                                           {0, 3, 10, 10, 10},
                                           {0, 4, 10, 10, 10},
                                           {1, 3, 9, 9, 10},
                                           {1, 4, 9, 9, 10},
                                           {3, 4, 10, 10, 10}}));
  EXPECT_EQ(CountPairs(search), pairs.size());
  search.edges.clear();
  EXPECT_EQ(CountPairs(search), 3u);
  search.copies.clear();
  EXPECT_EQ(CountPairs(search), 0u);
}

}  // namespace
}  // namespace lookalike
