#include "index/overlay.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/must.h"

namespace lookalike {
namespace {

using Map = std::map<std::string, std::string>;
using Entries = std::vector<std::pair<std::string, std::string>>;
using Random = std::mt19937_64;

constexpr Family kFamilies[] = {Family::kPostings, Family::kClasses};

class MapCursor final : public StoreCursor {
 public:
  MapCursor(const Map& map, bool fails) : map_(map), at_(map.end()), fails_(fails) {}
  void Seek(std::string_view prefix) override {
    prefix_ = prefix;
    at_ = fails_ ? map_.end() : map_.lower_bound(prefix_);
  }
  [[nodiscard]] bool Valid() const override {
    return at_ != map_.end() && at_->first.starts_with(prefix_);
  }
  void Next() override {
    ASSERT_TRUE(Valid());
    ++at_;
  }
  [[nodiscard]] std::string_view Key() const override { return at_->first; }
  [[nodiscard]] std::string_view Value() const override { return at_->second; }
  [[nodiscard]] Status status() const override {
    if (fails_) return DiskError("cannot be read");
    return {};
  }

 private:
  const Map& map_;
  Map::const_iterator at_;
  std::string prefix_;
  bool fails_;
};

class MapView final : public StoreView {
 public:
  Map& Of(Family family) { return maps_[static_cast<size_t>(family)]; }
  void Fail() { fails_ = true; }

  [[nodiscard]] Result<std::optional<std::string>> Get(Family family,
                                                       std::string_view key) const override {
    if (fails_) return DiskError("cannot be read");
    const Map& map = maps_[static_cast<size_t>(family)];
    const auto at = map.find(std::string(key));
    if (at == map.end()) return std::nullopt;
    return at->second;
  }
  [[nodiscard]] Result<std::vector<std::optional<std::string>>> GetMany(
      Family family, std::span<const std::string> keys) const override {
    std::vector<std::optional<std::string>> values;
    for (const std::string& key : keys) {
      LOOKALIKE_ASSIGN_OR_RETURN(values.emplace_back(), Get(family, key));
    }
    return values;
  }
  [[nodiscard]] std::unique_ptr<StoreCursor> Scan(Family family, bool) const override {
    return std::make_unique<MapCursor>(maps_[static_cast<size_t>(family)], fails_);
  }

 private:
  std::array<Map, kFamilyCount> maps_;
  bool fails_ = false;
};

/// Returns a short key of few letters, so that many keys are equal or begin with another one.
std::string AnyKey(Random& random) {
  std::string key(random() % 5, '\0');
  for (char& letter : key) letter = "\0ab\xff"[random() % 4];
  return key;
}

/// A view with changes that have been made to it, and what must be seen.
struct Changed {
  explicit Changed(Random& random) {
    for (const Family family : kFamilies) {
      for (size_t i = random() % 30; i > 0; --i) {
        base.Of(family)[AnyKey(random)] = "old" + std::to_string(i);
      }
      expected[family] = base.Of(family);
      for (size_t i = random() % 30; i > 0; --i) Change(family, random);
    }
  }
  void Change(Family family, Random& random) {
    std::string key = AnyKey(random);
    if (random() % 2 == 0) {
      batch.Remove(family, key);
      expected[family].erase(key);
    } else {
      std::string value = "new" + std::to_string(random() % 100);
      expected[family][key] = value;
      batch.Put(family, std::move(key), std::move(value));
    }
  }

  MapView base;
  StoreBatch batch;
  std::map<Family, Map> expected;
};

/// Returns what a cursor passes from the first key with this prefix on.
Entries EntriesOf(StoreCursor* cursor, std::string_view prefix) {
  Entries entries;
  for (cursor->Seek(prefix); cursor->Valid(); cursor->Next()) {
    entries.emplace_back(cursor->Key(), cursor->Value());
  }
  RC_ASSERT(cursor->status().has_value());
  return entries;
}

Entries WithPrefix(const Map& map, std::string_view prefix) {
  Entries entries;
  for (const auto& [key, value] : map) {
    if (key.starts_with(prefix)) entries.emplace_back(key, value);
  }
  return entries;
}

RC_GTEST_PROP(OverlayProperty, ScansShowTheChanges, (uint64_t seed)) {
  Random random(seed);
  const Changed changed(random);
  const OverlayView view(changed.base, changed.batch);
  for (const Family family : kFamilies) {
    const Map& expected = changed.expected.at(family);
    RC_ASSERT(EntriesOf(view.Scan(family, true).get(), "") == WithPrefix(expected, ""));
    const auto cursor = view.Scan(family, false);  // goes back and forth
    for (int i = 0; i < 20; ++i) {
      const std::string prefix = AnyKey(random);
      RC_ASSERT(EntriesOf(cursor.get(), prefix) == WithPrefix(expected, prefix));
    }
  }
}

RC_GTEST_PROP(OverlayProperty, LookupsShowTheChanges, (uint64_t seed)) {
  Random random(seed);
  const Changed changed(random);
  const OverlayView view(changed.base, changed.batch);
  for (const Family family : kFamilies) {
    std::vector<std::string> keys;
    std::vector<std::optional<std::string>> expected;
    for (int i = 0; i < 40; ++i) {
      keys.push_back(AnyKey(random));
      const Map& map = changed.expected.at(family);
      const auto at = map.find(keys.back());
      expected.push_back(at == map.end() ? std::nullopt : std::optional(at->second));
      RC_ASSERT(Must(view.Get(family, keys.back())) == expected.back());
    }
    RC_ASSERT(Must(view.GetMany(family, keys)) == expected);
  }
}

RC_GTEST_PROP(OverlayProperty, LaterChangesAreSeen, (uint64_t seed)) {
  Random random(seed);
  Changed changed(random);
  const OverlayView view(changed.base, changed.batch);
  for (int i = 0; i < 10; ++i) {
    changed.Change(Family::kClasses, random);
    RC_ASSERT(EntriesOf(view.Scan(Family::kClasses, false).get(), "") ==
              WithPrefix(changed.expected[Family::kClasses], ""));
  }
}

TEST(OverlayTest, ARemovedKeyBehindTheLastOneEndsTheScan) {
  MapView base;
  base.Of(Family::kIds) = {{"a", "1"}, {"b", "2"}};
  StoreBatch batch;
  batch.Remove(Family::kIds, "b");
  batch.Remove(Family::kIds, "c");
  const OverlayView view(base, batch);
  const auto cursor = view.Scan(Family::kIds, true);
  cursor->Seek("");
  ASSERT_TRUE(cursor->Valid());
  EXPECT_EQ(cursor->Key(), "a");
  cursor->Next();
  EXPECT_FALSE(cursor->Valid());
}

TEST(OverlayTest, ErrorsOfTheStoreArePassedOn) {
  MapView base;
  base.Fail();
  StoreBatch batch;
  batch.Put(Family::kIds, "a", "1");
  const OverlayView view(base, batch);
  EXPECT_EQ(Must(view.Get(Family::kIds, "a")), "1");
  EXPECT_FALSE(view.Get(Family::kIds, "b"));
  const std::vector<std::string> keys = {"a", "b"};
  EXPECT_FALSE(view.GetMany(Family::kIds, keys));
  const auto cursor = view.Scan(Family::kIds, true);
  cursor->Seek("");
  EXPECT_FALSE(cursor->status());
}

}  // namespace
}  // namespace lookalike
