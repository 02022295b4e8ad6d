#include "search/audit_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "stages/sketch/bottom_k.h"

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
    // Some hashes share their lower half, and the reservoir's bound uses only that half.
    items.push_back({{(*random)() % 40, (*random)()}, doc, {set.begin(), set.end()}});
  }
  return items;
}

using Sample = std::vector<std::pair<StreamHash, std::vector<uint64_t>>>;

Sample SampleOf(const AuditReservoir& reservoir) {
  Sample sample;
  for (const auto& [hash, set] : reservoir.sets()) sample.emplace_back(hash, set);
  return sample;
}

/// Returns the classes with the smallest hashes.
Sample Smallest(const std::vector<Item>& items, size_t capacity) {
  std::map<StreamHash, std::vector<uint64_t>> classes;
  for (const Item& item : items) classes[item.hash] = item.set;
  Sample sample(classes.begin(), classes.end());
  sample.resize(std::min(sample.size(), capacity));
  return sample;
}

/// Offers the classes of one input that the reservoir wants.
void OfferInput(const std::vector<Item>& items, uint32_t source, bool bad,
                AuditReservoir* reservoir) {
  for (const Item& item : items) {
    if (reservoir->Wants(source, item.hash)) reservoir->Offer(item.hash, item.set);
  }
  reservoir->EndSource(source, bad);
}

TEST(AuditReservoirTest, KeepsTheSmallestHashesInAnyOrder) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<Item> items = RandomItems(random() % 80, &random);
    const size_t capacity = random() % 30;
    const Sample expected = Smallest(items, capacity);
    for (int turn = 0; turn < 3; ++turn) {
      const auto middle =
          items.begin() + static_cast<ptrdiff_t>(items.empty() ? 0 : random() % items.size());
      AuditReservoir reservoir(capacity);
      OfferInput({items.begin(), middle}, 0, false, &reservoir);
      OfferInput({middle, items.end()}, 1, false, &reservoir);
      ASSERT_EQ(SampleOf(reservoir), expected) << capacity;
      std::shuffle(items.begin(), items.end(), random);
    }
  }
}

TEST(AuditReservoirTest, WantsWhatMayBelongAndRefusesTheRest) {
  std::mt19937_64 random(2);
  const std::vector<Item> items = RandomItems(200, &random);
  AuditReservoir reservoir(10);
  OfferInput(items, 0, false, &reservoir);
  const Sample sample = SampleOf(reservoir);
  ASSERT_EQ(sample.size(), 10u);
  for (const auto& [hash, set] : sample) EXPECT_TRUE(reservoir.Wants(1, hash));
  EXPECT_FALSE(reservoir.Wants(1, {sample.back().first.low + 1, 0}));
  EXPECT_FALSE(AuditReservoir(0).Wants(0, {0, 0}));
}

// The classes of an unfinished input bound only that input: the next input, which other threads may
// already be reading, must not be judged by an input that may turn out bad.
TEST(AuditReservoirTest, AnOpenInputBoundsItselfOnly) {
  AuditReservoir reservoir(1);
  reservoir.Offer({5, 0}, {1});
  EXPECT_FALSE(reservoir.Wants(0, {6, 0}));
  EXPECT_TRUE(reservoir.Wants(1, {6, 0}));
  reservoir.EndSource(0, true);
  EXPECT_TRUE(reservoir.Wants(1, {6, 0}));
  reservoir.Offer({6, 0}, {2});
  reservoir.EndSource(1, false);
  EXPECT_FALSE(reservoir.Wants(2, {7, 0}));
  EXPECT_EQ(SampleOf(reservoir), (Sample{{{6, 0}, {2}}}));
}

// A full sample spares the rest of an input the making of sets.
TEST(AuditReservoirTest, TheBoundOfAnOpenInputFollowsWhatItBrings) {
  AuditReservoir reservoir(2);
  for (const uint64_t low : {9, 7, 5, 3}) reservoir.Offer({low, 0}, {low});
  EXPECT_FALSE(reservoir.Wants(0, {6, 0}));
  EXPECT_TRUE(reservoir.Wants(0, {4, 0}));
}

