#include "uses/filter/seen/seen_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Sketch = std::vector<uint32_t>;
using Record = std::vector<std::byte>;

Record RecordOf(const FilterRecords& maker, const Sketch& sketch) {
  Record record;
  maker.Append(sketch, &record);
  return record;
}

/// Makes sketches in families: each is fresh, or an earlier one with some coordinates changed.
std::vector<Sketch> MakeSketches(uint32_t coordinates, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Sketch> sketches;
  for (size_t i = 0; i < count; ++i) {
    Sketch sketch(coordinates);
    if (i > 0 && random() % 3 != 0) sketch = sketches[random() % i];
    const double change = static_cast<double>(random() % 30) / 100;
    for (uint32_t& value : sketch) {
      const bool fresh = static_cast<double>(random() % 1000) / 1000 < change;
      if (fresh || value == 0) value = static_cast<uint32_t>(random());
    }
    sketches.push_back(sketch);
  }
  return sketches;
}

/// True if two sketches share a key of a design, by their coordinates alone.
bool ShareKey(const Design& design, const Sketch& a, const Sketch& b) {
  for (uint32_t key = 0; key < design.keys; ++key) {
    bool equal = true;
    for (const uint16_t coordinate : design.Key(key)) equal &= a[coordinate] == b[coordinate];
    if (equal) return true;
  }
  return false;
}

using Answers = std::vector<std::optional<uint64_t>>;

/// Returns the filter's answer for each sketch: the position of the first sketch like it.
Answers Ask(const Design& design, uint32_t bits, const std::vector<Sketch>& sketches) {
  const FilterRecords maker(design, bits);
  SeenFilter filter(design, bits);
  std::vector<size_t> remembered;
  Answers answers;
  for (size_t i = 0; i < sketches.size(); ++i) {
    const Record record = RecordOf(maker, sketches[i]);
    const auto like = filter.Find(record);
    answers.push_back(like ? std::optional<uint64_t>(remembered[*like]) : std::nullopt);
    if (like) continue;
    filter.Remember(record);
    remembered.push_back(i);
  }
  EXPECT_EQ(filter.size(), remembered.size());
  EXPECT_EQ(filter.records().size(), remembered.size() * maker.bytes());
  return answers;
}

constexpr const char* kDesigns[] = {"groups:6x14:2", "groups:8x25:1", "groups:5x5:4", "bands:20x5",
                                    "overlapping:128:8:32"};

TEST(SeenFilter, AnswersAreThoseOfComparingWithEveryRememberedDocument) {
  for (const char* name : kDesigns) {
    const Design design = *ParseDesign(name);
    const auto sketches = MakeSketches(design.coordinates, 1500, 7);
    const Answers answers = Ask(design, 64, sketches);
    std::vector<size_t> remembered;
    size_t seen = 0;
    for (size_t i = 0; i < sketches.size(); ++i) {
      std::optional<uint64_t> like;
      for (const size_t j : remembered) {
        if (!like && ShareKey(design, sketches[i], sketches[j])) like = j;
      }
      ASSERT_EQ(answers[i], like) << name << " at " << i;
      if (!like) remembered.push_back(i);
      seen += like.has_value();
    }
    EXPECT_GT(seen, 50u) << name;
    EXPECT_GT(remembered.size(), 300u) << name;
  }
}

TEST(SeenFilter, L35AnswersDependOnEarlierDocumentsOnly) {
  for (const uint32_t bits : {8U, 64U}) {
    const Design design = *ParseDesign("groups:6x14:2");
    const auto sketches = MakeSketches(design.coordinates, 600, 11);
    const Answers all = Ask(design, bits, sketches);
    for (const size_t length : {0, 1, 2, 17, 300, 599}) {
      const auto end = sketches.begin() + static_cast<ptrdiff_t>(length);
      const Answers some = Ask(design, bits, {sketches.begin(), end});
      EXPECT_EQ(some, Answers(all.begin(), all.begin() + static_cast<ptrdiff_t>(length)));
    }
    std::vector<Sketch> other = sketches;  // later documents change no earlier answer
    std::reverse(other.begin() + 300, other.end());
    const Answers changed = Ask(design, bits, other);
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + 300, changed.begin()));
    EXPECT_NE(all, changed);
  }
}

