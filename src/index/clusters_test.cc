#include "index/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/must.h"
#include "index/index_state.h"
#include "lookalike/index.h"

namespace lookalike {
namespace {

using Ids = std::set<std::string>;
using Random = std::mt19937_64;
using Words = std::set<std::string>;

constexpr double kThreshold = 0.5;
constexpr size_t kLeastWords = 3;

Index OpenNew(bool clusters = true) {
  static std::atomic<int> last = 0;
  const std::string folder = ::testing::TempDir() + "/clusters" + std::to_string(++last);
  IndexSettings settings;
  settings.options.shingle = "word:1";
  settings.options.threshold = kThreshold;
  settings.options.min_features = kLeastWords;
  settings.clusters = clusters;
  Must(Index::Create(folder, settings));
  return Must(Index::Open(folder, IndexMode::kWrite));
}

struct Document {
  std::string id, text;
};

void Add(Index& index, const std::vector<Document>& documents) {
  std::vector<IndexDocument> views;
  for (const Document& one : documents) views.push_back({one.id, one.text, {}});
  Must(index.Add(views));
}

void Remove(Index& index, const std::vector<std::string>& ids) {
  EXPECT_EQ(Must(index.Remove(ids)), ids.size());
}

/// Clusters by name.
using Named = std::map<std::string, Ids>;

Named ClustersOf(const Index& index, double threshold = 0) {
  Named clusters;
  Must(index.Clusters(threshold, [&](const IndexCluster& cluster) {
    EXPECT_GE(cluster.ids.size(), 2U);
    const Ids ids(cluster.ids.begin(), cluster.ids.end());
    EXPECT_TRUE(clusters.emplace(cluster.name, ids).second) << cluster.name;
    return true;
  }));
  return clusters;
}

std::set<Ids> SetsOf(const Named& clusters) {
  std::set<Ids> sets;
  for (const auto& [name, ids] : clusters) EXPECT_TRUE(sets.insert(ids).second);
  return sets;
}

double ResemblanceOf(const Words& a, const Words& b) {
  const auto common = static_cast<double>(
      std::count_if(a.begin(), a.end(), [&](const auto& word) { return b.contains(word); }));
  return common / (static_cast<double>(a.size() + b.size()) - common);
}

/// Returns what pairs at or above a threshold connect, by union-find over all pairs.
std::set<Ids> Connected(const std::map<std::string, Words>& documents, double threshold) {
  const std::vector<std::pair<std::string, Words>> all(documents.begin(), documents.end());
  std::vector<size_t> parent(all.size());
  std::iota(parent.begin(), parent.end(), 0);
  const std::function<size_t(size_t)> root = [&](size_t i) {
    return parent[i] == i ? i : parent[i] = root(parent[i]);
  };
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (std::min(all[i].second.size(), all[k].second.size()) < kLeastWords) continue;
      if (ResemblanceOf(all[i].second, all[k].second) >= threshold) parent[root(i)] = root(k);
    }
  }
  std::map<size_t, Ids> by_root;
  for (size_t i = 0; i < all.size(); ++i) by_root[root(i)].insert(all[i].first);
  std::set<Ids> sets;
  for (const auto& [number, ids] : by_root) {
    if (ids.size() > 1) sets.insert(ids);
  }
  return sets;
}

/// Follows the log of an index.
class Replay {
 public:
  /// Takes all changes since the last call.
  void Follow(const Index& index) {
    Must(index.Changes(last_, [&](std::string_view line) {
      Take(nlohmann::json::parse(line));
      return true;
    }));
  }

  [[nodiscard]] Named Clusters() const {
    Named clusters;
    for (const auto& [name, ids] : ids_) {
      if (ids.size() > 1) clusters.emplace(name, ids);
    }
    return clusters;
  }
  [[nodiscard]] const std::map<std::string, int>& changes() const { return changes_; }

 private:
  void Take(const nlohmann::json& line) {
    ASSERT_EQ(line["seq"], last_ + 1);
    ++last_;
    const std::string change = line["change"], name = line["cluster"];
    const Ids documents = line["documents"];
    const std::vector<std::string> from = line["from"];
    ++changes_[change];
    if (change == "added" || change == "split") {
      EXPECT_TRUE(names_.insert(name).second) << name << " names another one: " << line;
    } else {
      EXPECT_TRUE(ids_.contains(name)) << line;
    }
    if (change == "merged") {
      EXPECT_TRUE(documents.empty() && !from.empty()) << line;
      for (const std::string& ended : from) {
        ASSERT_TRUE(ids_.contains(ended)) << line;
        ids_[name].merge(ids_[ended]);
        ids_.erase(ended);
      }
      return;
    }
    ASSERT_FALSE(documents.empty()) << line;
    ASSERT_EQ(from.size(), change == "split" ? 1 : 0) << line;
    for (const std::string& id : documents) {
      if (change == "removed") {
        EXPECT_EQ(ids_[name].erase(id), 1U) << line;
        continue;
      }
      if (change == "split") {
        EXPECT_EQ(ids_[from[0]].erase(id), 1U) << line;
      }
      EXPECT_TRUE(ids_[name].insert(id).second) << line;
    }
    if (ids_[name].empty()) ids_.erase(name);
    for (const std::string& left : from) EXPECT_GE(ids_[left].size(), 1U) << line;
  }