// Lanes of one input share its bound, because they share its fate. Another input may not use it.
TEST(AuditReservoirTest, LanesOfAnInputShareItsBound) {
  SampleBound all, of_input;
  AuditReservoir first(2, {&all, &of_input}, 7), second(2, {&all, &of_input}, 7);
  AuditReservoir other(2, {&all, nullptr}, 8);
  for (const uint64_t low : {9, 5, 3}) first.Offer({low, 0}, {low});
  EXPECT_TRUE(second.Wants(7, {4, 0}));
  EXPECT_FALSE(second.Wants(7, {6, 0})) << "the first lane has two that are smaller";
  second.Offer({6, 0}, {6});
  second.EndSource(7, false);
  EXPECT_TRUE(SampleOf(second).empty());
  EXPECT_TRUE(other.Wants(8, {6, 0})) << "the first lane may still find that the input is bad";
  first.EndSource(7, false);
  EXPECT_TRUE(other.Wants(8, {6, 0})) << "a third lane may still find it";
}

// Bounds known from whole inputs hold for all lanes.
TEST(AuditReservoirTest, WholeInputsBoundAllLanes) {
  SampleBound all, of_input;
  AuditReservoir whole(1, {&all, nullptr}, 0), part(1, {&all, &of_input}, 9);
  whole.Offer({5, 0}, {1});
  EXPECT_TRUE(part.Wants(9, {6, 0})) << "the input is not at its end";
  whole.EndSource(0, true);
  EXPECT_TRUE(part.Wants(9, {6, 0})) << "it was bad";
  whole.Offer({5, 0}, {1});
  whole.EndSource(1, false);
  EXPECT_FALSE(part.Wants(9, {6, 0}));
  EXPECT_TRUE(part.Wants(9, {4, 0}));
}

// However lanes are cut, and whichever lane lowers a bound first, merging them gives one sample.
TEST(AuditReservoirTest, LanesWithSharedBoundsGiveTheSample) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 300; ++i) {
    const std::vector<Item> items = RandomItems(random() % 200, &random);
    const size_t capacity = 1 + random() % 20;
    SampleBound all, of_input;
    AuditReservoir merged(capacity);
    AuditReservoir a(capacity, {&all, &of_input}, 0), b(capacity, {&all, &of_input}, 0);
    std::vector<Item> of_a, of_b;
    for (const Item& item : items) {
      AuditReservoir& lane = random() % 2 == 0 ? a : b;
      if (!lane.Wants(0, item.hash)) continue;
      (&lane == &a ? of_a : of_b).push_back(item);
      lane.Offer(item.hash, item.set);
    }
    for (const auto& list : {of_a, of_b}) {
      for (const Item& item : list) merged.Offer(item.hash, item.set);
    }
    merged.EndSource(0, false);
    ASSERT_EQ(SampleOf(merged), Smallest(items, capacity)) << capacity;
  }
}

