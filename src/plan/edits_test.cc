#include "plan/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace lookalike {
namespace {

using Edit = EditedText::Edit;
using Words = std::vector<uint64_t>;

std::set<Words> Shingles(const Words& words, size_t w) {
  std::set<Words> shingles;
  for (size_t i = 0; i + w <= words.size(); ++i) shingles.emplace(&words[i], &words[i] + w);
  return shingles;
}

double Resemblance(const Words& a, const Words& b, size_t w) {
  const auto x = Shingles(a, w), y = Shingles(b, w);
  const auto common = static_cast<double>(
      std::count_if(x.begin(), x.end(), [&](const Words& s) { return y.contains(s); }));
  return common / (static_cast<double>(x.size() + y.size()) - common);
}

/// Makes the edit itself, on a text of the numbers 0, 1, ...; new words are large numbers.
Words Apply(Edit edit, Words words, size_t m, size_t w) {
  uint64_t fresh = 1'000'000;
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(w - 1);
  const auto end = at + static_cast<std::ptrdiff_t>(m);
  switch (edit) {
    case Edit::kRemoved:
      words.erase(at, end);
      break;
    case Edit::kRemovedEnd:
      words.resize(words.size() - m);
      break;
    case Edit::kInserted:
      for (size_t i = 0; i < m; ++i)
        words.insert(words.begin() + static_cast<long>(w - 1), ++fresh);
      break;
    case Edit::kReplaced:
      std::iota(at, end, fresh);
      break;
    case Edit::kChanged:
      for (size_t i = 0; i < m; ++i) words[(w - 1) + i * w] = ++fresh;
      break;
  }
  return words;
}

TEST(EditsTest, FormulasAreWhatTheEditsDo) {
  for (const uint64_t n : {20u, 57u, 100u}) {
    Words words(n);
    std::iota(words.begin(), words.end(), 0);
    for (const uint64_t w : {1u, 2u, 5u, 8u}) {
      const EditedText text(n, w);
      for (const Edit edit : EditedText::kEdits) {
        for (uint64_t m = 1; m <= n; ++m) {
          const auto left = text.After(edit, m);
          if (!left) {
            EXPECT_GE(m + 2 * (w - 1), n / w) << "fits";
            continue;
          }
          ASSERT_DOUBLE_EQ(*left, Resemblance(words, Apply(edit, words, m, w), w))
              << static_cast<int>(edit) << ": " << m << " of " << n << " words, shingles of " << w;
        }
      }
    }
  }
}

TEST(EditsTest, MostWordsLeaveAsMuchAndOneMoreDoesNot) {
  for (const uint64_t n : {8u, 100u, 1000u}) {
    const EditedText text(n, 8);
    for (const Edit edit : EditedText::kEdits) {
      for (const double at : {.2, .5, .9, 1.}) {
        const EditCost cost = text.MostWords(edit, at);
        EXPECT_GE(cost.resemblance, at) << "of no words, too";
        EXPECT_LT(text.After(edit, cost.words + 1).value_or(0), at) << n << ", " << cost.words;
      }
    }
  }
}

// Broder's slides say that 90 % is a deleted paragraph of 50 to 60 words. It is 86.
TEST(EditsTest, Facts29WordsThatLeaveNinetyPercent) {
  const EditedText text(1000, 8);
  EXPECT_EQ(text.MostWords(Edit::kRemoved, .9).words, 86u);
  EXPECT_EQ(text.MostWords(Edit::kRemovedEnd, .9).words, 99u);
  EXPECT_EQ(text.MostWords(Edit::kInserted, .9).words, 95u);
  EXPECT_EQ(text.MostWords(Edit::kReplaced, .9).words, 45u);
  EXPECT_EQ(text.MostWords(Edit::kChanged, .9).words, 6u);
  EXPECT_DOUBLE_EQ(text.MostWords(Edit::kRemoved, .9).resemblance, .9);
}

}  // namespace
}  // namespace lookalike