  uint64_t last_ = 0;
  Named ids_;
  Ids names_;  // all that there ever were
  std::map<std::string, int> changes_;
};

Words WordsOf(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Returns a text of consecutive words of a circle: overlaps make chains, which merge and split.
std::string AnyText(Random& random) {
  const std::string family = "f" + std::to_string(random() % 3) + "w";
  const size_t first = random() % 24, words = 2 + random() % 6;
  std::string text;
  for (size_t i = 0; i < words; ++i) text += family + std::to_string((first + i) % 24) + " ";
  return text;
}

TEST(IndexClustersTest, ClustersAreWhatExactPairsConnectAndTheLogReplaysThem) {
  std::map<std::string, int> changes;
  size_t cut_apart = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    Index index = OpenNew();
    Replay replay;
    std::map<std::string, Words> documents;
    std::set<std::string> short_texts;
    for (int step = 0; step < 100 && !::testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      if (random() % 3 == 0 && documents.size() > 4) {
        Ids gone;
        for (size_t i = 1 + random() % 4; i > 0; --i) {
          gone.insert(std::next(documents.begin(), random() % documents.size())->first);
        }
        Remove(index, {gone.begin(), gone.end()});
        for (const std::string& id : gone) documents.erase(id);
      } else {
        std::vector<Document> batch;
        for (size_t i = random() % 6; i > 0; --i) {
          // Copies of texts that are too short have a test of their own.
          std::string text = AnyText(random);
          if (WordsOf(text).size() < kLeastWords && !short_texts.insert(text).second) continue;
          batch.push_back({"d" + std::to_string(random() % 40), text});
          documents[batch.back().id] = WordsOf(text);
        }
        Add(index, batch);
      }
      Must(index.Check());
      const Named clusters = ClustersOf(index);
      EXPECT_EQ(SetsOf(clusters), Connected(documents, kThreshold));
      replay.Follow(index);
      EXPECT_EQ(replay.Clusters(), clusters);
      for (const double threshold : {.5, .6, .75, 1.0}) {
        const Named cut = ClustersOf(index, threshold);
        EXPECT_EQ(SetsOf(cut), Connected(documents, threshold)) << threshold;
        if (threshold == kThreshold) continue;
        for (const auto& [name, ids] : cut) {
          const auto whole = clusters.find(name.substr(0, name.find('/')));
          ASSERT_NE(whole, clusters.end()) << name;
          EXPECT_TRUE(
              std::includes(whole->second.begin(), whole->second.end(), ids.begin(), ids.end()))
              << name;
          if (ids != whole->second) ++cut_apart;
        }
      }
    }
    for (const auto& [change, count] : replay.changes()) changes[change] += count;
  }
  for (const char* const change : {"added", "joined", "merged", "split", "removed"}) {
    EXPECT_GT(changes[change], 25) << change;
  }
  EXPECT_GT(cut_apart, 100U);
}

/// A chain: each document is like the one before it and the one behind it.
const std::vector<Document> kChain = {{"a", "1 2 3 4 5 6"},
                                      {"b", "3 4 5 6 7 8"},
                                      {"c", "5 6 7 8 9 10"},
                                      {"d", "7 8 9 10 11 12"},
                                      {"e", "9 10 11 12 13 14"}};

/// Returns documents that are all alike: each has a word of its own.
std::vector<Document> FamilyOf(size_t count) {
  std::vector<Document> family;
  for (size_t i = 0; i < count; ++i) {
    family.push_back({"d" + std::to_string(i), "p q r s t u v w x own" + std::to_string(i)});
  }
  return family;
}

TEST(IndexClustersTest, TheOldestNameStaysWhereClustersMerge) {
  Index index = OpenNew();
  Add(index, {kChain[4], kChain[3], kChain[0], kChain[1]});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"d", "e"}}, {"c3", {"a", "b"}}}));
  Add(index, {kChain[2]});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"a", "b", "c", "d", "e"}}}));
  std::vector<std::string> lines;
  Must(index.Changes(4, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  }));
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                R"({"seq":5,"change":"merged","cluster":"c1","documents":[],"from":["c3"]})",
                R"({"seq":6,"change":"joined","cluster":"c1","documents":["c"],"from":[]})"}));
}