// A unit stores what its lane's reservoir has at its end. A run that goes on after a unit reads the
// next one with a new reservoir. Sets are so large that few fit, whatever the capacity.
TEST(AuditReservoirTest, WhatUnitsStoreGivesTheSampleOfLongDocuments) {
  constexpr uint64_t kMost = AuditReservoir::kMostFeatures;
  std::mt19937_64 random(6);
  for (int i = 0; i < 100; ++i) {
    std::map<StreamHash, uint64_t> sizes;
    AuditReservoir merged(1'000);
    for (uint32_t source = 0; source < 3; ++source) {
      SampleBound all, of_input;
      for (int lane = 0; lane < 2; ++lane) {
        auto reservoir = std::make_unique<AuditReservoir>(
            1'000, AuditReservoir::Shared{&all, &of_input}, source);
        for (int unit = 0; unit < 3; ++unit) {
          std::set<StreamHash> offered;
          for (uint64_t left = random() % 12; left > 0; --left) {
            const StreamHash hash = {random() % 60, 0};
            const uint64_t drawn = 1 + random() % (random() % 4 == 0 ? kMost / 2 : kMost / 20);
            const uint64_t size = sizes.try_emplace(hash, drawn).first->second;
            if (!reservoir->Wants(source, hash)) continue;
            offered.insert(hash);
            reservoir->Offer(hash, std::vector<uint64_t>(size));
          }
          for (const StreamHash& hash : offered) {
            if (const auto* set = reservoir->OpenSet(hash)) merged.Offer(hash, *set);
          }
          if (random() % 3 == 0) {
            reservoir = std::make_unique<AuditReservoir>(
                1'000, AuditReservoir::Shared{&all, &of_input}, source);
          }
        }
      }
      merged.EndSource(source, false);
    }
    std::vector<StreamHash> expected, sample;
    uint64_t features = 0;
    for (const auto& [hash, size] : sizes) {
      if ((features += size) > kMost && !expected.empty()) break;
      expected.push_back(hash);
    }
    for (const auto& [hash, set] : merged.sets()) sample.push_back(hash);
    ASSERT_EQ(sample, expected) << i;
  }
}

// A lane that comes later knows what the lanes before it left, and samples the less.
TEST(AuditReservoirTest, LanesThatWereTakenBoundThoseOfTheSameInput) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) {
    const std::vector<Item> items = RandomItems(400, &random);
    const size_t capacity = 1 + random() % 10;
    SampleBound all, of_input;
    AuditReservoir merged(capacity);
    size_t offered = 0;
    for (size_t begin = 0; begin < items.size(); begin += 40) {
      AuditReservoir lane(capacity, {&all, &of_input}, 0);
      for (size_t at = begin; at < std::min(items.size(), begin + 40); ++at) {
        if (!lane.Wants(0, items[at].hash)) continue;
        lane.Offer(items[at].hash, items[at].set);
        merged.Offer(items[at].hash, items[at].set);
        ++offered;
      }
      EXPECT_EQ(merged.open_source(), 0U);
      of_input.Lower(merged.open_bound());
    }
    merged.EndSource(0, false);
    ASSERT_EQ(SampleOf(merged), Smallest(items, capacity)) << capacity;
    // The tenth lane finds a tenth of what the first one finds, or less.
    EXPECT_LT(offered, 12 * capacity + 60);
  }
}

// The sample depends on the readable inputs alone, however many were bad, and wherever these were.
TEST(AuditReservoirTest, BadInputsLeaveNoTrace) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    const size_t capacity = 1 + random() % 20;
    AuditReservoir reservoir(capacity);
    std::vector<Item> good;
    for (uint32_t source = 0; source < 5; ++source) {
      const std::vector<Item> items = RandomItems(random() % 40, &random);
      const bool bad = random() % 2 == 0;
      OfferInput(items, source, bad, &reservoir);
      if (!bad) good.insert(good.end(), items.begin(), items.end());
    }
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

/// Looks at every document and compares what was looked at.
std::vector<AuditHit> Audit(const AuditIndex& index, const std::vector<Item>& items, double t) {
  AuditLooks looks(index.size());
  AuditIndex::Scratch scratch;
  BottomSketcher sketcher(AuditIndex::SketchSize(t));
  std::map<DocNumber, const Item*> by_doc;
  for (const Item& item : items) {
    by_doc[item.doc] = &item;
    index.Look(item.doc, item.hash, sketcher.Run(item.set), false, &scratch, &looks);
  }
  std::vector<AuditHit> hits;
  for (const AuditLook& look : looks.Take()) {
    hits.push_back(index.Compare(look, by_doc.at(look.doc)->set));
  }
  return hits;
}

// No pair is missed among sets that their sketches hold in full.
TEST(AuditIndexTest, FindsExactlyThePairsOfABruteForce) {
  std::mt19937_64 random(4);
  size_t found = 0;
  for (int i = 0; i < 400; ++i) {
    const double thresholds[] = {.05, .2, .5, 2. / 3, .7, .8, .95, 1};
    const double t = thresholds[random() % std::size(thresholds)];
    const std::vector<Item> items = RandomItems(random() % 80, &random);
    AuditReservoir reservoir(random() % 9);  // with more, common values count less
    OfferInput(items, 0, false, &reservoir);
    const AuditIndex index(reservoir.sets(), t);
    std::vector<Hit> rows;
    for (const AuditHit& h : Audit(index, items, t)) {
      if (h.common == 0) continue;  // looked at, and below the threshold
      rows.emplace_back(h.sample, h.doc, h.common, h.size_sample, h.size_doc);
    }
    std::sort(rows.begin(), rows.end());
    ASSERT_EQ(rows, BruteForce(items, SampleOf(reservoir), t)) << "threshold " << t;
    found += rows.size();
  }
  EXPECT_GT(found, 1000u);
}

/// Returns documents of 300 features, `common` of which they share with one more document, the
/// last.
std::vector<Item> AlikeItems(size_t count, uint64_t common, std::mt19937_64* random) {
  std::vector<uint64_t> original(300);
  for (uint64_t& feature : original) feature = (*random)();
  std::sort(original.begin(), original.end());
  std::vector<Item> items;
  for (DocNumber doc = 0; doc < count; ++doc) {
    std::vector<uint64_t> set = original;
    std::shuffle(set.begin(), set.end(), *random);
    for (size_t i = common; i < set.size(); ++i) set[i] = (*random)();
    std::sort(set.begin(), set.end());
    items.push_back({{UINT64_MAX, (*random)()}, doc, std::move(set)});
  }
  items.push_back({{1, 1}, count, std::move(original)});
  return items;
}

// As AuditIndex states, one in a million is missed at the threshold, so none of these.
TEST(AuditIndexTest, LargeSetsAtTheThresholdAreNotMissed) {
  std::mt19937_64 random(5);
  for (const auto& [t, common] : {std::pair(.8, 267U), std::pair(.5, 200U), std::pair(.95, 293U)}) {
    constexpr size_t kCount = AuditLooks::kLooks - 1;
    for (int turn = 0; turn < 8; ++turn) {
      const std::vector<Item> items = AlikeItems(kCount, common, &random);
      AuditReservoir reservoir(1);
      OfferInput(items, 0, false, &reservoir);
      ASSERT_EQ(reservoir.sets().begin()->first.low, 1u);
      const auto hits = Audit(AuditIndex(reservoir.sets(), t), items, t);
      const auto alike = std::count_if(hits.begin(), hits.end(),
                                       [](const AuditHit& hit) { return hit.common != 0; });
      EXPECT_EQ(static_cast<size_t>(alike), kCount) << t;
    }
  }
}

TEST(AuditIndexTest, WhatIsFarBelowTheThresholdIsRarelyLookedAt) {
  std::mt19937_64 random(6);
  const std::vector<Item> items = AlikeItems(400, 40, &random);  // resemblance .07
  AuditReservoir reservoir(1);
  OfferInput(items, 0, false, &reservoir);
  EXPECT_LT(Audit(AuditIndex(reservoir.sets(), .8), items, .8).size(), 80u);
}

TEST(AuditIndexTest, SketchesAreLargeWhereTheThresholdIsLow) {
  EXPECT_EQ(AuditIndex::SketchSize(1), 32u);
  EXPECT_EQ(AuditIndex::SketchSize(.5), 32u);
  EXPECT_EQ(AuditIndex::SketchSize(.3), 39u);
  EXPECT_EQ(AuditIndex::SketchSize(.2), 62u);
  EXPECT_EQ(AuditIndex::SketchSize(.01), 64u);
}

TEST(AuditIndexTest, EmptyOnes) {
  EXPECT_TRUE(Audit(AuditIndex({}, .8), {{{1, 1}, 0, {1, 2, 3}}}, .8).empty());
  AuditReservoir reservoir(5);
  reservoir.Offer({2, 2}, {});
  reservoir.Offer({3, 3}, {1, 2, 3, 99});
  reservoir.EndSource(0, false);
  const AuditIndex index(reservoir.sets(), .7);
  EXPECT_TRUE(Audit(index, {{{9, 9}, 7, {}}}, .7).empty());
  EXPECT_EQ(Audit(index, {{{9, 9}, 7, {1, 2, 3}}}, .7).size(), 1u);
}

using Kept = std::vector<std::pair<double, std::vector<std::pair<DocNumber, uint64_t>>>>;

Kept KeptOf(const AuditHits& hits) {
  Kept kept;
  for (const auto& sample : hits.Finish()) {
    kept.emplace_back(sample.Partners(), std::vector<std::pair<DocNumber, uint64_t>>());
    for (const AuditHit& hit : sample.hits) kept.back().second.emplace_back(hit.doc, hit.draw);
  }
  return kept;
}

TEST(AuditHitsTest, FewHitsAreAllKeptAndCounted) {
  AuditHits hits(3);
  for (DocNumber doc = 50; doc-- > 0;) hits.Add({doc * 977 % 64, doc, 1, 8, 9, 9});
  const auto samples = hits.Finish();
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].Partners(), 0);
  EXPECT_EQ(samples[2].Partners(), 0);
  EXPECT_EQ(samples[1].Partners(), 50) << "no estimate where all are known";
  ASSERT_EQ(samples[1].hits.size(), 50u);
  for (DocNumber doc = 0; doc < 50; ++doc) EXPECT_EQ(samples[1].hits[doc].doc, doc);
}

