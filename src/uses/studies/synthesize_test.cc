#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fingerprint/feature_extractor.h"
#include "lookalike/lookalike.h"
#include "uses/studies/synthetic_corpus.h"

namespace lookalike {
namespace {

std::string TempPath(const std::string& name) { return ::testing::TempDir() + "/" + name; }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<nlohmann::ordered_json> ReadRows(const std::string& path) {
  std::vector<nlohmann::ordered_json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    rows.push_back(nlohmann::ordered_json::parse(line));
  }
  return rows;
}

uint64_t Fnv(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

TEST(SyntheticCorpusTest, BytesNeverChange) {
  std::string all;
  const SyntheticCorpus corpus(5, .3);
  for (uint64_t i = 0; i < 200; ++i) all += corpus.Text(i) + '\0';
  EXPECT_EQ(Fnv(all), 18432337131601327658ULL);
}

TEST(SyntheticCorpusTest, SeedsDiffer) {
  EXPECT_NE(SyntheticCorpus(1, .3).Text(0), SyntheticCorpus(2, .3).Text(0));
}

TEST(SyntheticCorpusTest, ShareOfDuplicates) {
  for (double share : {0., .3, .9, 1.}) {
    const SyntheticCorpus corpus(7, share);
    int made = 0;
    for (uint64_t i = 0; i < 4000; ++i) made += corpus.SourceOf(i) != i;
    EXPECT_NEAR(made / 4000., share, .03) << share;
  }
}

TEST(SyntheticCorpusTest, LengthsAreLogNormal) {
  const SyntheticCorpus corpus(3, 0);
  std::vector<size_t> words;
  FeatureExtractor extractor({.shingle = {ShingleSpec::Kind::kWord, 1}});
  for (uint64_t i = 0; i < 2000; ++i) words.push_back(extractor.Features(corpus.Text(i)).size());
  std::sort(words.begin(), words.end());
  EXPECT_NEAR(static_cast<double>(words[1000]), 150, 15);
  EXPECT_NEAR(static_cast<double>(words[320]), 64, 10);
  EXPECT_NEAR(static_cast<double>(words[1680]), 350, 50);
}

TEST(SyntheticCorpusTest, WordsFollowZipf) {
  const SyntheticCorpus corpus(3, 0);
  std::map<uint64_t, int> uses;
  int total = 0;
  FeatureExtractor extractor({.shingle = {ShingleSpec::Kind::kWord, 1}});
  for (uint64_t i = 0; i < 500; ++i) {
    for (uint64_t word : extractor.Features(corpus.Text(i))) ++uses[word], ++total;
  }
  const int most =
      std::ranges::max_element(uses, {}, [](const auto& u) { return u.second; })->second;
  EXPECT_GT(most, total / 60);
  EXPECT_LT(most, total / 12);
  EXPECT_GT(uses.size(), 8000u);
}

TEST(SynthesizeTest, EqualArgumentsGiveEqualBytes) {
  ASSERT_TRUE(Synthesize(TempPath("a.jsonl"), 300, 9, .3, TempPath("a.truth")));
  ASSERT_TRUE(Synthesize(TempPath("b.jsonl"), 300, 9, .3, TempPath("b.truth")));
  EXPECT_EQ(ReadFile(TempPath("a.jsonl")), ReadFile(TempPath("b.jsonl")));
  EXPECT_EQ(ReadFile(TempPath("a.truth")), ReadFile(TempPath("b.truth")));
  EXPECT_FALSE(std::filesystem::exists(TempPath("a.jsonl.partial")));
}

// Computes the truth pair by pair, as rows of a pairs file.
std::vector<nlohmann::ordered_json> BruteForce(const std::vector<nlohmann::ordered_json>& rows) {
  std::vector<std::vector<uint64_t>> sets(rows.size());
  FeatureExtractor extractor{FeatureSpec{}};
  for (size_t i = 0; i < rows.size(); ++i) {
    MakeFeatureSet(extractor.Features(rows[i]["text"].get<std::string>()), &sets[i]);
  }
  std::vector<nlohmann::ordered_json> truth;
  for (size_t a = 0; a < sets.size(); ++a) {
    for (size_t b = a + 1; b < sets.size(); ++b) {
      std::vector<uint64_t> common;
      std::ranges::set_intersection(sets[a], sets[b], std::back_inserter(common));
      const size_t all = sets[a].size() + sets[b].size() - common.size();
      const double r = static_cast<double>(common.size()) / static_cast<double>(all);
      if (r >= .5) {
        truth.push_back({{"a", rows[a]["id"]},
                         {"b", rows[b]["id"]},
                         {"resemblance", r},
                         {"common", common.size()},
                         {"size_a", sets[a].size()},
                         {"size_b", sets[b].size()}});
      }
    }
  }
  return truth;
}

TEST(SynthesizeTest, TruthIsEveryPairFromOneHalfOn) {
  ASSERT_TRUE(Synthesize(TempPath("c.jsonl"), 700, 4, .4, TempPath("c.truth")));
  const auto rows = ReadRows(TempPath("c.jsonl")), truth = ReadRows(TempPath("c.truth"));
  ASSERT_EQ(rows.size(), 700u);
  EXPECT_EQ(rows[0]["id"], "d000001");
  EXPECT_EQ(truth, BruteForce(rows));
  EXPECT_GT(truth.size(), 200u);
}

TEST(SynthesizeTest, ResemblancesSpreadFromOneHalfToOne) {
  ASSERT_TRUE(Synthesize(TempPath("d.jsonl"), 3000, 6, .3, TempPath("d.truth")));
  int bins[10] = {}, same = 0;
  std::set<std::string> texts;
  for (const auto& row : ReadRows(TempPath("d.truth"))) {
    const double r = row["resemblance"];
    same += r == 1;
    if (r < 1) ++bins[static_cast<int>((r - .5) * 20)];
  }
  for (int bin : bins) EXPECT_GT(bin, 30);
  EXPECT_GT(same, 100);
  for (const auto& row : ReadRows(TempPath("d.jsonl"))) texts.insert(row["text"]);
  EXPECT_LT(texts.size(), 2950u);                                // Identical copies,
  EXPECT_GT(texts.size(), 3000u - static_cast<unsigned>(same));  // and others only in form.
}

TEST(SynthesizeTest, EmptyCorpusAndBadArguments) {
  ASSERT_TRUE(Synthesize(TempPath("e.jsonl"), 0, 1, .3, TempPath("e.truth")));
  EXPECT_EQ(ReadFile(TempPath("e.jsonl")) + ReadFile(TempPath("e.truth")), "");
  EXPECT_FALSE(Synthesize(TempPath("e.jsonl"), 1, 1, 1.5, ""));
  EXPECT_FALSE(Synthesize(TempPath("e.jsonl"), 1, 1, .5, TempPath("e.jsonl")));
  EXPECT_FALSE(Synthesize(TempPath("no/such/folder/e.jsonl"), 1, 1, .5, ""));
}

}  // namespace
}  // namespace lookalike
