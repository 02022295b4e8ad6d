#include "batch/audit_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace lookalike {
namespace {

struct Item {
  StreamHash hash;
  DocNumber doc;
  std::vector<uint64_t> set;
};

/// Documents in input order; some have the same feature stream.
std::vector<Item> RandomItems(size_t count, std::mt19937_64* random) {
  std::vector<Item> items;
  for (DocNumber doc = 0; doc < count; ++doc) {
    if (!items.empty() && (*random)() % 5 == 0) {
      items.push_back(items[(*random)() % items.size()]);
      items.back().doc = doc;
      continue;
    }
    std::set<uint64_t> set;
    for (uint64_t i = 1 + (*random)() % 12; i > 0; --i) {
      set.insert(((*random)() % 30) * 0x9e3779b97f4a7c15ULL);  // top bits vary
    }
    // Some hashes share their lower half, which alone is the reservoir's bound.
    items.push_back({{(*random)() % 40, (*random)()}, doc, {set.begin(), set.end()}});
  }
  return items;
}

using Sample = std::vector<std::pair<StreamHash, std::vector<uint64_t>>>;

Sample SampleOf(const AuditReservoir& reservoir) {
  Sample sample;
  for (const auto& [hash, entry] : reservoir.entries()) sample.emplace_back(hash, entry.set);
  return sample;
}

/// The classes with the smallest hashes.
Sample Smallest(const std::vector<Item>& items, size_t capacity) {
  std::map<StreamHash, std::vector<uint64_t>> classes;
  for (const Item& item : items) classes[item.hash] = item.set;
  Sample sample(classes.begin(), classes.end());
  sample.resize(std::min(sample.size(), capacity));
  return sample;
}

void OfferAll(const std::vector<Item>& items, AuditReservoir* reservoir) {
  for (const Item& item : items) {
    if (reservoir->Wants(item.hash)) reservoir->Offer(item.hash, item.doc, item.set);
  }
}

TEST(AuditReservoirTest, KeepsTheSmallestHashesInAnyOrder) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<Item> items = RandomItems(random() % 80, &random);
    const size_t capacity = random() % 30;
    const Sample expected = Smallest(items, capacity);
    for (int turn = 0; turn < 3; ++turn) {
      AuditReservoir reservoir(capacity);
      OfferAll(items, &reservoir);
      ASSERT_EQ(SampleOf(reservoir), expected) << capacity;
      std::shuffle(items.begin(), items.end(), random);
    }
  }
}

TEST(AuditReservoirTest, WantsErrsOnTheSideOfYes) {
  std::mt19937_64 random(2);
  const std::vector<Item> items = RandomItems(200, &random);
  AuditReservoir reservoir(10);
  OfferAll(items, &reservoir);
  const Sample sample = SampleOf(reservoir);
  ASSERT_EQ(sample.size(), 10u);
  for (const auto& [hash, set] : sample) EXPECT_TRUE(reservoir.Wants(hash));
  EXPECT_FALSE(reservoir.Wants({sample.back().first.low + 1, 0}));
  EXPECT_FALSE(AuditReservoir(0).Wants({0, 0}));
}

// An input that turns out unreadable is taken back: the sample is that of the other inputs.
TEST(AuditReservoirTest, DropFromForgetsAnInputAndWhatItPushedOut) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Item> items = RandomItems(random() % 80, &random);
    const size_t capacity = 1 + random() % 20;
    const size_t first = items.empty() ? 0 : random() % items.size();
    const auto bad = items.begin() + static_cast<ptrdiff_t>(first);
    const auto later = bad + static_cast<ptrdiff_t>((items.size() - first) / 2);
    AuditReservoir reservoir(capacity);
    OfferAll({items.begin(), later}, &reservoir);
    reservoir.DropFrom(first);
    OfferAll({later, items.end()}, &reservoir);
    std::vector<Item> good(items.begin(), bad);
    good.insert(good.end(), later, items.end());
    ASSERT_EQ(SampleOf(reservoir), Smallest(good, capacity)) << "corpus " << i;
  }
}

using Hit = std::tuple<uint32_t, DocNumber, uint32_t, uint32_t, uint32_t>;

std::vector<Hit> BruteForce(const std::vector<Item>& items, const Sample& sample, double t) {
  std::vector<Hit> hits;
  for (uint32_t s = 0; s < sample.size(); ++s) {
    for (const Item& item : items) {
      const auto& [hash, set] = sample[s];
      std::vector<uint64_t> common;
      std::set_intersection(set.begin(), set.end(), item.set.begin(), item.set.end(),
                            std::back_inserter(common));
      const size_t all = set.size() + item.set.size() - common.size();
      if (hash == item.hash) continue;
      if (static_cast<double>(common.size()) / static_cast<double>(all) < t) continue;
      hits.emplace_back(s, item.doc, common.size(), set.size(), item.set.size());
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

TEST(AuditIndexTest, FindsExactlyThePairsOfABruteForce) {
  std::mt19937_64 random(4);
  size_t found = 0;
  for (int i = 0; i < 400; ++i) {
    const double thresholds[] = {.05, .2, .5, 2. / 3, .7, .8, .95, 1};
    const double t = thresholds[random() % std::size(thresholds)];
    const std::vector<Item> items = RandomItems(random() % 80, &random);
    AuditReservoir reservoir(random() % 40);
    OfferAll(items, &reservoir);
    const AuditIndex index(reservoir, t);
    AuditIndex::Scratch scratch;
    std::vector<AuditHit> hits;
    for (const Item& item : items) index.Probe(item.doc, item.hash, item.set, &scratch, &hits);
    std::vector<Hit> rows;
    for (const AuditHit& h : hits) {
      rows.emplace_back(h.sample, h.doc, h.common, h.size_sample, h.size_doc);
    }
    std::sort(rows.begin(), rows.end());
    ASSERT_EQ(rows, BruteForce(items, SampleOf(reservoir), t)) << "threshold " << t;
    found += rows.size();
  }
  EXPECT_GT(found, 1000u);
}

TEST(AuditIndexTest, EmptyOnes) {
  AuditIndex::Scratch scratch;
  std::vector<AuditHit> hits;
  const std::vector<uint64_t> set = {1, 2, 3};
  AuditIndex().Probe(0, {1, 1}, set, &scratch, &hits);
  AuditIndex(AuditReservoir(5), .8).Probe(0, {1, 1}, set, &scratch, &hits);
  AuditReservoir reservoir(5);
  reservoir.Offer({2, 2}, 0, {});
  reservoir.Offer({3, 3}, 1, {1, 2, 3, UINT64_MAX});
  const AuditIndex index(reservoir, .7);
  index.Probe(7, {9, 9}, {}, &scratch, &hits);
  EXPECT_TRUE(hits.empty());
  index.Probe(7, {9, 9}, set, &scratch, &hits);
  EXPECT_EQ(hits.size(), 1u);
}

}  // namespace
}  // namespace lookalike
