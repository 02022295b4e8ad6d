// Properties of filters of groups and bands, of the join, and of clusters, for any data.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/splitmix.h"
#include "oracle/memory_join.h"
#include "plan/curve.h"
#include "stages/candidates/band_keys.h"
#include "stages/candidates/design.h"
#include "stages/cluster/components.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/sketch.h"
#include "stages/verify/edges.h"

namespace lookalike {
namespace {

using Sketch = std::vector<uint32_t>;

Design BandsOf(uint32_t b, uint32_t r) {
  return *ParseDesign("bands:" + std::to_string(b) + "x" + std::to_string(r));
}

Design GroupsOf(uint32_t g, uint32_t l, uint32_t tau) {
  return *ParseDesign("groups:" + std::to_string(g) + "x" + std::to_string(l) + ":" +
                      std::to_string(tau));
}

std::vector<uint64_t> KeysOf(const Design& design, const Sketch& sketch) {
  std::vector<uint64_t> keys(design.keys);
  MakeBandKeys(design, sketch, keys);
  return keys;
}

uint32_t Between(uint32_t from, uint32_t to) { return *rc::gen::inRange(from, to + 1); }

/// Counts the ones of all masks, in place of C(g, i).
double BinomialTail(uint32_t g, uint32_t tau, double q) {
  double sum = 0;
  for (uint32_t mask = 0; mask < 1u << g; ++mask) {
    const auto equal = static_cast<uint32_t>(std::popcount(mask));
    if (equal >= tau) sum += std::pow(q, equal) * std::pow(1 - q, g - equal);
  }
  return sum;
}

RC_GTEST_PROP(FilterLawsTest, L28AcceptanceIsTheBinomialTailOfEqualGroups, ()) {
  const uint32_t g = Between(1, 10), l = Between(1, 20), tau = Between(1, g);
  const double j = Between(0, 1000) / 1000.0;
  const Design design = GroupsOf(g, l, tau);
  RC_ASSERT(std::abs(Acceptance(design, j) - BinomialTail(g, tau, std::pow(j, l))) < 1e-12);
  RC_ASSERT(design.keys ==
            static_cast<uint32_t>(std::lround(
                std::exp(std::lgamma(g + 1) - std::lgamma(tau + 1) - std::lgamma(g - tau + 1)))));
}

RC_GTEST_PROP(FilterLawsTest, L28AKeyIsEqualExactlyWhereEnoughGroupsAre, ()) {
  const uint32_t g = Between(1, 7), l = Between(1, 4), tau = Between(1, g);
  const Design design = GroupsOf(g, l, tau);
  Sketch a(design.coordinates), b(design.coordinates);
  SplitMix64 random(*rc::gen::arbitrary<uint64_t>());
  for (uint32_t c = 0; c < a.size(); ++c) {
    a[c] = static_cast<uint32_t>(random.Next());
    b[c] = random.Next() % 4 != 0 ? a[c] : ~a[c];
  }
  uint32_t equal = 0;
  for (uint32_t group = 0; group < g; ++group) {
    equal += std::equal(&a[group * l], &a[group * l] + l, &b[group * l]) ? 1 : 0;
  }
  const auto x = KeysOf(design, a), y = KeysOf(design, b);
  bool met = false;
  for (size_t i = 0; i < x.size(); ++i) met |= x[i] == y[i];
  RC_ASSERT(met == (equal >= tau));
}

RC_GTEST_PROP(FilterLawsTest, L29CurvesOfBandsRiseFromZeroToOne, ()) {
  const uint32_t b = Between(1, 40), r = Between(1, 20);
  const Design design = BandsOf(b, r);
  RC_ASSERT(Acceptance(design, 0) == 0);
  RC_ASSERT(std::abs(Acceptance(design, 1) - 1) < 1e-12);
  const double low = Between(1, 999) / 1000.0, high = low + .001;
  const double p = Acceptance(design, low), q = Acceptance(design, high);
  RC_ASSERT(p < q || q > 1 - 1e-9);
  RC_ASSERT(Acceptance(BandsOf(b + 1, r), low) > p || p > 1 - 1e-9);
  RC_ASSERT(Acceptance(BandsOf(b, r + 1), low) < p || p > 1 - 1e-9);
  RC_ASSERT(std::abs(Acceptance(GroupsOf(b, r, 1), low) - p) < 1e-12);
}

TEST(FilterLawsTest, L29OneCoordinateIsTheIdentity) {
  for (int i = 0; i <= 100; ++i) EXPECT_EQ(Acceptance(BandsOf(1, 1), i / 100.), i / 100.);
}

TEST(FilterLawsTest, L30TheRuleOfThresholdsOverstatesTheHalfPoint) {
  for (uint32_t b = 2; b <= 60; ++b) {
    for (uint32_t r = 1; r <= 30; ++r) {
      const Design design = BandsOf(b, r);
      const double rule = *ThresholdRule(design), p = Acceptance(design, rule);
      EXPECT_NEAR(rule, std::pow(1. / b, 1. / r), 1e-9);
      EXPECT_NEAR(p, 1 - std::pow(1 - 1. / b, b), 1e-8) << b << " bands of " << r;
      EXPECT_GT(p, 1 - std::exp(-1));
      EXPECT_LE(p, .75 + 1e-9);
      const double half = std::pow(1 - std::pow(2, -1. / b), 1. / r);
      EXPECT_NEAR(HalfPoint(design), half, 1e-9);
      EXPECT_LT(half, rule);
    }
  }
}

RC_GTEST_PROP(FilterLawsTest, L31EqualBandsMeetAndOnlyInTheSameBand, ()) {
  const uint32_t b = Between(1, 8), r = Between(1, 4);
  const Design design = BandsOf(b, r);
  SplitMix64 random(*rc::gen::arbitrary<uint64_t>());
  Sketch x(design.coordinates), y(design.coordinates);
  // Only two values, so that bands are often equal, even those at other positions.
  for (uint32_t& value : x) value = static_cast<uint32_t>(random.Next() % 2);
  for (uint32_t& value : y) value = static_cast<uint32_t>(random.Next() % 2);
  const auto keys_x = KeysOf(design, x), keys_y = KeysOf(design, y);
  for (uint32_t i = 0; i < b; ++i) {
    for (uint32_t k = 0; k < b; ++k) {
      const bool equal = std::equal(&x[i * r], &x[i * r] + r, &y[k * r]);
      RC_ASSERT((keys_x[i] == keys_y[k]) == (equal && i == k));
    }
  }
}

/// Documents in pairs of resemblances from 0 to 1, with their sketches.
struct Corpus {
  DocumentSets sets;
  std::vector<Sketch> sketches;
  std::vector<uint8_t> codes;
  std::vector<double> planted;  ///< Resemblance of documents 2 i and 2 i + 1.
};

constexpr uint32_t kCoordinates = 128, kUnion = 200;

Corpus MakeCorpus(size_t pairs, uint64_t seed) {
  Corpus corpus;
  Sketcher sketcher({kCoordinates, SketchKind::kPermutations});
  SplitMix64 random(seed);
  for (size_t i = 0; i < pairs; ++i) {
    const size_t common = i * kUnion / (pairs - 1);
    corpus.planted.push_back(static_cast<double>(common) / kUnion);
    std::vector<uint64_t> features(kUnion);
    for (uint64_t& feature : features) feature = random.Next();
    const size_t middle = common + (kUnion - common + 1) / 2;
    std::vector<uint64_t> a(features.begin(), features.begin() + static_cast<long>(middle));
    std::vector<uint64_t> b(features.begin() + static_cast<long>(middle), features.end());
    b.insert(b.end(), features.begin(), features.begin() + static_cast<long>(common));
    for (auto* set : {&a, &b}) {
      std::sort(set->begin(), set->end());
      corpus.sets.documents.push_back(corpus.sets.documents.size());
      corpus.sets.sets.Add(*set);
      const auto sketch = sketcher.Run(*set);
      corpus.sketches.emplace_back(sketch.begin(), sketch.end());
      corpus.codes.resize(corpus.codes.size() + kCoordinates);
      MakeCodes(sketch, corpus.codes.data() + corpus.codes.size() - kCoordinates);
    }
  }
  return corpus;
}

std::vector<CandidatePair> CandidatesOf(const Corpus& corpus, const Design& design,
                                        uint32_t floor = 0) {
  std::vector<KeyRecord> records;
  for (Rank doc = 0; doc < corpus.sketches.size(); ++doc) {
    for (const uint64_t key : KeysOf(design, corpus.sketches[doc])) records.push_back({doc, key});
  }
  BucketRules rules;
  rules.all_pairs = true;
  rules.agreement_floor = floor;
  const MemoryCodes codes(corpus.codes.data(), kCoordinates);
  return JoinInMemory(records, codes, rules)->pairs;
}

TEST(FilterLawsTest, L32CandidatesArePairsAsOftenAsTheCurveSays) {
  const Design design = BandsOf(20, 5);
  double found = 0, expected = 0, variance = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Corpus corpus = MakeCorpus(100, seed);
    const auto pairs = CandidatesOf(corpus, design);
    std::set<std::pair<Rank, Rank>> seen;
    for (const CandidatePair& pair : pairs) {
      ASSERT_LT(pair.a, pair.d) << "a document with itself, or a pair the other way round";
      ASSERT_TRUE(seen.emplace(pair.a, pair.d).second) << "a pair twice";
      if (pair.a / 2 == pair.d / 2) ++found;
    }
    for (Rank doc = 0; doc < corpus.sketches.size(); doc += 2) {
      if (corpus.sketches[doc] == corpus.sketches[doc + 1]) {
        ASSERT_TRUE(seen.contains({doc, doc + 1})) << "identical signatures";
      }
      const double p = Acceptance(design, corpus.planted[doc / 2]);
      expected += p, variance += p * (1 - p);
    }
  }
  EXPECT_NEAR(found, expected, 4 * std::sqrt(variance));
}

bool IsSubset(const std::vector<CandidatePair>& some, const std::vector<CandidatePair>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

std::vector<CandidatePair> Verified(const Corpus& corpus, const std::vector<CandidatePair>& pairs,
                                    double threshold) {
  std::vector<CandidatePair> verified;
  for (const Edge& edge : VerifyPairs(pairs, corpus.sets, {}, threshold)) {
    EXPECT_GE(edge.resemblance(), threshold);
    verified.push_back({edge.a, edge.d});
  }
  return verified;
}

TEST(FilterLawsTest, L33VerifiedPairsAreCandidatesAndFewerAtAHigherThreshold) {
  const Corpus corpus = MakeCorpus(200, 33);
  std::vector<CandidatePair> last;
  for (uint32_t bands = 1; bands <= 25; ++bands) {
    const auto candidates = CandidatesOf(corpus, BandsOf(bands, 5));
    EXPECT_TRUE(IsSubset(last, candidates)) << "one more than " << bands - 1 << " bands";
    last = candidates;
  }
  std::vector<CandidatePair> lower = last;
  for (const double threshold : {.2, .5, .8, .95, 1.}) {
    const auto verified = Verified(corpus, last, threshold);
    EXPECT_TRUE(IsSubset(verified, lower)) << threshold;
    for (const CandidatePair& pair : last) {
      const bool alike = pair.a / 2 == pair.d / 2 && corpus.planted[pair.a / 2] >= threshold;
      EXPECT_EQ(std::binary_search(verified.begin(), verified.end(), pair), alike) << threshold;
    }
    lower = verified;
  }
  EXPECT_FALSE(lower.empty());
}

// Step 6 before step 7 (MMDS 3.4.3): the least agreement whose estimate reaches the threshold.
TEST(FilterLawsTest, L34SignaturesAreCheckedBeforeDocuments) {
  const Corpus corpus = MakeCorpus(200, 34);
  const Design design = BandsOf(20, 5);
  const auto all = CandidatesOf(corpus, design);
  for (const double threshold : {.3, .5, .8, 1.}) {
    const uint32_t floor = LeastEqual(threshold, kCoordinates, 8);
    EXPECT_GE(EstimateFromEqual(floor, kCoordinates, 8).resemblance, threshold);
    EXPECT_LT(EstimateFromEqual(floor - 1, kCoordinates, 8).resemblance, threshold);
    const auto checked = CandidatesOf(corpus, design, floor);
    EXPECT_TRUE(IsSubset(checked, all));
    for (const CandidatePair& pair : all) {
      uint32_t equal = 0;
      for (uint32_t c = 0; c < kCoordinates; ++c) {
        equal += corpus.codes[pair.a * kCoordinates + c] == corpus.codes[pair.d * kCoordinates + c];
      }
      EXPECT_EQ(std::binary_search(checked.begin(), checked.end(), pair), equal >= floor);
    }
  }
}

RC_GTEST_PROP(FilterLawsTest, L36ComponentsAreThePartitionOfReachabilityInAnyOrder, ()) {
  const uint32_t n = Between(1, 30);
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t i = Between(0, 40); i > 0; --i) {
    edges.emplace_back(Between(0, n - 1), Between(0, n - 1));
  }
  // Spreads labels until nothing changes.
  std::vector<uint64_t> labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  for (uint32_t round = 0; round < n; ++round) {
    for (const auto& [x, y] : edges) labels[x] = labels[y] = std::min(labels[x], labels[y]);
  }
  SplitMix64 random(*rc::gen::arbitrary<uint64_t>());
  for (size_t i = edges.size(); i > 1; --i) {
    std::swap(edges[i - 1], edges[random.Next() % i]);
    if (random.Next() % 2 == 0) std::swap(edges[i - 1].first, edges[i - 1].second);
  }
  Components components(n);
  for (const auto& [x, y] : edges) components.Join(x, y);
  for (uint32_t x = 0; x < n; ++x) RC_ASSERT(components.Find(x) == labels[x]);
}

/// Returns the work of the join on a corpus with a tenth of documents that are changed copies of
/// others.
uint64_t WorkOf(size_t documents) {
  Corpus corpus;
  Sketcher sketcher({kCoordinates, SketchKind::kFss});
  SplitMix64 random(documents);
  std::vector<KeyRecord> records;
  const Design design = *ParseDesign("overlapping:128:8:32");
  for (Rank doc = 0; doc < documents; ++doc) {
    // A tenth repeats all but one of the features of the previous document.
    SplitMix64 features(doc % 10 == 9 ? doc - 1 : doc);
    std::vector<uint64_t> set(60);
    for (uint64_t& feature : set) feature = features.Next();
    if (doc % 10 == 9) set.back() = random.Next();
    const auto sketch = sketcher.Run(set);
    for (const uint64_t key : KeysOf(design, {sketch.begin(), sketch.end()})) {
      records.push_back({doc, key});
    }
    corpus.codes.resize(corpus.codes.size() + kCoordinates);
    MakeCodes(sketch, corpus.codes.data() + corpus.codes.size() - kCoordinates);
  }
  const MemoryCodes codes(corpus.codes.data(), kCoordinates);
  BucketRules rules;
  rules.extensions.push_back(PlanExtension(.8, .999, kCoordinates));
  const uint64_t keys = records.size();
  const auto joined = JoinInMemory(std::move(records), codes, rules);
  return keys + joined->counts.keys_added + joined->counts.pairs_met + joined->pairs_given;
}

// At most n log n, in records that are sorted and pairs that are tested.
TEST(FilterLawsTest, L38TwiceTheDocumentsAreTwiceTheWork) {
  for (const size_t n : {500, 1000, 2000}) {
    const auto once = static_cast<double>(WorkOf(n)), twice = static_cast<double>(WorkOf(2 * n));
    EXPECT_LE(twice / once, 2 * (1 + 1 / std::log2(n))) << n;
    EXPECT_GE(twice / once, 1.9) << n;
  }
}

}  // namespace
}  // namespace lookalike
