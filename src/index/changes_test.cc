#include "index/changes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lookalike {
namespace {

using Map = std::map<std::string, std::optional<std::string>>;
using Random = std::mt19937_64;

/// Returns a key of one of several forms: numbers in order, keys of a few letters, which are often
/// equal, and keys that differ only behind their first eight bytes.
std::string AnyKey(Random& random, uint64_t form) {
  if (form == 0) return std::to_string(100'000 + random() % 5'000);
  if (form == 1) return "the same head" + std::to_string(random() % 2'000);
  std::string key(random() % 12, '\0');
  for (char& letter : key) letter = "\0a\xff"[random() % 3];
  return key;
}

void ChangeBoth(Random& random, uint64_t form, Changes* changes, Map* expected) {
  const std::string key = AnyKey(random, form);
  if (random() % 4 == 0) {
    changes->Remove(key);
    (*expected)[key] = std::nullopt;
  } else {
    const std::string value(random() % 20, static_cast<char>('a' + random() % 26));
    changes->Put(key, value);
    (*expected)[key] = value;
  }
}

std::optional<std::string> ValueOf(const Change& change) {
  if (!change.value) return std::nullopt;
  return std::string(*change.value);
}

Map Passed(const Changes& changes) {
  Map passed;
  std::string last;
  for (const Change change : changes) {
    EXPECT_TRUE(passed.empty() || last < change.key);
    last = change.key;
    passed[last] = ValueOf(change);
  }
  return passed;
}

RC_GTEST_PROP(ChangesTest, AreLikeAMap, (uint64_t seed)) {
  Random random(seed);
  Changes changes;
  for (int round = 0; round < 2; ++round) {
    changes.Clear();
    RC_ASSERT(changes.empty());
    Map expected;
    const uint64_t form = random() % 3;
    for (size_t left = random() % 3'000; left > 0; --left) {
      ChangeBoth(random, form, &changes, &expected);
    }
    RC_ASSERT(changes.size() == expected.size());
    RC_ASSERT(Passed(changes) == expected);
    for (int i = 0; i < 200; ++i) {
      const std::string key = AnyKey(random, form);
      const auto found = changes.Find(key);
      const auto known = expected.find(key);
      RC_ASSERT(found.has_value() == (known != expected.end()));
      if (found) RC_ASSERT(ValueOf(*found) == known->second);
      const auto place = changes.LowerBound(key);
      const auto bound = expected.lower_bound(key);
      RC_ASSERT((place == changes.end()) == (bound == expected.end()));
      if (bound != expected.end()) RC_ASSERT((*place).key == bound->first);
    }
  }
}

TEST(ChangesTest, AnEmptyValueIsNoRemoval) {
  Changes changes;
  changes.Put("empty", "");
  changes.Remove("removed");
  EXPECT_EQ(changes.Find("empty")->value, std::string_view());
  EXPECT_EQ(changes.Find("removed")->value, std::nullopt);
  EXPECT_FALSE(changes.Find("other"));
}

TEST(ChangesTest, KeysThatDifferInTheirLengthOnlyAreOrdered) {
  Changes changes;
  std::vector<std::string> keys;
  for (size_t size = 300; size-- > 0;) keys.emplace_back(size, '\xff');
  for (const std::string& key : keys) changes.Put(key, key);
  size_t size = 0;
  for (const Change change : changes) EXPECT_EQ(change.key.size(), size++);
  EXPECT_EQ(size, 300U);
}

TEST(ChangesTest, BytesAreThoseOfKeysAndValues) {
  Changes changes;
  changes.Put("key", "value");
  EXPECT_EQ(changes.bytes(), 8U);
  changes.Put("key", std::string(3 << 20, 'x'));
  EXPECT_EQ(changes.bytes(), 11U + (3U << 20U)) << "the key is there twice until it is sorted in";
  changes.Clear();
  EXPECT_EQ(changes.bytes(), 0U);
}

}  // namespace
}  // namespace lookalike