/// Returns the hits kept for one class, by the definition: the documents with the smallest draws
/// are looked at, and the first alike documents are kept, up to the limit.
std::vector<std::pair<DocNumber, uint64_t>> PlainKept(const std::vector<AuditHit>& all,
                                                      uint32_t sample, double* partners) {
  std::vector<std::tuple<uint64_t, DocNumber, bool>> looks;
  for (const AuditHit& hit : all) {
    if (hit.sample == sample) looks.emplace_back(hit.draw, hit.doc, hit.common != 0);
  }
  std::sort(looks.begin(), looks.end());
  uint64_t bound = UINT64_MAX;
  if (looks.size() >= AuditLooks::kLooks) {
    looks.resize(AuditLooks::kLooks);
    bound = std::get<0>(looks.back());
  }
  std::vector<std::pair<DocNumber, uint64_t>> kept;
  for (const auto& [draw, doc, alike] : looks) {
    if (alike && kept.size() < AuditHits::kHits) kept.emplace_back(doc, draw);
  }
  if (kept.size() == AuditHits::kHits) bound = std::min(bound, kept.back().second);
  std::sort(kept.begin(), kept.end());
  const double share = std::min((static_cast<double>(bound) + 1) * 0x1p-64, 1.0);
  *partners = static_cast<double>(kept.size()) / share;
  return kept;
}

