#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

std::string Write(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/compare_" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Options WordsOf(const std::string& shingle) {
  Options options;
  options.shingle = shingle;
  return options;
}

TEST(CompareTextsTest, CountsAndMeasures) {
  const auto r = CompareTexts("a b c d", "A b c d e!", WordsOf("word:1"));
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(r->common, 4u);
  EXPECT_EQ(r->size_a, 4u);
  EXPECT_EQ(r->size_b, 5u);
  EXPECT_EQ(r->resemblance, .8);
  EXPECT_EQ(r->containment_ab, 1);
  EXPECT_EQ(r->containment_ba, .8);
  ASSERT_EQ(r->passages.size(), 1u);
  EXPECT_EQ(r->passages[0].b_end, 7u);
}

/// Expects that a comparison ends when cancelled at any of a sample of its questions.
void ExpectInterruptions(std::string_view a, std::string_view b, const Options& options) {
  int asked = 0;
  Observer never;
  never.cancelled = [&] { return ++asked < 0; };
  ASSERT_TRUE(CompareTexts(a, b, options, never));
  ASSERT_GT(asked, 5);
  for (int last = 1; last <= asked; last += asked / 5) {
    int left = last;
    Observer observer;
    observer.cancelled = [&] { return --left <= 0; };
    const auto ended = CompareTexts(a, b, options, observer);
    ASSERT_FALSE(ended) << last;
    EXPECT_EQ(ended.error().what, "interrupted");
  }
}

TEST(CompareTextsTest, IsInterruptedBetweenItsPieces) {
  std::string a, b;
  for (int i = 0; i < 20'000; ++i) {
    a += "w" + std::to_string(i * 7 % 20'000) + " ";
    b += "w" + std::to_string(i * 11 % 20'000) + " ";
  }
  ExpectInterruptions(a, b, WordsOf("word:1"));
  Options edits;
  edits.distance = "edit";
  ExpectInterruptions(a.substr(0, 10'000), b.substr(0, 10'000), edits);
}

// The memory is never touched, so it takes no space.
TEST(CompareTextsTest, RefusesTextsWhoseNormalFormMayBeTooLong) {
  const size_t size = size_t{1} << 28;
  const std::unique_ptr<char, decltype(&std::free)> bytes(static_cast<char*>(std::calloc(size, 1)),
                                                          &std::free);
  ASSERT_NE(bytes, nullptr);
  const auto r = CompareTexts("a", std::string_view(bytes.get(), size), Options());
  ASSERT_FALSE(r.has_value());
  EXPECT_NE(r.error().what.find("268435456 bytes is too long to compare"), std::string::npos);
}

TEST(CompareTextsTest, RepeatedShinglesCountOnce) {
  const auto r = CompareTexts("x y x y x y", "x y", WordsOf("word:2"));
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(r->size_a, 2u);
  EXPECT_EQ(r->common, 1u);
}

TEST(CompareTextsTest, WithoutFeaturesMeasuresAreZero) {
  for (const auto& [a, b] :
       {std::pair("", ""), std::pair("!?", "words here"), std::pair("w", "")}) {
    const auto r = CompareTexts(a, b, Options{});
    ASSERT_TRUE(r.has_value());
    EXPECT_EQ(r->resemblance + r->containment_ab + r->containment_ba, 0);
    EXPECT_TRUE(r->passages.empty());
  }
}

TEST(CompareTextsTest, InvalidBytesAreReplaced) {
  const auto r = CompareTexts("caf\xe9 one", "x", WordsOf("word:1"));
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(r->text_a, "caf\ufffd one");
}

TEST(CompareTextsTest, BadShingleIsAnError) {
  EXPECT_FALSE(CompareTexts("a", "b", WordsOf("word:0")).has_value());
}

TEST(CompareTest, WholeFiles) {
  const auto r = Compare(Write("x.txt", "one two three four five six"),
                         Write("y#1.txt", "One, two, three, four, five"), Options{});
  ASSERT_TRUE(r.has_value()) << r.error().ToString();
  EXPECT_EQ(r->common, 1u);
  EXPECT_EQ(r->size_a, 2u);
}

TEST(CompareTest, RecordsOfACollection) {
  const std::string path = Write("c.jsonl",
                                 "{\"id\": \"p\", \"text\": \"a b c\"}\n"
                                 "{\"id\": \"q#2\", \"text\": \"a b c d\"}\n"
                                 "broken\n{\"text\": \"b c\"}\n");
  const auto r = Compare(path + "#p", path + "#q#2", WordsOf("word:1"));
  ASSERT_TRUE(r.has_value()) << r.error().ToString();
  EXPECT_EQ(r->resemblance, .75);
  const std::string name = std::filesystem::path(path).filename().string();
  const auto by_row = Compare(path + "#p", path + "#" + name + ":4", WordsOf("word:1"));
  ASSERT_TRUE(by_row.has_value()) << by_row.error().ToString();
  EXPECT_EQ(by_row->text_b, "b c");
}

TEST(CompareTest, MissingThingsAreNamed) {
  const std::string path = Write("d.jsonl", "{\"id\": \"p\", \"text\": \"a b c\"}\n");
  const auto no_record = Compare(path + "#nobody", path + "#p", Options{});
  ASSERT_FALSE(no_record.has_value());
  EXPECT_EQ(no_record.error().where, path);
  EXPECT_NE(no_record.error().what.find("nobody"), std::string::npos);
  const auto no_file = Compare("/no/such/file#x", path + "#p", Options{});
  ASSERT_FALSE(no_file.has_value());
  EXPECT_EQ(no_file.error().where, "/no/such/file#x");
}

}  // namespace
}  // namespace lookalike