TEST(SeenFilter, L35BytesOfADocumentAreThoseOfTheDesign) {
  const std::map<std::pair<std::string, uint32_t>, size_t> bytes = {
      {{"groups:6x14:2", 64}, 48}, {{"groups:8x25:1", 64}, 64}, {{"groups:8x10:3", 8}, 8},
      {{"groups:8x10:7", 8}, 8},   {{"bands:20x5", 64}, 160},   {{"groups:6x14:2", 16}, 12}};
  for (const auto& [form, expected] : bytes) {
    const Design design = *ParseDesign(form.first);
    EXPECT_EQ(FilterRecords(design, form.second).bytes(), expected) << form.first;
    EXPECT_EQ(SeenFilter(design, form.second).record_bytes(), expected) << form.first;
    if (form.second != 64) continue;
    EXPECT_EQ(BytesPerDocument(design), expected) << form.first;
  }
}

TEST(SeenFilter, AgainTheFirstOfSeveralIsNamed) {
  const Design design = *ParseDesign("bands:2x1");
  const FilterRecords maker(design, 64);
  SeenFilter filter(design, 64);
  filter.Remember(RecordOf(maker, {1, 2}));
  filter.Remember(RecordOf(maker, {3, 4}));
  EXPECT_EQ(filter.Find(RecordOf(maker, {3, 2})), std::optional<uint64_t>(0));
  EXPECT_EQ(filter.Find(RecordOf(maker, {3, 5})), std::optional<uint64_t>(1));
  EXPECT_EQ(filter.Find(RecordOf(maker, {4, 1})), std::nullopt);  // not in their own bands
}

TEST(SeenFilter, DesignsFindWithTheProbabilityOfTheirAcceptance) {
  constexpr int kPairs = 4000;
  const Design design = *ParseDesign("groups:6x14:2");
  const FilterRecords maker(design, 64);
  for (const double j : {0.85, 0.9, 0.95}) {
    std::mt19937_64 random(static_cast<uint64_t>(1000 * j));
    std::bernoulli_distribution equal(j);
    int found = 0;
    for (int i = 0; i < kPairs; ++i) {
      Sketch a(design.coordinates), b;
      for (uint32_t& value : a) value = static_cast<uint32_t>(random());
      b = a;
      for (uint32_t& value : b) value ^= equal(random) ? 0 : 1;
      SeenFilter filter(design, 64);
      filter.Remember(RecordOf(maker, a));
      found += filter.Find(RecordOf(maker, b)).has_value();
    }
    const double p = Acceptance(design, j);
    EXPECT_NEAR(found, kPairs * p, 4 * std::sqrt(kPairs * p * (1 - p))) << j;
  }
}

/// Expects this many documents to be seen by chance among random records, where each pair matches
/// with probability `p`.
void ExpectAccidents(const char* name, size_t documents, double p) {
  const Design design = *ParseDesign(name);
  SeenFilter filter(design, 8);
  std::mt19937_64 random(5);
  double seen = 0, expected = 0;
  for (size_t i = 0; i < documents; ++i) {
    Record record(filter.record_bytes());
    for (std::byte& byte : record) byte = static_cast<std::byte>(random());
    expected += 1 - std::pow(1 - p, static_cast<double>(filter.size()));
    if (filter.Find(record)) {
      ++seen;
    } else {
      filter.Remember(record);
    }
  }
  EXPECT_NEAR(seen, expected, 4 * std::sqrt(expected)) << name;
  EXPECT_GT(expected, 50) << name;
}

// Facts 2.8: of 8 bytes, 3 are equal by chance with probability 3.289e-6, 2 with 4.2e-4.
TEST(SeenFilter, L37BytesAreEqualByChance) {
  ExpectAccidents("groups:8x1:3", 20000, 3.289e-6);
  ExpectAccidents("groups:8x1:2", 1500, 4.2e-4);
}

TEST(SeenFilter, L37SevenOfEightBytesAreHardlyEverEqualByChance) {
  const Design design = *ParseDesign("groups:8x1:7");
  SeenFilter filter(design, 8);
  std::mt19937_64 random(6);
  for (size_t i = 0; i < 50000; ++i) {
    Record record(filter.record_bytes());
    for (std::byte& byte : record) byte = static_cast<std::byte>(random());
    ASSERT_EQ(filter.Find(record), std::nullopt);
    filter.Remember(record);
  }
}

}  // namespace
}  // namespace lookalike
