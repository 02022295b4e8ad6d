#include "search/decisions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/small_workspace.h"

namespace lookalike {
namespace {

using Why = std::tuple<DocNumber, double, RemovalKind>;  // witness, resemblance, kind
using Removals = std::map<DocNumber, Why>;
using Groups = std::vector<std::vector<DocNumber>>;

/// The findings of the join and the classes, in ranks.
struct Findings {
  uint64_t reference = 0;
  std::vector<DocNumber> order;
  std::vector<Edge> edges;
  std::vector<ExactCopy> copies;
};

Findings RandomFindings(std::mt19937_64* random) {
  Findings f;
  const uint64_t documents = 1 + (*random)() % 50;
  if ((*random)() % 2 == 0) f.reference = 1 + (*random)() % documents;
  for (DocNumber doc = 0; doc < documents; ++doc) f.order.push_back(doc);
  if ((*random)() % 2 == 0) {
    std::shuffle(f.order.begin() + static_cast<ptrdiff_t>(f.reference), f.order.end(), *random);
  }
  std::vector<Rank> reps;
  for (Rank rank = 0; rank < documents; ++rank) {
    if (!reps.empty() && (*random)() % 3 == 0) {
      f.copies.push_back({reps[(*random)() % reps.size()], rank, (*random)() % 2});
    } else {
      reps.push_back(rank);
    }
  }
  std::sort(f.copies.begin(), f.copies.end());
  for (const Rank d : reps) {
    for (const Rank a : reps) {
      // No pair has two documents of the reference.
      if (a >= d || d < f.reference || (*random)() % 6 != 0) continue;
      f.edges.push_back({a, d, static_cast<uint32_t>(5 + (*random)() % 5), 10, 10});
    }
  }
  return f;
}

/// Returns the kept set by its definition, in simple loops.
Removals PlainRemovals(const Findings& f) {
  std::map<Rank, std::tuple<Rank, double, RemovalKind>> removed;
  for (Rank d = 0; d < f.order.size(); ++d) {
    for (Rank a = 0; a < d && !removed.contains(d); ++a) {
      if (removed.contains(a)) continue;
      for (const Edge& edge : f.edges) {
        if (edge.a == a && edge.d == d) removed[d] = {a, edge.resemblance(), RemovalKind::kNear};
      }
    }
  }
  const auto near = removed;
  for (const ExactCopy& copy : f.copies) {
    if (copy.copy < f.reference) continue;
    const auto of_rep = near.find(copy.rep);
    const auto kind = copy.same_text != 0 ? RemovalKind::kIdentical : RemovalKind::kExact;
    removed[copy.copy] = of_rep != near.end() ? of_rep->second : std::tuple(copy.rep, 1.0, kind);
  }
  Removals by_doc;
  for (const auto& [rank, why] : removed) {
    const auto& [witness, resemblance, kind] = why;
    by_doc[f.order[rank]] = {f.order[witness], resemblance, kind};
  }
  return by_doc;
}

/// Spreads labels along the links until nothing changes; largest group first, then by first member.
Groups PlainGroups(const std::vector<std::pair<DocNumber, DocNumber>>& links) {
  std::map<DocNumber, DocNumber> label;
  for (const auto& [x, y] : links) label[x] = x, label[y] = y;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [x, y] : links) {
      const DocNumber least = std::min(label[x], label[y]);
      changed = changed || label[x] != least || label[y] != least;
      label[x] = label[y] = least;
    }
  }
  std::map<DocNumber, std::vector<DocNumber>> members;
  for (const auto& [doc, group] : label) members[group].push_back(doc);
  Groups groups;
  for (const auto& [group, some] : members) groups.push_back(some);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& x, const auto& y) { return x.size() > y.size(); });
  return groups;
}

Groups PlainGroups(const Findings& f, const Removals& removals, const std::string& cluster) {
  std::vector<std::pair<DocNumber, DocNumber>> links;
  if (cluster == "components") {
    for (const Edge& edge : f.edges) links.emplace_back(f.order[edge.a], f.order[edge.d]);
    for (const ExactCopy& copy : f.copies) {
      if (copy.copy >= f.reference) links.emplace_back(f.order[copy.rep], f.order[copy.copy]);
    }
  } else {
    for (const auto& [doc, why] : removals) links.emplace_back(doc, std::get<0>(why));
  }
  return PlainGroups(links);
}

