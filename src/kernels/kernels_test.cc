// Every kernel, on every instruction set of this machine, against a plain re-implementation.
#include "kernels/kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/isa.h"
#include "records/records.h"

namespace lookalike {
namespace {

std::vector<uint64_t> RandomValues(size_t count, std::mt19937_64* random) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = (*random)();
  return values;
}

// Returns the index in the dispatch table of this process after a kernel has run.
size_t DispatchedIndex() {
  const uint8_t bytes[16] = {};
  EXPECT_EQ(CountEqualBytes(bytes, bytes, 16), 16u);
  EXPECT_TRUE(hwy::GetChosenTarget().IsInitialized());
  return hwy::GetChosenTarget().GetIndex();
}

TEST(IsaTest, ForcingHasAnEffect) {
  const std::vector<std::string> names = IsaNames();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.back(), "scalar");
  const std::string best(ActiveIsaName());
  EXPECT_EQ(best, names.front());
  const size_t best_index = DispatchedIndex();
  std::set<size_t> indexes;
  for (const std::string& name : names) {
    const ForcedIsa forced(name);
    indexes.insert(DispatchedIndex());
  }
  EXPECT_EQ(indexes.size(), names.size()) << "two names run the same code";
  EXPECT_EQ(ActiveIsaName(), best);
  EXPECT_EQ(DispatchedIndex(), best_index) << "the choice outlived its end";
}

TEST(IsaTest, AskingForTheNamesKeepsTheChoice) {
  const ForcedIsa forced("scalar");
  const size_t index = DispatchedIndex();
  EXPECT_NE(AvailableIsaNames().find("scalar"), std::string::npos);
  EXPECT_EQ(ActiveIsaName(), "scalar");
  EXPECT_EQ(DispatchedIndex(), index);
}

TEST(IsaTest, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  const ForcedIsa forced("scalar");
  for (const char* name : {"avx1024", "AVX2", "scalar ", "scala", ","}) {
    const Status status = SelectIsa(name);
    ASSERT_FALSE(status.has_value()) << name;
    EXPECT_NE(status.error().what.find(name), std::string::npos);
    EXPECT_NE(status.error().what.find(AvailableIsaNames()), std::string::npos);
    EXPECT_EQ(ActiveIsaName(), "scalar") << "a refused name must change nothing";
  }
}

uint64_t WindowHash(const uint64_t* units, size_t window, uint64_t mask) {
  uint64_t x = units[0];
  for (size_t j = 1; j < window; ++j) {
    const uint64_t turned = std::rotl(units[j], static_cast<int>(13 * j % 64));
    x = j % 2 == 1 ? x + turned : x ^ turned;
  }
  x = (x ^ mask) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 32)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 32);
}

// Checks one window length over some counts, and that nothing is written past the room.
void CheckWindows(size_t window, size_t count, std::mt19937_64* random) {
  constexpr uint64_t kGuard = 0x5555aaaa5555aaaaULL;
  const std::vector<uint64_t> units = RandomValues(count, random);
  const uint64_t mask = (*random)();
  const size_t windows = count - window + 1;
  std::vector<uint64_t> out(windows + 8 + 4, kGuard);
  HashWindows(units.data(), count, window, mask, out.data());
  for (size_t i = 0; i < windows; ++i) {
    ASSERT_EQ(out[i], WindowHash(&units[i], window, mask))
        << window << " of " << count << ", " << i;
  }
  for (size_t i = windows + 8; i < out.size(); ++i) ASSERT_EQ(out[i], kGuard);
}

TEST(KernelsTest, HashWindowsOfEveryLength) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    for (size_t window = 1; window <= 64; ++window) {
      for (size_t more = 0; more <= 18; ++more) CheckWindows(window, window + more, &random);
      CheckWindows(window, window + random() % 300, &random);
    }
  }
}

uint32_t Mix(uint32_t x) {
  x *= 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

uint32_t RoundHash(uint64_t feature, uint32_t round) {
  const uint32_t y = (round + 1) * 0x9e3779b9U;
  return Mix(static_cast<uint32_t>(feature) ^ Mix(y ^ (y >> 16)));
}

/// Powers of two, and sizes that do not fill a vector, word or group.
constexpr uint32_t kSizes[] = {16,  17,  25,  32,  63,  64,  100, 112,  128,  129,
                               200, 250, 256, 333, 511, 512, 513, 1000, 1023, 1024};

// Returns a sketch by the definition: each bin takes the least value of the first round in which it
// gets any.
std::vector<uint32_t> PlainFss(const std::vector<uint64_t>& features, uint32_t k) {
  constexpr uint32_t kNone = ~0U;
  std::vector<uint32_t> sketch(k, kNone);
  for (uint32_t round = 0; round < 16; ++round) {
    std::vector<uint32_t> least(k, kNone);
    for (const uint64_t f : features) {
      const uint32_t h = RoundHash(f, round);
      const auto scaled = static_cast<unsigned __int128>(f) * k;
      const uint64_t bin = round == 0 ? static_cast<uint64_t>(scaled >> 64) : uint64_t{h} * k >> 32;
      const uint32_t low = round == 0 ? static_cast<uint32_t>(f >> 24) & 0x7ffffffU : h * k >> 5;
      least[bin] = std::min(least[bin], round << 27 | low);
    }
    for (uint32_t b = 0; b < k; ++b) {
      if (sketch[b] == kNone) sketch[b] = least[b];
    }
  }
  for (uint32_t b = 0; b < k; ++b) {
    if (sketch[b] != kNone) continue;
    uint32_t least = kNone;
    for (const uint64_t f : features) least = std::min(least, RoundHash(f, 16 + b));
    sketch[b] = 0x80000000U | least >> 5;
  }
  return sketch;
}

void CheckSketch(size_t count, uint32_t k, std::mt19937_64* random) {
  const std::vector<uint64_t> features = RandomValues(count, random);
  std::vector<uint32_t> scratch(SketchScratch(count)), sketch(k + 4, 0xABABABABU);
  SketchFss(features.data(), count, k, scratch.data(), sketch.data());
  for (uint32_t i = k; i < k + 4; ++i) ASSERT_EQ(sketch[i], 0xABABABABU) << "past the end";
  sketch.resize(k);
  ASSERT_EQ(sketch, PlainFss(features, k)) << count << " features, " << k << " coordinates";
}

TEST(KernelsTest, SketchFssIsItsDefinition) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(2);
    for (const uint32_t k : kSizes) {
      for (size_t count = 1; count <= 35; ++count) CheckSketch(count, k, &random);
      for (int i = 0; i < 5; ++i) CheckSketch(36 + random() % (3 * k), k, &random);
      CheckSketch(10 * k, k, &random);  // no bin is empty after the first round
    }
  }
}