TEST(IndexClustersTest, TheLargestPartKeepsTheNameWhereOneIsSplit) {
  Index index = OpenNew();
  Add(index, kChain);
  Remove(index, {"b"});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"c", "d", "e"}}}));
  // The part that was split off took the number of a document; the older name stays again.
  Add(index, {{"a2", kChain[0].text}});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"c", "d", "e"}}, {"c6", {"a", "a2"}}}));
  Add(index, {kChain[1]});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"a", "a2", "b", "c", "d", "e"}}}));
}

TEST(IndexClustersTest, DocumentsOfAPartAreNamedInTheOrderOfAdding) {
  Index index = OpenNew();
  Add(index, {{"z", "0 1 2 3 4"}, kChain[0], kChain[1], kChain[2], kChain[3], kChain[4]});
  Remove(index, {"b"});
  std::string last;
  Must(index.Changes(0, [&](std::string_view line) {
    last = line;
    return true;
  }));
  const auto split = nlohmann::json::parse(last);
  EXPECT_EQ(split["change"], "split");
  EXPECT_EQ(split["documents"], (std::vector<std::string>{"z", "a"}));
}

TEST(IndexClustersTest, ALinkJoinsEachClusterHoweverManyLinksThereAre) {
  Index index = OpenNew();
  Add(index, {{"other", "p q r z1 z2 z3 z4"}});
  Add(index, FamilyOf(70));
  ASSERT_EQ(ClustersOf(index).size(), 1U);
  // More like each of the family than like the other one.
  Add(index, {{"both", "p q r s t u v w x z1 z2 z3 z4"}});
  Must(index.Check());
  const Named clusters = ClustersOf(index);
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters.begin()->second.size(), 72U);
}

TEST(IndexClustersTest, ANameOutlivesTheDocumentThatItBeganWith) {
  Index index = OpenNew();
  Add(index, {kChain[0], {"copy", kChain[0].text}, kChain[1]});
  Remove(index, {"a"});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"b", "copy"}}}));
  Remove(index, {"copy"});
  Add(index, {kChain[2]});
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"b", "c"}}}));
}

TEST(IndexClustersTest, DocumentsWithoutFeaturesAreAlone) {
  Index index = OpenNew();
  Add(index, {{"a", "x y"}, {"b", "x y"}, {"c", ""}, {"d", ""}});
  EXPECT_EQ(ClustersOf(index), Named());
  Replay replay;
  replay.Follow(index);
  Remove(index, {"a", "c"});
  replay.Follow(index);
  EXPECT_EQ(replay.Clusters(), ClustersOf(index));
  EXPECT_EQ(replay.changes(), (std::map<std::string, int>{{"added", 4}, {"removed", 2}}));
}

TEST(IndexClustersTest, ALargeFamilyIsOneClusterOfFewLinks) {
  constexpr size_t kCount = 300, kMostLinks = 64;
  Index index = OpenNew();
  Add(index, FamilyOf(kCount));
  ASSERT_EQ(ClustersOf(index).size(), 1U);
  EXPECT_EQ(ClustersOf(index).begin()->second.size(), kCount);
  size_t ends = 0, expected = 0;
  const auto view = index.state().store->View();
  const auto cursor = view->Scan(Family::kEdges, true);
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) ++ends;
  for (size_t i = 0; i < kCount; ++i) expected += 2 * std::min(i, kMostLinks);
  EXPECT_EQ(ends, expected);
  Must(index.Check());
}

// Links that were never made are looked for when others go.
TEST(IndexClustersTest, WhatIsLeftOfALargeFamilyIsStillOneCluster) {
  // A new document is linked with 64 others at most, the oldest ones.
  Index index = OpenNew();
  Add(index, FamilyOf(66));
  std::vector<std::string> oldest;
  for (size_t i = 0; i < 64; ++i) oldest.push_back("d" + std::to_string(i));
  Remove(index, oldest);
  Must(index.Check());
  EXPECT_EQ(ClustersOf(index), (Named{{"c1", {"d64", "d65"}}}));
}

TEST(IndexClustersTest, ListsEndWhenTheyAreToldTo) {
  Index index = OpenNew();
  Add(index, {kChain[0], kChain[1], kChain[3], kChain[4]});
  int clusters = 0, changes = 0;
  Must(index.Clusters(0, [&](const IndexCluster&) { return ++clusters < 1; }));
  Must(index.Changes(0, [&](std::string_view) { return ++changes < 3; }));
  EXPECT_EQ(clusters, 1);
  EXPECT_EQ(changes, 3);
  Must(index.Changes(4, [&](std::string_view) { return ++changes < 3; }));
  EXPECT_EQ(changes, 3);
}

TEST(IndexClustersTest, ClustersThatAreNotThereAreRefused) {
  const Index index = OpenNew();
  const auto take = [](const IndexCluster&) { return true; };
  EXPECT_FALSE(index.Clusters(.4, take));
  const Index without = OpenNew(false);
  EXPECT_FALSE(without.Clusters(0, take));
  EXPECT_FALSE(without.Changes(0, [](std::string_view) { return true; }));
}

}  // namespace
}  // namespace lookalike