/// Takes looks first, then hits, as the passes do.
AuditHits HitsOf(const std::vector<AuditHit>& all, size_t samples) {
  AuditLooks looks(samples);
  std::map<std::pair<DocNumber, uint32_t>, AuditHit> compared;
  for (const AuditHit& hit : all) {
    compared[{hit.doc, hit.sample}] = hit;
    looks.Add({hit.draw, hit.doc, hit.sample});
  }
  AuditHits hits(samples);
  for (const AuditLook& look : looks.Take()) hits.Add(compared.at({look.doc, look.sample}));
  return hits;
}

// With equal draws, the lower document is kept.
TEST(AuditHitsTest, WhatIsKeptHasTheSmallestDrawsInAnyOrder) {
  std::mt19937_64 random(5);
  for (const uint64_t draws : {uint64_t{3}, uint64_t{200}, uint64_t{1} << 20, UINT64_MAX}) {
    std::vector<AuditHit> all;
    for (DocNumber doc = 0; doc < 9000; ++doc) {
      // All, half, few and none of the documents are alike in the classes; the last class has few.
      const auto sample = static_cast<uint32_t>(doc % 32 == 0 ? 4 : random() % 4);
      const uint64_t one_in[] = {1, 2, 20, UINT64_MAX, 2};
      const uint32_t common = random() % one_in[sample] == 0 ? 8 : 0;
      all.push_back({random() % draws, doc, sample, common, 9, 9});
    }
    for (int turn = 0; turn < 5; ++turn) {
      std::shuffle(all.begin(), all.end(), random);
      const Kept kept = KeptOf(HitsOf(all, 5));
      for (uint32_t sample = 0; sample < 5; ++sample) {
        double partners = 0;
        ASSERT_EQ(kept[sample].second, PlainKept(all, sample, &partners)) << sample;
        EXPECT_DOUBLE_EQ(kept[sample].first, partners);
      }
    }
  }
}

// The standard error of a bottom-k estimate is its value over sqrt(k - 2) (Cohen 1997).
const double kRelativeError = 1 / std::sqrt(static_cast<double>(AuditHits::kHits - 2));