// Features that all fall into one bin of the first round leave work for every later round.
TEST(KernelsTest, SketchFssOfCrowdedFeatures) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    for (const size_t count : {size_t{1}, size_t{7}, size_t{64}, size_t{500}}) {
      std::vector<uint64_t> features(count);
      for (size_t i = 0; i < count; ++i) features[i] = i;
      std::vector<uint32_t> scratch(SketchScratch(count)), sketch(128);
      SketchFss(features.data(), count, 128, scratch.data(), sketch.data());
      ASSERT_EQ(sketch, PlainFss(features, 128)) << count;
      sketch.resize(100);
      SketchFss(features.data(), count, 100, scratch.data(), sketch.data());
      ASSERT_EQ(sketch, PlainFss(features, 100)) << count;
    }
  }
}

TEST(KernelsTest, CountEqualBytesOfEveryLength) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(3);
    for (size_t count = 0; count <= 320; count += count % 3 == 0 ? 13 : 3) {
      for (const unsigned values : {1U, 2U, 256U}) {
        std::vector<uint8_t> a(count), b(count);
        size_t equal = 0;
        for (size_t i = 0; i < count; ++i) {
          a[i] = static_cast<uint8_t>(random() % values);
          b[i] = static_cast<uint8_t>(random() % values);
          equal += a[i] == b[i];
        }
        ASSERT_EQ(CountEqualBytes(a.data(), b.data(), count), equal) << count << ", " << values;
      }
    }
  }
}

TEST(KernelsTest, CountEqualRowsIsCountEqualBytesOfEachRow) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(5);
    for (size_t width = 16; width <= 160; width += 16) {
      std::vector<uint8_t> row(width), table(40 * width);
      for (uint8_t& byte : row) byte = static_cast<uint8_t>(random() % 3);
      for (uint8_t& byte : table) byte = static_cast<uint8_t>(random() % 3);
      std::vector<uint32_t> rows(random() % 70), equal(rows.size() + 1, 12345), expected;
      for (uint32_t& r : rows) r = static_cast<uint32_t>(random() % 40);
      for (const uint32_t r : rows) {
        size_t same = 0;
        for (size_t i = 0; i < width; ++i) same += row[i] == table[r * width + i];
        expected.push_back(static_cast<uint32_t>(same));
      }
      expected.push_back(12345);  // nothing is written past the end
      CountEqualRows(row.data(), table.data(), rows.data(), rows.size(), width, equal.data());
      ASSERT_EQ(equal, expected) << width;
    }
  }
}

TEST(KernelsTest, SortValuesSorts) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(4);
    for (int i = 0; i < 120; ++i) {
      const size_t count = i < 70 ? static_cast<size_t>(i) : random() % 5000;
      std::vector<uint64_t> values = RandomValues(count, &random);
      if (i % 3 == 1) {
        for (uint64_t& value : values) value %= 7;
      }
      if (i % 5 == 2 && count > 2) values[0] = UINT64_MAX, values[count / 2] = 0;
      std::vector<uint64_t> expected = values;
      std::sort(expected.begin(), expected.end());
      SortValues(values.data(), values.size());
      ASSERT_EQ(values, expected) << count;
    }
  }
}

std::vector<std::pair<uint64_t, uint64_t>> KeysAndMembers(const std::vector<KeyRecord>& records) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (const KeyRecord& record : records) pairs.emplace_back(record.key, record.member);
  return pairs;
}

TEST(KernelsTest, SortKeyedValuesSortsByKeyThenValue) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(5);
    for (int i = 0; i < 120; ++i) {
      const size_t count = i < 70 ? static_cast<size_t>(i) : random() % 5000;
      std::vector<KeyRecord> records(count);
      for (KeyRecord& record : records) {
        record.key = i % 2 == 0 ? random() : random() % 5;
        record.member = i % 3 == 0 ? random() : random() % 9;
      }
      if (count > 2) records[count / 2] = {UINT64_MAX, UINT64_MAX}, records[0] = {UINT64_MAX, 0};
      auto expected = KeysAndMembers(records);
      std::sort(expected.begin(), expected.end());
      SortKeyedValues(records.data(), records.size());
      ASSERT_EQ(KeysAndMembers(records), expected) << count;
    }
  }
}

}  // namespace
}  // namespace lookalike
