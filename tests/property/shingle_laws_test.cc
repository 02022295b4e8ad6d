// Properties of the shingles of every text, and the effect of edits on resemblance.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

using Words = std::vector<std::string>;

std::string Join(const Words& words, const std::string& between = " ") {
  std::string text;
  for (const std::string& word : words) text += text.empty() ? word : between + word;
  return text;
}

std::vector<uint64_t> StreamOf(std::string_view text, const std::string& shingle) {
  FeatureExtractor extractor({.shingle = *ParseShingle(shingle)});
  const auto features = extractor.Features(text);
  return {features.begin(), features.end()};
}

std::vector<uint64_t> SetOf(std::string_view text, const std::string& shingle) {
  std::vector<uint64_t> set;
  MakeFeatureSet(StreamOf(text, shingle), &set);
  return set;
}

Words Distinct(size_t count, const std::string& prefix = "w") {
  Words words;
  for (size_t i = 0; i < count; ++i) words.push_back(fmt::format("{}{}", prefix, i));
  return words;
}

// n - w + 1 windows; fewer words than w are one shingle of them all, because without it every short
// text would be unlike every other.
RC_GTEST_PROP(ShingleLawsTest, L5CountOfWindows, ()) {
  const auto n = static_cast<size_t>(*rc::gen::inRange(0, 90));
  const auto w = static_cast<size_t>(*rc::gen::inRange(1, 65));
  const size_t expected = n >= w ? n - w + 1 : n > 0 ? 1 : 0;
  RC_ASSERT(StreamOf(Join(Distinct(n)), fmt::format("word:{}", w)).size() == expected);
  const std::string letters(n, 'a');
  RC_ASSERT(StreamOf(letters, fmt::format("char:{}", w)).size() == expected);
  RC_ASSERT(StreamOf(letters, fmt::format("byte:{}", w)).size() == expected);
}

// Exercise 3.2.3 of MMDS: n bytes have at most n - k + 1.
TEST(ShingleLawsTest, L5RepetitionsMakeFewerInTheSet) {
  EXPECT_EQ(SetOf("abcdabd", "char:2").size(), 5u);
  EXPECT_EQ(SetOf(std::string(40, 'a'), "char:9").size(), 1u);
}

RC_GTEST_PROP(ShingleLawsTest, L5WhatIsNotAskedForDoesNotCount, ()) {
  Words words, shouted;
  const int count = *rc::gen::inRange(1, 30);
  for (int i = 0; i < count; ++i) {
    words.push_back(*rc::gen::nonEmpty(rc::gen::string<std::string>()));
    std::string& word = words.back();
    for (char& c : word) c = static_cast<char>('a' + static_cast<unsigned char>(c) % 26);
    shouted.push_back(word);
    for (char& c : shouted.back()) c = static_cast<char>(c - 'a' + 'A');
  }
  const std::string text = Join(words);
  const std::string blanks = *rc::gen::element<std::string>("  ", "\t", " \n ", "\r\n", " \t \t ");
  const std::string signs = *rc::gen::element<std::string>(", ", " - ", ". ", "!? ");
  for (const std::string shingle : {"word:1", "word:4", "word:8"}) {
    const auto features = StreamOf(text, shingle);
    RC_ASSERT(StreamOf(Join(shouted), shingle) == features);
    RC_ASSERT(StreamOf(Join(words, blanks), shingle) == features);
    RC_ASSERT(StreamOf(Join(words, signs), shingle) == features);
    RC_ASSERT(StreamOf("\n " + text + "... \t", shingle) == features);
  }
  RC_ASSERT(StreamOf(Join(words, blanks), "char:5") == StreamOf(text, "char:5"));
  RC_ASSERT(StreamOf(Join(shouted), "char:5") == StreamOf(text, "char:5"));
}

// The shingles of a text stay when other texts are put before and after it.
RC_GTEST_PROP(ShingleLawsTest, L5PrefixesAndSuffixesOnlyAdd, ()) {
  const auto length = [] { return static_cast<size_t>(*rc::gen::inRange(0, 20)); };
  const Words before = Distinct(length(), "a"), text = Distinct(5 + length()),
              after = Distinct(length(), "z");
  Words whole = before;
  whole.insert(whole.end(), text.begin(), text.end());
  whole.insert(whole.end(), after.begin(), after.end());
  const auto inside = StreamOf(Join(text), "word:5"), all = StreamOf(Join(whole), "word:5");
  RC_ASSERT(std::equal(inside.begin(), inside.end(),
                       all.begin() + static_cast<ptrdiff_t>(before.size())));
}

// Blocks in another order: w - 1 shingles cross each joint, and only those change.
RC_GTEST_PROP(ShingleLawsTest, L5ReorderingBlocksChangesTheJointsOnly, ()) {
  constexpr size_t kBlocks = 6, kBlock = 30;
  const auto w = static_cast<size_t>(*rc::gen::inRange(1, 12));
  std::mt19937_64 random(*rc::gen::arbitrary<uint64_t>());
  std::vector<size_t> order = {0, 1, 2, 3, 4, 5};
  std::shuffle(order.begin(), order.end(), random);
  const Words words = Distinct(kBlocks * kBlock);
  Words moved;
  size_t kept_joints = 0;
  for (size_t i = 0; i < kBlocks; ++i) {
    const auto begin = words.begin() + static_cast<ptrdiff_t>(kBlock * order[i]);
    moved.insert(moved.end(), begin, begin + kBlock);
    kept_joints += i > 0 && order[i] == order[i - 1] + 1;
  }
  const std::string shingle = fmt::format("word:{}", w);
  const auto a = SetOf(Join(words), shingle), b = SetOf(Join(moved), shingle);
  const uint64_t others = (w - 1) * (kBlocks - 1 - kept_joints);
  RC_ASSERT(a.size() == b.size());
  RC_ASSERT(*CountCommon(a, b, 0) == a.size() - others);
}

