#include "uses/distances/joins/edit_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace lookalike {
namespace {

constexpr DistanceKind kKinds[] = {DistanceKind::kEdit, DistanceKind::kIndel};

/// Returns the distance by filling in the whole table.
uint32_t FullDistance(std::u32string_view a, std::u32string_view b, DistanceKind kind) {
  const uint32_t cost = kind == DistanceKind::kEdit ? 1 : 2;
  std::vector<uint32_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    uint32_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const uint32_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : cost);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// Returns strings of which many are similar: letters are replaced, inserted and deleted in earlier
/// strings.
StringSet RandomStrings(uint32_t count, uint32_t most_letters, uint64_t seed) {
  std::mt19937_64 random(seed);
  StringSet strings;
  const auto letter = [&] { return static_cast<char32_t>(U'a' + random() % 3); };
  for (uint32_t i = 0; i < count; ++i) {
    std::u32string text;
    if (i > 5 && random() % 2 == 0) {
      text = strings.Of(random() % i);
      for (uint64_t edits = random() % 5; edits > 0 && !text.empty(); --edits) {
        const size_t at = random() % text.size();
        const uint64_t what = random() % 3;
        if (what == 0) text[at] = letter();
        if (what == 1) text.insert(at, 1, letter());
        if (what == 2) text.erase(at, 1);
      }
    } else {
      text.resize(random() % (most_letters + 1));
      for (char32_t& c : text) c = letter();
    }
    strings.Add(text);
  }
  return strings;
}

TEST(EditDistance, IsThatOfTheWholeTable) {
  const StringSet strings = RandomStrings(120, 14, 1);
  for (const DistanceKind kind : kKinds) {
    for (size_t i = 0; i < strings.size(); ++i) {
      for (size_t j = 0; j < strings.size(); ++j) {
        const uint32_t exact = FullDistance(strings.Of(i), strings.Of(j), kind);
        for (uint32_t within = 0; within <= 6; ++within) {
          const auto found = EditDistance(strings.Of(i), strings.Of(j), within, kind);
          ASSERT_EQ(found.has_value(), exact <= within) << i << " " << j << " " << within;
          if (found) {
            ASSERT_EQ(*found, exact);
          }
        }
      }
    }
  }
}

/// Returns |a| + |b| - 2 L, where L is the length of the longest common subsequence (MMDS, section
/// 3.5.5).
uint32_t ByCommonSubsequence(std::u32string_view a, std::u32string_view b) {
  std::vector<std::vector<uint32_t>> common(a.size() + 1, std::vector<uint32_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      common[i][j] = a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1
                                          : std::max(common[i - 1][j], common[i][j - 1]);
    }
  }
  return static_cast<uint32_t>(a.size() + b.size()) - 2 * common[a.size()][b.size()];
}

TEST(EditDistance, OfInsertionsAndDeletionsFollowsFromTheLongestCommonSubsequence) {
  const StringSet strings = RandomStrings(60, 12, 2);
  for (size_t i = 0; i < strings.size(); ++i) {
    for (size_t j = 0; j < strings.size(); ++j) {
      EXPECT_EQ(EditDistance(strings.Of(i), strings.Of(j), 24, DistanceKind::kIndel),
                ByCommonSubsequence(strings.Of(i), strings.Of(j)));
    }
  }
}

// The textbook's examples (MMDS, section 3.5.5 and exercise 3.5.7).
TEST(EditDistance, OfInsertionsAndDeletionsAsInTheTextbook) {
  const auto indel = [](std::u32string_view a, std::u32string_view b) {
    return EditDistance(a, b, 20, DistanceKind::kIndel);
  };
  EXPECT_EQ(indel(U"abc", U"axc"), 2U);
  EXPECT_EQ(EditDistance(U"abc", U"axc", 20), 1U);
  EXPECT_EQ(indel(U"abcde", U"acfdeg"), 3U);
  EXPECT_EQ(indel(U"abcdef", U"bdaefc"), 4U);
  EXPECT_EQ(indel(U"abccdabc", U"acbdcab"), 5U);
  EXPECT_EQ(indel(U"abcdef", U"baedfc"), 6U);
  EXPECT_EQ(indel(U"", U"abc"), 3U);
  EXPECT_EQ(indel(U"abc", U"xyz"), 6U);
}

TEST(EditDistance, KnownOnes) {
  EXPECT_EQ(EditDistance(U"kitten", U"sitting", 9), 3U);
  EXPECT_EQ(EditDistance(U"", U"", 0), 0U);
  EXPECT_EQ(EditDistance(U"", U"abc", 3), 3U);
  EXPECT_EQ(EditDistance(U"ab", U"ba", 2), 2U);
  EXPECT_FALSE(EditDistance(U"", U"abc", 2));
}

std::vector<PointPair> Joined(const StringSet& strings, uint32_t within, uint32_t reference,
                              DistanceKind kind = DistanceKind::kEdit) {
  JoinTask task;
  task.reference = reference;
  std::vector<PointPair> pairs;
  EXPECT_TRUE(JoinStrings(strings, within, kind, task, [&](std::span<const PointPair> some) {
    pairs.insert(pairs.end(), some.begin(), some.end());
    return Status();
  }));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

class JoinStringsOfKind : public ::testing::TestWithParam<DistanceKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, JoinStringsOfKind, ::testing::ValuesIn(kKinds));

TEST_P(JoinStringsOfKind, FindsEveryPairOnce) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const StringSet strings = RandomStrings(250, seed == 1 ? 5 : 20, seed);
    for (const uint32_t reference : {0U, 90U}) {
      for (uint32_t within = 0; within <= 5; ++within) {
        std::vector<PointPair> expected;
        for (uint32_t a = 0; a < strings.size(); ++a) {
          for (uint32_t b = a + 1; b < strings.size(); ++b) {
            if (reference != 0 && (a >= reference || b < reference)) continue;
            const uint32_t distance = FullDistance(strings.Of(a), strings.Of(b), GetParam());
            if (distance <= within) expected.push_back({a, b, static_cast<double>(distance)});
          }
        }
        ASSERT_EQ(Joined(strings, within, reference, GetParam()), expected)
            << seed << " " << within;
      }
    }
  }
}

TEST(JoinStrings, FindsThePairsOfManyStringsOnce) {
  constexpr uint32_t kDistinct = 450;  // more than one task
  StringSet strings;
  std::vector<PointPair> expected;
  for (uint32_t i = 0; i < 2 * kDistinct; ++i) {
    strings.Add(std::u32string(4, static_cast<char32_t>(0x4E00 + i % kDistinct)));
    if (i < kDistinct) expected.push_back({i, i + kDistinct, 0});
  }
  EXPECT_EQ(Joined(strings, 2, 0), expected);
}

TEST(JoinStrings, EndsWhenItIsCancelled) {
  JoinTask task;
  task.cancelled = [] { return true; };
  const Status status = JoinStrings(RandomStrings(300, 9, 1), 1, DistanceKind::kEdit, task,
                                    [](std::span<const PointPair>) { return Status(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, "interrupted");
}

}  // namespace
}  // namespace lookalike
