#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

std::string Write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/evaluate_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string Line(const std::string& a, const std::string& b, const std::string& resemblance) {
  return R"({"a": ")" + a + R"(", "b": ")" + b + R"(", "resemblance": )" + resemblance + "}\n";
}

TEST(EvaluateTest, CountsOnlyPairsFromTheThresholdOn) {
  const std::string truth =
      Write("truth.jsonl", Line("a", "b", "1.0") + Line("a", "c", "0.8") + Line("b", "c", "0.84") +
                               "\n" + Line("x", "y", "0.79"));
  const std::string result =
      Write("result.jsonl", Line("b", "a", "1") + Line("c", "a", "0.8") + Line("a", "c", "0.8") +
                                Line("a", "none", "0.95") + Line("x", "y", "0.79"));
  const auto e = Evaluate(result, truth, .8);
  ASSERT_TRUE(e.has_value()) << e.error().ToString();
  EXPECT_EQ(e->found, 3u);
  EXPECT_EQ(e->expected, 3u);
  EXPECT_EQ(e->correct, 2u);
  EXPECT_DOUBLE_EQ(e->precision, 2. / 3);
  EXPECT_DOUBLE_EQ(e->recall, 2. / 3);
  EXPECT_DOUBLE_EQ(e->f1, 2. / 3);
  ASSERT_EQ(e->by_resemblance.size(), 4u);
  EXPECT_EQ(e->by_resemblance[0].from, .8);
  EXPECT_EQ(e->by_resemblance[0].to, .85);
  EXPECT_EQ(e->by_resemblance[0].expected, 2u);
  EXPECT_EQ(e->by_resemblance[0].found, 1u);
  EXPECT_EQ(e->by_resemblance[3].to, 1);
  EXPECT_EQ(e->by_resemblance[3].expected, 1u);
  EXPECT_EQ(e->by_resemblance[3].found, 1u);
}

TEST(EvaluateTest, RatiosOfNothing) {
  const std::string none = Write("none.jsonl", ""), one = Write("one.jsonl", Line("a", "b", "0.9"));
  const auto both = Evaluate(none, none, .8), missed = Evaluate(none, one, .8);
  ASSERT_TRUE(both.has_value() && missed.has_value());
  EXPECT_EQ(both->precision, 1);
  EXPECT_EQ(both->recall, 1);
  EXPECT_EQ(both->f1, 1);
  EXPECT_EQ(missed->precision, 1);
  EXPECT_EQ(missed->recall, 0);
  EXPECT_EQ(missed->f1, 0);
}

TEST(EvaluateTest, BinsEndAtOne) {
  const std::string none = Write("none.jsonl", "");
  for (double threshold : {0., .5, .82, .97, 1.}) {
    const auto e = Evaluate(none, none, threshold);
    ASSERT_TRUE(e.has_value());
    EXPECT_EQ(e->by_resemblance.front().from, threshold);
    EXPECT_EQ(e->by_resemblance.back().to, 1);
  }
}

std::string Removal(const std::string& id, const std::string& witness,
                    const std::string& resemblance) {
  return R"({"id": ")" + id + R"(", "source": "s", "row": 2, "kind": "near", "duplicate_of": ")" +
         witness + R"(", "resemblance": )" + resemblance + "}\n";
}