// --- L6: the effect of an edit ------------------------------------------------------------------

struct Sizes {
  uint64_t common = 0, all = 0;
  bool operator==(const Sizes&) const = default;
};

Sizes Compare(const Words& a, const Words& b, size_t w) {
  const std::string shingle = fmt::format("word:{}", w);
  const auto x = SetOf(Join(a), shingle), y = SetOf(Join(b), shingle);
  const uint64_t common = *CountCommon(x, y, 0);
  return {common, x.size() + y.size() - common};
}

/// Replaces `gone` words at `at` by `come` others.
Words Edited(Words words, size_t at, size_t gone, size_t come) {
  const auto begin = words.begin() + static_cast<ptrdiff_t>(at);
  words.erase(begin, begin + static_cast<ptrdiff_t>(gone));
  const Words others = Distinct(come, "x");
  words.insert(words.begin() + static_cast<ptrdiff_t>(at), others.begin(), others.end());
  return words;
}

// n distinct words have s = n - w + 1 shingles. An edit inside leaves those that neither touch a
// removed word nor cross its place.
RC_GTEST_PROP(EditLawsTest, L6EditsInsideOfDistinctWords, ()) {
  const auto draw = [](size_t from, size_t to) { return *rc::gen::inRange(from, to); };
  const size_t w = draw(1, 10), n = draw(40, 200), m = draw(1, 15);
  const size_t at = draw(w, n - m - w);  // at least w words before it and after it
  const size_t s = n - w + 1;
  const Words words = Distinct(n);
  const uint64_t left = s - m - (w - 1);
  RC_ASSERT(Compare(words, Edited(words, at, m, 0), w) == (Sizes{left, s + w - 1}));
  RC_ASSERT(Compare(words, Edited(words, at, 0, m), w) == (Sizes{s - (w - 1), s + m + w - 1}));
  RC_ASSERT(Compare(words, Edited(words, at, m, m), w) == (Sizes{left, s + m + w - 1}));
  const Words shorter(words.begin(), words.end() - static_cast<ptrdiff_t>(m));
  RC_ASSERT(Compare(words, shorter, w) == (Sizes{s - m, s}));
}

TEST(EditLawsTest, L6IsolatedChanges) {
  const Words words = Distinct(1000);
  for (size_t changes = 0; changes <= 20; ++changes) {
    Words other = words;
    for (size_t i = 0; i < changes; ++i) other[20 + 45 * i] = fmt::format("x{}", i);
    EXPECT_EQ(Compare(words, other, 8), (Sizes{993 - 8 * changes, 993 + 8 * changes}));
  }
}

// The slides say that 90 % is a deleted paragraph of 50 to 60 words. It is 86; the command's case
// is tests/golden/cases/facts-2.9-edits.case.
TEST(EditLawsTest, Facts29ResemblanceAfterEdits) {
  const Words words = Distinct(1000);
  const auto after = [&](size_t gone, size_t come) {
    const Sizes sizes = Compare(words, Edited(words, 400, gone, come), 8);
    return static_cast<double>(sizes.common) / static_cast<double>(sizes.all);
  };
  EXPECT_DOUBLE_EQ(after(50, 0), .936);
  EXPECT_DOUBLE_EQ(after(60, 0), .926);
  EXPECT_DOUBLE_EQ(after(86, 0), .9);
  EXPECT_DOUBLE_EQ(after(0, 95), 986. / 1095);
  EXPECT_NEAR(after(45, 45), .9005, 5e-5);
  EXPECT_NEAR(after(60, 60), .8736, 5e-5);
}

// Words at random places, some of which share shingles: .9239, .9098, .8961 for 5, 6, 7 of them.
TEST(EditLawsTest, Facts29ChangesAtRandomPlaces) {
  const std::pair<int, double> cases[] = {{5, .9239}, {6, .9098}, {7, .8961}};
  const Words words = Distinct(1000);
  std::mt19937_64 random(29);
  for (const auto& [changes, expected] : cases) {
    constexpr int kTrials = 300;
    double sum = 0, squares = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      Words other = words;
      for (int i = 0; i < changes;) {
        std::string& word = other[random() % other.size()];
        if (word.front() == 'x') continue;
        word = fmt::format("x{}", i++);
      }
      const Sizes sizes = Compare(words, other, 8);
      const double j = static_cast<double>(sizes.common) / static_cast<double>(sizes.all);
      sum += j, squares += j * j;
    }
    const double mean = sum / kTrials, variance = squares / kTrials - mean * mean;
    EXPECT_NEAR(mean, expected, 4 * std::sqrt(variance / kTrials) + 5e-5) << changes;
  }
}

}  // namespace
}  // namespace lookalike
