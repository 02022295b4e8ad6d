#include "index/known_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "index/encoding.h"

namespace lookalike {
namespace {

std::string PrefixOf(uint64_t number) { return "k" + EncodeNumber(number); }

TEST(KnownKeysTest, NoneIsKnownAtFirst) {
  const KnownKeys known;
  EXPECT_FALSE(known.MayHave(Family::kPostings, "sixsix"));
  EXPECT_TRUE(known.MayHave(Family::kDocuments, "any")) << "keys of this family are not kept";
}

TEST(KnownKeysTest, AddedKeysAreKnownAndFewOthers) {
  KnownKeys known;
  constexpr uint64_t kKeys = 3'000'000;  // of several layers
  for (uint64_t i = 0; i < kKeys; ++i) known.Add(Family::kPostings, PrefixOf(i) + "12345");
  for (uint64_t i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(known.MayHave(Family::kPostings, PrefixOf(i))) << i;
  }
  uint64_t wrong = 0;
  for (uint64_t i = kKeys; i < kKeys + 100'000; ++i) {
    wrong += known.MayHave(Family::kPostings, PrefixOf(i)) ? 1 : 0;
  }
  EXPECT_LT(wrong, 2'000U);  // two layers, each below 1 %
}

TEST(KnownKeysTest, ManyAreNeverTakenForFew) {
  KnownKeys known;
  EXPECT_FALSE(known.MayHaveMany("sixsix"));
  constexpr uint64_t kKeys = 400'000;  // postings in several layers
  for (int copy = 0; copy < 15; ++copy) {
    for (uint64_t i = 0; i < kKeys; ++i) {
      if (i % 15 >= static_cast<uint64_t>(copy)) known.Add(Family::kPostings, PrefixOf(i));
    }
  }
  uint64_t few_for_many = 0;
  for (uint64_t i = 0; i < kKeys; ++i) {
    if (i % 15 + 1 == KnownKeys::kMany) {
      ASSERT_TRUE(known.MayHaveMany(PrefixOf(i))) << i;
    } else if (i % 15 < 3 && known.MayHaveMany(PrefixOf(i))) {
      ++few_for_many;
    }
  }
  EXPECT_LT(few_for_many, kKeys / 10);
}

TEST(KnownKeysTest, AProfileStandsForMany) {
  KnownKeys known;
  known.Add(Family::kPostings, PrefixOf(1) + EncodeNumber(kProfileNumber));
  EXPECT_TRUE(known.MayHaveMany(PrefixOf(1)));
  known.Add(Family::kPostings, PrefixOf(2) + EncodeNumber(1));
  EXPECT_FALSE(known.MayHaveMany(PrefixOf(2)));
}

TEST(KnownKeysTest, FamiliesAreApart) {
  KnownKeys known;
  known.Add(Family::kIds, "sixsix");
  EXPECT_TRUE(known.MayHave(Family::kIds, "sixsix"));
  EXPECT_FALSE(known.MayHave(Family::kPostings, "sixsix"));
  EXPECT_FALSE(known.MayHave(Family::kIds, "sixsix and more"));
}

TEST(KnownKeysTest, APrefixThatIsTooShortMayBeThere) {
  const KnownKeys known;
  EXPECT_TRUE(known.MayHave(Family::kPostings, ""));
  EXPECT_TRUE(known.MayHave(Family::kClasses, "fifteen letters"));
  EXPECT_FALSE(known.MayHave(Family::kClasses, "sixteen letters!"));
}

}  // namespace
}  // namespace lookalike