// Two of three similar documents are removed, with the first as witness: three pairs, two removals.
TEST(EvaluateTest, RemovalsAreScoredByWhatIsLeft) {
  const std::string truth =
      Write("all.jsonl", Line("a", "b", "0.9") + Line("a", "c", "0.9") + Line("b", "c", "0.85") +
                             Line("p", "q", "0.95") + Line("u", "v", "0.99"));
  const std::string removed =
      Write("removals.jsonl", Removal("b", "a", "0.9") + Removal("c", "a", "0.9") +
                                  Removal("x", "y", "0.8") + Removal("u", "w", "0.7"));
  const auto e = Evaluate(removed, truth, .8);
  ASSERT_TRUE(e.has_value()) << e.error().ToString();
  EXPECT_TRUE(e->of_removals);
  EXPECT_EQ(e->found, 3u) << "a removal below the threshold is neither right nor wrong";
  EXPECT_EQ(e->correct, 2u);
  EXPECT_DOUBLE_EQ(e->precision, 2. / 3);
  EXPECT_EQ(e->expected, 5u);
  EXPECT_EQ(e->expected_found, 4u) << "of p and q both stay";
  EXPECT_DOUBLE_EQ(e->recall, .8);
  EXPECT_EQ(e->by_resemblance[1].expected, 1u);
  EXPECT_EQ(e->by_resemblance[1].found, 1u) << "b and c";

  const auto pairs = Evaluate(truth, truth, .8);
  ASSERT_TRUE(pairs.has_value());
  EXPECT_FALSE(pairs->of_removals);
}

TEST(EvaluateTest, WhatAFileHoldsIsToldByItsLines) {
  const std::string pairs = Write("pairs.jsonl", Line("a", "b", "0.9"));
  const std::string removals = Write("some.jsonl", Removal("b", "a", "0.9"));
  const auto as_truth = Evaluate(pairs, removals, .8);
  ASSERT_FALSE(as_truth.has_value());
  EXPECT_NE(as_truth.error().what.find("$<truth> must be a pairs file"), std::string::npos);
  const std::string both = Write("both.jsonl", Line("a", "b", "0.9") + Removal("b", "a", "0.9"));
  const auto mixed = Evaluate(both, pairs, .8);
  ASSERT_FALSE(mixed.has_value());
  EXPECT_EQ(mixed.error().where, both + ":2");
  const std::string folder = ::testing::TempDir() + "/evaluate_none";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/removed.jsonl").flush();
  const auto none = Evaluate(folder, pairs, .8);
  ASSERT_TRUE(none.has_value());
  EXPECT_TRUE(none->of_removals);
  EXPECT_EQ(none->recall, 0);
}

TEST(EvaluateTest, ReadsADedupFolder) {
  const std::string folder = ::testing::TempDir() + "/evaluate_folder";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/removed.jsonl")
      << R"({"id": "b", "source": "s", "row": 2, "kind": "near", "duplicate_of": "a", )"
      << R"("resemblance": 0.9, "cluster": 1})"
      << "\n";
  const auto e = Evaluate(folder, Write("pair.jsonl", Line("a", "b", "0.9")), .8);
  ASSERT_TRUE(e.has_value()) << e.error().ToString();
  EXPECT_EQ(e->correct, 1u);
}

TEST(EvaluateTest, ManyLinesThroughTheBuffer) {
  std::string all;
  for (int i = 0; i < 60000; ++i) all += Line("a" + std::to_string(i), "b", "0.9");
  all.pop_back();
  const std::string path = Write("many.jsonl", all);
  const auto e = Evaluate(path, path, .8);
  ASSERT_TRUE(e.has_value()) << e.error().ToString();
  EXPECT_EQ(e->correct, 60000u);
}

TEST(EvaluateTest, MalformedLinesAreNamed) {
  const std::string good = Write("good.jsonl", Line("a", "b", "0.9"));
  for (const char* bad :
       {"{", "[]", "5", R"({"a": "x", "b": "y"})", R"({"a": 1, "b": "y", "resemblance": 1})",
        R"({"id": "x", "resemblance": 1})", R"({"a": "x", "b": "y", "resemblance": "1"})"}) {
    const std::string path = Write("bad.jsonl", Line("a", "b", "0.9") + "\n" + bad + "\n");
    const auto e = Evaluate(path, good, .8);
    ASSERT_FALSE(e.has_value()) << bad;
    EXPECT_EQ(e.error().where, path + ":3");
  }
  EXPECT_FALSE(Evaluate("/no/such/file", good, .8).has_value());
  EXPECT_FALSE(Evaluate(good, good, 1.5).has_value());
}

}  // namespace
}  // namespace lookalike