TEST(AuditHitsTest, TheNumberOfPartnersIsEstimatedWithoutBias) {
  std::mt19937_64 random(7);
  for (const uint64_t partners : {256, 300, 2'000, 50'000}) {
    constexpr uint32_t kSamples = 40;
    std::vector<AuditHit> all;
    for (uint32_t sample = 0; sample < kSamples; ++sample) {
      for (DocNumber doc = 0; doc < partners; ++doc)
        all.push_back({random(), doc, sample, 8, 9, 9});
    }
    const auto truth = static_cast<double>(partners);
    double sum = 0;
    for (const auto& sample : HitsOf(all, kSamples).Finish()) {
      EXPECT_EQ(sample.hits.size(), AuditHits::kHits);
      EXPECT_NEAR(sample.Partners(), truth, 5 * truth * kRelativeError);
      sum += sample.Partners();
    }
    EXPECT_NEAR(sum / kSamples, truth, 5 * truth * kRelativeError / std::sqrt(kSamples))
        << partners;
  }
}

// A template that many documents share makes many looks for each hit.
TEST(AuditHitsTest, PartnersAreEstimatedFromTheDocumentsThatWereLookedAt) {
  std::mt19937_64 random(8);
  constexpr uint32_t kSamples = 40;
  constexpr uint64_t kDocuments = 20'000, kOneIn = 16;
  std::vector<AuditHit> all;
  for (uint32_t sample = 0; sample < kSamples; ++sample) {
    for (DocNumber doc = 0; doc < kDocuments; ++doc) {
      all.push_back({random(), doc, sample, doc % kOneIn == 0 ? 8U : 0U, 9, 9});
    }
  }
  constexpr auto kTruth = static_cast<double>(kDocuments / kOneIn);
  const double error = kTruth / std::sqrt(static_cast<double>(AuditLooks::kLooks / kOneIn));
  double sum = 0;
  for (const auto& sample : HitsOf(all, kSamples).Finish()) {
    EXPECT_NEAR(sample.Partners(), kTruth, 5 * error);
    sum += sample.Partners();
  }
  EXPECT_NEAR(sum / kSamples, kTruth, 5 * error / std::sqrt(kSamples));
}

// The draws are made from the stream hashes: they must be as good as random draws, although the
// hashes here hardly are.
TEST(AuditIndexTest, NearCopiesAreCountedByAFewHundred) {
  AuditReservoir reservoir(20);
  const std::vector<uint64_t> set = {1, 2, 3, 4, 5, 6, 7, 8};
  for (uint64_t i = 0; i < 20; ++i) reservoir.Offer({i, i * i}, set);
  reservoir.EndSource(0, false);
  constexpr uint64_t kCopies = 20'000;
  std::vector<Item> items;
  for (uint64_t doc = 0; doc < kCopies; ++doc) items.push_back({{1000 + doc, 0}, doc, set});
  const AuditIndex index(reservoir.sets(), .8);
  const auto compared = Audit(index, items, .8);
  EXPECT_EQ(compared.size(), 20 * AuditLooks::kLooks) << "others are not even compared";
  AuditHits kept(index.size());
  for (const AuditHit& hit : compared) kept.Add(hit);
  constexpr auto kTruth = static_cast<double>(kCopies);
  for (const auto& sample : kept.Finish()) {
    EXPECT_NEAR(sample.Partners(), kTruth, 5 * kTruth * kRelativeError);
  }
}

// All documents share 70 of 100 features, and some are alike in the others too: the comparisons
// must not be spent on the template.
TEST(AuditIndexTest, OnATemplateThoseAreComparedThatAreAlikeBesides) {
  std::mt19937_64 random(9);
  const auto draw = [&](size_t count, std::vector<uint64_t> to) {
    for (size_t i = 0; i < count; ++i) to.push_back(random());
    return to;
  };
  const std::vector<uint64_t> common = draw(70, {});
  std::vector<Item> items;
  AuditReservoir reservoir(200);
  for (DocNumber doc = 0; doc < 6000; doc += 2) {
    const std::vector<uint64_t> original = draw(30, common);
    const std::vector<uint64_t> copy = draw(10, {original.begin(), original.end() - 10});
    for (const auto& set : {original, copy}) {  // resemblance of the two .82, to others .54
      items.push_back({{random(), random()}, doc + (set == copy ? 1 : 0), set});
      std::sort(items.back().set.begin(), items.back().set.end());
    }
  }
  OfferInput(items, 0, false, &reservoir);
  size_t alike = 0, compared = 0;
  for (const AuditHit& hit : Audit(AuditIndex(reservoir.sets(), .8), items, .8)) {
    alike += hit.common != 0;
    compared += hit.on_template == 0;
  }
  EXPECT_GE(alike, 190u) << "of 200 sampled ones";
  EXPECT_LT(compared, 20 * AuditLooks::kLooks);
}

