#include "search/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using Groups = std::vector<std::vector<DocNumber>>;

/// Returns the groups with the same root, largest first, then by first member.
Groups PlainGroups(const std::vector<GroupLink>& links) {
  std::map<uint64_t, std::set<DocNumber>> by_root;
  for (const GroupLink& link : links) by_root[link.root].insert(link.doc);
  Groups groups;
  for (const auto& [root, members] : by_root) groups.emplace_back(members.begin(), members.end());
  std::sort(groups.begin(), groups.end(), [](const auto& x, const auto& y) {
    return x.size() != y.size() ? x.size() > y.size() : x.front() < y.front();
  });
  return groups;
}

class ClustersTest : public WorkspaceTest {
 protected:
  static ClusterTable Make(const std::vector<GroupLink>& links, Workspace* workspace) {
    Sorter<GroupLink> sorter(&workspace->store(), workspace->memory().work / 4, Repeats::kDrop);
    for (const GroupLink& link : links) EXPECT_TRUE(sorter.Add(link));
    return Got(MakeClusters(&sorter, workspace));
  }

  static void ExpectEqual(const ClusterTable& table, const Groups& groups) {
    std::vector<DocNumber> members;
    std::vector<uint64_t> sizes;
    std::map<uint64_t, uint64_t> histogram;
    std::map<DocNumber, std::pair<uint64_t, uint64_t>> by_doc;
    for (size_t i = 0; i < groups.size(); ++i) {
      members.insert(members.end(), groups[i].begin(), groups[i].end());
      sizes.push_back(groups[i].size());
      ++histogram[groups[i].size()];
      for (const DocNumber doc : groups[i]) by_doc[doc] = {i + 1, groups[i].size()};
    }
    EXPECT_EQ(table.count, groups.size());
    EXPECT_EQ(table.documents, members.size());
    EXPECT_EQ(table.sizes, histogram);
    EXPECT_EQ(RecordsOf<DocNumber>(table.members, 0), members);
    EXPECT_EQ(RecordsOf<uint64_t>(table.members, 1), sizes);
    std::vector<ClusterOfDoc> expected;
    for (const auto& [doc, cluster] : by_doc) {
      expected.push_back({doc, cluster.first, cluster.second});
    }
    EXPECT_TRUE(RecordsOf<ClusterOfDoc>(table.by_doc) == expected);
  }
};

TEST_F(ClustersTest, LargestFirstThenByFirstMember) {
  const auto workspace = Ample();
  const ClusterTable table = Make(
      {{7, 7}, {7, 2}, {3, 3}, {3, 9}, {5, 5}, {5, 6}, {5, 8}, {3, 9}, {7, 7}}, workspace.get());
  EXPECT_EQ(RecordsOf<DocNumber>(table.members), (std::vector<DocNumber>{5, 6, 8, 2, 7, 3, 9}));
  EXPECT_EQ(RecordsOf<uint64_t>(table.members, 1), (std::vector<uint64_t>{3, 2, 2}));
  EXPECT_EQ(table.sizes, (std::map<uint64_t, uint64_t>{{2, 2}, {3, 1}}));
}

TEST_F(ClustersTest, NoLinksAreNoClusters) {
  const auto workspace = Tiny();
  ExpectEqual(Make({}, workspace.get()), {});
}

// The roots are positions here, not documents, as they are for --cluster components.
TEST_F(ClustersTest, EqualPlainGroupsWhateverFitsMemory) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 40; ++i) {
    std::vector<GroupLink> links;
    const uint64_t roots = 1 + random() % 200, documents = roots + random() % 1500;
    std::map<DocNumber, uint64_t> root_of;
    for (DocNumber doc = 0; doc < documents; ++doc) {
      if (random() % 4 == 0) continue;
      // Some roots have most of the documents.
      root_of[doc] = random() % (1 + random() % roots);
      for (uint64_t times = 1 + random() % 3; times > 0; --times) {
        links.push_back({root_of[doc], doc});
      }
    }
    std::shuffle(links.begin(), links.end(), random);
    const Groups expected = PlainGroups(links);
    const auto ample = Ample(), tiny = Tiny(2048);
    ExpectEqual(Make(links, ample.get()), expected);
    ExpectEqual(Make(links, tiny.get()), expected);
    EXPECT_GT(tiny->store().peak_disk_bytes(), 0u);
    EXPECT_EQ(ample->store().peak_disk_bytes(), 0u);
  }
}

// Runs that were spilled go with the table.
TEST_F(ClustersTest, NothingIsLeftOnTheDisk) {
  const auto workspace = Tiny(2048);
  std::vector<GroupLink> links;
  for (DocNumber doc = 0; doc < 3000; ++doc) links.push_back({doc / 3, doc});
  ExpectEqual(Make(links, workspace.get()), PlainGroups(links));
  EXPECT_EQ(workspace->store().disk_bytes(), 0u);
  EXPECT_EQ(workspace->store().held_bytes(), 0u);
}

}  // namespace
}  // namespace lookalike