class DecisionsTest : public WorkspaceTest {
 protected:
  static Decisions DecideOn(const Findings& f, const std::string& cluster, Workspace* workspace) {
    Job job;
    SearchResult search;
    job.options.cluster = cluster;
    job.choices = *ReadChoices(job.options);
    SetCollections(f.reference, f.order.size(), &job, &search);
    search.ranking = RankingOf(f.order);
    search.classes.copies = {RunOf(f.copies, workspace)};
    search.edges = EdgesOf(f.edges, 3, workspace);
    return Got(Decide(job, search, workspace));
  }

  static Removals RemovalsOf(const Decisions& decisions) {
    Removals removals;
    DocNumber last = 0;
    for (const DocRemoval& r : RecordsOf<DocRemoval>(decisions.removals)) {
      EXPECT_TRUE(removals.empty() || last < r.doc) << "by document, each once";
      last = r.doc;
      removals[r.doc] = {r.witness, r.resemblance, r.kind};
    }
    return removals;
  }

  static Groups GroupsOf(const ClusterTable& table) {
    const auto members = RecordsOf<DocNumber>(table.members);
    Groups groups;
    auto next = members.begin();
    for (const uint64_t size : RecordsOf<uint64_t>(table.members, 1)) {
      groups.emplace_back(next, next + static_cast<ptrdiff_t>(size));
      next += static_cast<ptrdiff_t>(size);
    }
    EXPECT_EQ(groups.size(), table.count);
    return groups;
  }
};

TEST_F(DecisionsTest, EqualTheDefinitionWithAndWithoutAReference) {
  std::mt19937_64 random(1);
  size_t removed = 0, reference_copies = 0;
  for (int i = 0; i < 400; ++i) {
    const Findings f = RandomFindings(&random);
    const Removals expected = PlainRemovals(f);
    for (const std::string cluster : {"leader", "components"}) {
      const auto workspace = i % 2 == 0 ? Ample() : Tiny();
      const Decisions decisions = DecideOn(f, cluster, workspace.get());
      ASSERT_EQ(RemovalsOf(decisions), expected) << "findings " << i;
      ASSERT_EQ(GroupsOf(decisions.clusters), PlainGroups(f, expected, cluster))
          << "findings " << i;
      uint64_t near = 0;
      for (DocNumber doc = 0; doc < f.order.size(); ++doc) {
        ASSERT_EQ(decisions.removed.Test(doc), expected.contains(doc));
        near += expected.contains(doc) && std::get<2>(expected.at(doc)) == RemovalKind::kNear;
      }
      EXPECT_EQ(decisions.removed_near, near);
      EXPECT_EQ(decisions.removed_exact, expected.size() - near);
    }
    removed += expected.size();
    for (const ExactCopy& copy : f.copies) reference_copies += copy.copy < f.reference;
  }
  EXPECT_GT(removed, 3'000u);
  EXPECT_GT(reference_copies, 500u);
}

TEST_F(DecisionsTest, CopiesWithinTheReferenceStay) {
  Findings f;
  f.reference = 3;
  f.order = {0, 1, 2, 3, 4};
  f.copies = {{0, 1, 1}, {0, 3, 1}};  // 0, 1 and 3 are the same
  f.edges = {{2, 4, 9, 10, 10}};
  for (const std::string cluster : {"leader", "components"}) {
    const auto workspace = Ample();
    const Decisions decisions = DecideOn(f, cluster, workspace.get());
    EXPECT_EQ(RemovalsOf(decisions), (Removals{{3, {0, 1.0, RemovalKind::kIdentical}},
                                               {4, {2, 9. / 11, RemovalKind::kNear}}}));
    EXPECT_EQ(GroupsOf(decisions.clusters), (Groups{{0, 3}, {2, 4}}))
        << "1 stays, and nothing went because of it";
  }
}

TEST_F(DecisionsTest, TheRemovalsOfSomeDocuments) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const Findings f = RandomFindings(&random);
    const auto workspace = Tiny();
    const Decisions decisions = DecideOn(f, "leader", workspace.get());
    const Removals all = RemovalsOf(decisions);
    std::vector<DocNumber> docs;
    for (DocNumber doc = 0; doc < f.order.size(); ++doc) {
      if (random() % 2 == 0) docs.push_back(doc);
    }
    const auto some = Got(decisions.RemovalsOf(docs));
    size_t expected = 0;
    for (const DocNumber doc : docs) {
      if (!all.contains(doc)) continue;
      ++expected;
      ASSERT_TRUE(some.contains(doc)) << doc;
      EXPECT_EQ(some.at(doc).witness, std::get<0>(all.at(doc)));
    }
    EXPECT_EQ(some.size(), expected);
  }
}

}  // namespace
}  // namespace lookalike
