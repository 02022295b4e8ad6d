#include "stages/cluster/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

using Lists = std::vector<std::vector<DocNumber>>;

Lists ListsOf(const Clusters& clusters) {
  Lists lists;
  for (size_t i = 0; i < clusters.size(); ++i) {
    lists.emplace_back(clusters[i].begin(), clusters[i].end());
  }
  return lists;
}

// Breadth first from every document not met yet; largest first, then by first member.
Lists BreadthFirst(const std::vector<Link>& links) {
  std::map<DocNumber, std::set<DocNumber>> near;
  for (const Link& link : links) near[link.x].insert(link.y), near[link.y].insert(link.x);
  std::set<DocNumber> met;
  Lists lists;
  for (const auto& [start, unused] : near) {
    if (!met.insert(start).second) continue;
    std::vector<DocNumber> members;
    for (std::deque<DocNumber> queue = {start}; !queue.empty(); queue.pop_front()) {
      members.push_back(queue.front());
      for (const DocNumber next : near[queue.front()]) {
        if (met.insert(next).second) queue.push_back(next);
      }
    }
    std::sort(members.begin(), members.end());
    lists.push_back(members);
  }
  std::stable_sort(lists.begin(), lists.end(),
                   [](const auto& x, const auto& y) { return x.size() > y.size(); });
  return lists;
}

TEST(GroupsTest, LargestFirstThenByFirstMember) {
  const std::vector<Link> links = {{9, 8}, {1, 5}, {20, 21}, {22, 20}, {5, 1}};
  EXPECT_EQ(ListsOf(GroupByLinks(links)), (Lists{{20, 21, 22}, {1, 5}, {8, 9}}));
  EXPECT_EQ(GroupByLinks({}).size(), 0u);
}

TEST(GroupsTest, EqualsABreadthFirstSearchInAnyOrderOfLinks) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    std::vector<Link> links;
    const uint64_t documents = 2 + random() % 100;
    for (uint64_t j = random() % 90; j > 0; --j) {
      const DocNumber x = random() % documents, y = random() % documents;
      if (x != y) links.push_back({x * 1000, y * 1000});
    }
    const Lists expected = BreadthFirst(links);
    ASSERT_EQ(ListsOf(GroupByLinks(links)), expected);
    std::shuffle(links.begin(), links.end(), random);
    for (Link& link : links) {
      if (random() % 2 == 0) std::swap(link.x, link.y);
    }
    ASSERT_EQ(ListsOf(GroupByLinks(links)), expected);
  }
}

TEST(GroupsTest, ALongChainIsOneCluster) {
  std::vector<Link> links;
  for (DocNumber doc = 100000; doc > 0; --doc) links.push_back({doc, doc - 1});
  const Clusters clusters = GroupByLinks(links);
  ASSERT_EQ(clusters.size(), 1u);
  EXPECT_EQ(clusters[0].size(), 100001u);
}

}  // namespace
}  // namespace lookalike
