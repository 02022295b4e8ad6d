#include "lookalike/result_lists.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "engine/must.h"
#include "lookalike/decisions.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;

std::vector<Json> ReadLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
  return lines;
}

/// Writes documents of some of 12 words, with ids that look like members of a list.
std::string WriteCorpus(const std::string& name, uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  std::vector<std::string> topics(12);  // so that there are several clusters
  for (std::string& topic : topics) {
    for (int k = 0; k < 12; ++k) topic += "t" + std::to_string(random() % 1000) + " ";
  }
  const std::string path = ::testing::TempDir() + name;
  std::ofstream file(path, std::ios::binary);
  for (size_t i = 0; i < count; ++i) {
    std::string text = topics[random() % topics.size()];
    for (size_t k = 0; k < 8; ++k) text += "w" + std::to_string(random() % 2 + 2 * k) + " ";
    const std::string id = std::to_string(random() % 20) + "\", \"cluster\": 3, \"x\\n";
    file << Json{{"id", id}, {"text", text}}.dump() << "\n";
  }
  return path;
}

Json JsonOf(const ListedRemoval& removal) {
  Json json = {{"id", removal.document.id},          {"source", removal.document.source},
               {"row", removal.document.row},        {"kind", KindName(removal.kind)},
               {"duplicate_of", removal.witness.id}, {"duplicate_of_row", removal.witness.row},
               {"resemblance", removal.resemblance}};
  return json;
}

// The lists are read as a naive reader reads them, with all settings that change their form.
TEST(ResultListsTest, EveryLineIsFoundByItsCluster) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const std::string input = WriteCorpus("lists_" + std::to_string(seed) + ".jsonl", seed, 300);
    const std::string folder = input + ".out";
    Options options;
    options.shingle = "word:1";
    options.threshold = 0.6;
    options.method = "exact";
    options.cluster = seed % 2 == 0 ? "leader" : "components";
    options.overwrite = true;
    Must(Dedup({input}, folder, options));
    const ResultLists lists = Must(ResultLists::Open(folder));
    EXPECT_EQ(lists.options().threshold, 0.6);
    EXPECT_EQ(lists.options().shingle, "word:1");
    std::map<uint64_t, std::vector<Json>> removed;
    for (Json& line : ReadLines(folder + "/removed.jsonl")) {
      const uint64_t cluster = line["cluster"];
      line.erase("cluster");
      line.erase("duplicate_of_source");
      removed[cluster].push_back(line);
    }
    const auto clusters = ReadLines(folder + "/clusters.jsonl");
    ASSERT_EQ(lists.clusters(), clusters.size());
    ASSERT_GT(clusters.size(), 3U);
    for (uint64_t number = 1; number <= clusters.size(); ++number) {
      const ListedCluster cluster = Must(lists.Cluster(number));
      EXPECT_EQ(cluster.size, clusters[number - 1]["size"]);
      ASSERT_EQ(cluster.kept.size(), clusters[number - 1]["kept"].size());
      for (size_t i = 0; i < cluster.kept.size(); ++i) {
        EXPECT_EQ(cluster.kept[i].id, clusters[number - 1]["kept"][i]);
      }
      std::vector<Json> found;
      for (uint64_t first = 0; first < cluster.removed; first += 7) {
        for (const auto& each : Must(lists.Removals(number, first, 7))) {
          found.push_back(JsonOf(each));
        }
      }
      EXPECT_EQ(found, removed[number]);
    }
  }
}

TEST(ResultListsTest, APlaceNamesOneDocument) {
  EXPECT_EQ(PlaceOf({"a", "in:1.jsonl", 12, false}), "in:1.jsonl:12");
  EXPECT_EQ(PlaceOf({"a", "in.jsonl", 1, true}), "against:in.jsonl:1");
  EXPECT_EQ(PlaceOf({"a", "", 0, false}), "");
}

TEST(ResultListsTest, ContainmentDecidesByTheLargerShare) {
  ListedRemoval removal;
  removal.resemblance = 0.25;
  EXPECT_EQ(removal.score(), 0.25);
  removal.containment_ab = 0.5;
  removal.containment_ba = 0.75;
  EXPECT_EQ(removal.score(), 0.75);
}

TEST(DecisionFileTest, WhatIsWrittenIsRead) {
  const std::string path = ::testing::TempDir() + "decisions.jsonl";
  const auto write = [&](const std::vector<Decision>& decisions) {
    Must(ChangeDecisions(path, [&](std::vector<Decision>* all) -> Status {
      *all = decisions;
      return {};
    }));
  };
  EXPECT_TRUE(Must(ReadDecisions(path + ".nothing")).empty());
  const std::vector<Decision> decisions = {
      {1, DecisionKind::kKeep, 5, {{"c", "in.jsonl", 3, false}}, "9f"},
      {4, DecisionKind::kSplit, 7, {{"\"\n\xE2\x80\xAE", "in.jsonl", 8, true}}, ""},
      {9, DecisionKind::kMerge, 1, {{"a", "x", 1, false}, {"a", "y", 2, false}}, ""},
      {12, DecisionKind::kNone, 1, {}, ""}};
  write(decisions);
  const auto read = Must(ReadDecisions(path));
  ASSERT_EQ(read.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read[i].number, decisions[i].number);
    EXPECT_EQ(read[i].kind, decisions[i].kind);
    EXPECT_EQ(read[i].cluster, decisions[i].cluster);
    EXPECT_EQ(read[i].documents, decisions[i].documents);
    EXPECT_EQ(read[i].result, decisions[i].result);
  }
  const Status refused =
      ChangeDecisions(path, [](std::vector<Decision>*) -> Status { return UsageError("not now"); });
  EXPECT_FALSE(refused);
  EXPECT_EQ(Must(ReadDecisions(path)).size(), 4U);
  write({});
  EXPECT_TRUE(Must(ReadDecisions(path)).empty());
}

}  // namespace
}  // namespace lookalike