// Three groups of pages: the pages of a group share 60 of 100 features, which are all that makes
// them alike, and more than a fiftieth of the samples have these features.
TEST(AuditIndexTest, PairsOfATemplateAreCountedWithoutBias) {
  for (const uint32_t documents : {3'000U, 30'000U}) {
    std::mt19937_64 random(11);
    const auto draw = [&](size_t count, std::vector<uint64_t> to) {
      for (size_t i = 0; i < count; ++i) to.push_back(random());
      return to;
    };
    const std::vector<uint64_t> templates[] = {draw(60, {}), draw(60, {}), draw(60, {})};
    std::vector<Item> items;
    AuditReservoir reservoir(150);
    for (DocNumber doc = 0; doc < documents; ++doc) {
      auto set = draw(30, templates[doc % 3]);  // resemblance .5
      std::sort(set.begin(), set.end());
      items.push_back({{random(), random()}, doc, std::move(set)});
    }
    OfferInput(items, 0, false, &reservoir);
    const AuditIndex index(reservoir.sets(), .5, 0, documents);
    AuditHits hits(index.size(), index.template_share());
    size_t compared = 0;
    for (const AuditHit& hit : Audit(index, items, .5)) {
      hits.Add(hit);
      ++compared;
    }
    double sum = 0;
    for (const auto& sample : hits.Finish()) sum += sample.Partners();
    const double truth = documents / 3. - 1;
    EXPECT_NEAR(sum / static_cast<double>(index.size()), truth, .1 * truth) << documents;
    EXPECT_LE(compared, index.size() * (AuditLooks::kLooks + AuditLooks::kTemplateLooks));
  }
}

TEST(AuditReservoirTest, ADocumentLongerThanAllMayBeIsSampledAlone) {
  AuditReservoir reservoir(10);
  reservoir.Offer({1, 0}, std::vector<uint64_t>(AuditReservoir::kMostFeatures + 1, 1));
  reservoir.EndSource(0, false);
  EXPECT_EQ(reservoir.sets().size(), 1u);
}

TEST(AuditReservoirTest, AClassOfManyInputsTakesRoomOnce) {
  AuditReservoir reservoir(10);
  for (uint32_t source = 0; source < 9; ++source) {
    for (const uint64_t low : {1, 2}) {
      reservoir.Offer({low, 0}, std::vector<uint64_t>(AuditReservoir::kMostFeatures / 4, 1));
    }
    reservoir.EndSource(source, false);
  }
  EXPECT_EQ(reservoir.sets().size(), 2u);
}

// Where documents are long, the sample is the longest prefix of hashes whose sets fit together.
TEST(AuditReservoirTest, LongDocumentsMakeASmallerSample) {
  constexpr uint64_t kLong = AuditReservoir::kMostFeatures / 4;
  std::vector<uint64_t> order = {0, 1, 2, 3, 4, 5, 6, 7};
  std::mt19937_64 random(5);
  for (int turn = 0; turn < 20; ++turn) {
    AuditReservoir reservoir(100);
    for (const uint64_t low : order) {
      const StreamHash hash = {low + 1, 0};
      if (reservoir.Wants(0, hash)) {
        reservoir.Offer(hash, std::vector<uint64_t>(low == 6 ? 10 : kLong, 1));
      }
    }
    reservoir.EndSource(0, false);
    ASSERT_EQ(reservoir.sets().size(), 4u);
    EXPECT_EQ(reservoir.sets().rbegin()->first.low, 4u);
    std::shuffle(order.begin(), order.end(), random);
  }
}

}  // namespace
}  // namespace lookalike
