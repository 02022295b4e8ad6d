#include "stages/candidates/few_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

using Set = std::vector<uint64_t>;  // sorted
using PairSet = std::set<std::pair<Rank, Rank>>;

Set Sorted(Set set) {
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

uint64_t Common(const Set& a, const Set& b) {
  Set common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return common.size();
}

/// The results of the four steps, in memory. Documents rank in their given order.
struct Joined {
  size_t keys = 0;
  std::vector<std::vector<FewMeeting>> meetings;  ///< By key.

  Joined(const FewFeatures& few, const std::vector<Set>& sets, const PairScope& scope) {
    std::vector<KeyRecord> records;
    for (DocNumber doc = 0; doc < sets.size(); ++doc) {
      if (sets[doc].empty() || !few.TakesPart(sets[doc].size())) continue;
      for (const uint64_t feature : sets[doc]) records.push_back({doc, Mix64(feature)});
    }
    std::ranges::sort(records, ByFeature());
    std::vector<CountedFeature> counted;
    const auto take = [&](const CountedFeature& feature) -> Status {
      counted.push_back(feature);
      return {};
    };
    FeatureCounts counts(scope);
    for (const KeyRecord& record : records) EXPECT_TRUE(counts.Add(record, take));
    EXPECT_TRUE(counts.Finish(take));
    std::sort(counted.begin(), counted.end());
    std::map<DocNumber, std::vector<CountedFeature>> of_document;
    for (const CountedFeature& feature : counted) of_document[feature.doc()].push_back(feature);
    FrequentFeatures frequent(few);
    for (const auto& [doc, features] : of_document) {
      frequent.Count(static_cast<uint32_t>(sets[doc].size()), features);
    }
    frequent.Decide();
    std::vector<FewMeeting> all;
    for (const auto& [doc, features] : of_document) {
      MakeMeetingKeys(few, frequent, doc, static_cast<uint32_t>(sets[doc].size()), features, &all);
    }
    keys = all.size();
    std::sort(all.begin(), all.end());
    for (const FewMeeting& meeting : all) {
      if (meetings.empty() || meetings.back().back().key != meeting.key) meetings.emplace_back();
      meetings.back().push_back(meeting);
    }
  }

  PairSet Pairs(const FewFeatures& few, const PairScope& scope) const {
    PairSet pairs;
    for (const auto& members : meetings) {
      for (size_t i = 0; i < members.size(); ++i) {
        for (size_t j = i + 1; j < members.size(); ++j) {
          if (!MayBeAlike(few, members[i], members[j])) continue;
          const auto [a, d] = std::minmax({members[i].rank(), members[j].rank()});
          if (scope.Counts(a, d)) pairs.insert({a, d});
        }
      }
    }
    return pairs;
  }
};

PairSet Alike(const std::vector<Set>& sets, double threshold, const PairScope& scope) {
  PairSet pairs;
  for (Rank a = 0; a < sets.size(); ++a) {
    for (Rank d = a + 1; d < sets.size(); ++d) {
      const size_t least = std::min(sets[a].size(), sets[d].size());
      if (least > FewFeatures::kFew || !scope.Counts(a, d)) continue;
      const uint64_t common = Common(sets[a], sets[d]);
      if (MeetsThreshold(common, sets[a].size(), sets[d].size(), threshold)) pairs.insert({a, d});
    }
  }
  return pairs;
}

/// Makes sets of up to `most` out of `features` features, half of them changed copies of earlier
/// sets.
std::vector<Set> RandomSets(size_t count, size_t most, uint64_t features, std::mt19937_64* random) {
  std::vector<Set> sets;
  while (sets.size() < count) {
    Set set;
    if (!sets.empty() && (*random)() % 2 == 0) set = sets[(*random)() % sets.size()];
    const size_t size = 1 + (*random)() % most;
    while (set.size() < size) set.push_back((*random)() % features * ((*random)() % features));
    if ((*random)() % 2 == 0) set[(*random)() % set.size()] = (*random)() % features;
    sets.push_back(Sorted(std::move(set)));
  }
  return sets;
}

TEST(FewFeaturesTest, NeededIsWhatTheThresholdAsksForWhereOneHasFew) {
  for (const double threshold : {.2, .5, 2. / 3, .7, .8, .95, 1.}) {
    const FewFeatures few(threshold);
    EXPECT_TRUE(few.IsFew(FewFeatures::kFew));
    EXPECT_FALSE(few.IsFew(FewFeatures::kFew + 1));
    EXPECT_TRUE(MeetsThreshold(16, 16, few.most(), threshold));
    EXPECT_FALSE(MeetsThreshold(16, 16, few.most() + 1, threshold));
    for (uint32_t a = 1; a <= few.most(); ++a) {
      for (uint32_t b = 1; b <= few.most(); ++b) {
        const uint64_t needed = NeededCommon(a, b, threshold);
        const bool counts = std::min(a, b) <= 16 && needed <= std::min(a, b);
        EXPECT_EQ(few.Needed(a, b), counts ? needed : 0) << a << " " << b;
      }
    }
  }
}

TEST(FewFeaturesTest, VeryLowThresholdsLeaveFewerFeaturesOrNone) {
  EXPECT_LE(FewFeatures(.05).most(), FewFeatures::kMost);
  EXPECT_TRUE(FewFeatures(.05).IsFew(12));
  EXPECT_FALSE(FewFeatures(.05).IsFew(13));
  EXPECT_FALSE(FewFeatures(.001).IsFew(1));
  EXPECT_FALSE(FewFeatures(.001).TakesPart(1));
}

TEST(FewFeaturesTest, NoPairIsMissedAndHardlyAnyIsFoundInVain) {
  std::mt19937_64 random(1);
  size_t alike = 0, found = 0;
  for (const double threshold : {.1, .3, .5, 2. / 3, .8, .9, 1.}) {
    for (const uint64_t features : {12, 40, 300}) {
      const auto sets = RandomSets(400, 40, features, &random);
      const PairScope scope = {random() % 2 == 0 ? 0 : random() % 400, random() % 2 == 0};
      const FewFeatures few(threshold);
      const PairSet pairs = Joined(few, sets, scope).Pairs(few, scope);
      const PairSet expected = Alike(sets, threshold, scope);
      alike += expected.size();
      found += pairs.size();
      for (const auto& [a, d] : expected) {
        EXPECT_TRUE(pairs.contains({a, d})) << a << " " << d << " at " << threshold;
      }
    }
  }
  EXPECT_GT(alike, 3000u);
  EXPECT_LT(found, 8 * alike);
}

// Each of these features occurs in more documents than kFrequent, so that pairs of features are
// keys.
TEST(FewFeaturesTest, NoPairOfFrequentFeaturesIsMissed) {
  std::mt19937_64 random(2);
  for (const double threshold : {.5, .7}) {
    std::vector<Set> sets;
    for (int i = 0; i < 3000; ++i) {
      Set set;
      for (size_t draws = 1 + random() % 12; set.size() < draws;) set.push_back(random() % 7);
      if (random() % 4 == 0) set.push_back(100 + random() % 200);
      sets.push_back(Sorted(std::move(set)));
    }
    const FewFeatures few(threshold);
    const Joined joined(few, sets, {});
    const PairSet pairs = joined.Pairs(few, {});
    for (const auto& [a, d] : Alike(sets, threshold, {})) {
      ASSERT_TRUE(pairs.contains({a, d})) << a << " " << d << " at " << threshold;
    }
    const auto of_two = [](const auto& members) {
      return FormOf(members.front().key) == KeyForm::kTwo;
    };
    EXPECT_TRUE(std::ranges::any_of(joined.meetings, of_two)) << threshold;
  }
}

// "text 17 of a unique kind in this file word17": three of its six shingles are in all documents.
TEST(FewFeaturesTest, DocumentsOfOneTemplateDoNotMeet) {
  for (const double threshold : {.5, .7, .8}) {
    std::vector<Set> sets;
    for (uint64_t i = 0; i < 5000; ++i) {
      sets.push_back({1, 2, 3, 10 + 3 * i, 11 + 3 * i, 12 + 3 * i});
    }
    const FewFeatures few(threshold);
    const Joined joined(few, sets, {});
    EXPECT_EQ(joined.keys, 0u);
  }
}

TEST(FewFeaturesTest, AFeatureOfMoreDocumentsThanAreHeldIsSharedByAll) {
  FeatureCounts counts({});
  uint64_t given = 0;
  const auto take = [&](const CountedFeature& feature) -> Status {
    EXPECT_EQ(feature.doc(), given++);
    EXPECT_EQ(feature.count(), CountedFeature::kMostCounted);
    return {};
  };
  const uint64_t documents = 2 * FeatureCounts::kMostHeld + 1;
  for (DocNumber doc = 0; doc < documents; ++doc) ASSERT_TRUE(counts.Add({doc, 7}, take));
  ASSERT_TRUE(counts.Finish(take));
  EXPECT_EQ(given, documents);
}

FewMeeting MeetingOf(uint64_t signature, uint32_t size, Rank rank) {
  return FewMeeting::Of(4, signature, size, size, size, rank);
}

TEST(FewLeadersTest, NearCopiesMeetTheFirstAndDocumentsUnlikeOneAnotherAll) {
  const FewFeatures few(.8);
  std::vector<CandidatePair> pairs;
  const auto take = [&](const CandidatePair& pair) -> Status {
    pairs.push_back(pair);
    return {};
  };
  FewLeaders copies(few, 4, {});
  for (Rank rank = 0; rank < 100; ++rank) ASSERT_TRUE(copies.Meet(MeetingOf(0xff, 8, rank), take));
  EXPECT_EQ(pairs.size(), 99u);
  EXPECT_EQ(copies.met(), 99u);
  for (const CandidatePair& pair : pairs) EXPECT_EQ(pair.a, 0u);
  pairs.clear();
  FewLeaders unlike(few, 4, {});
  for (Rank rank = 0; rank < 8; ++rank) {
    ASSERT_TRUE(unlike.Meet(MeetingOf(uint64_t{0xff} << (8 * rank), 8, rank), take));
  }
  EXPECT_TRUE(pairs.empty());
  EXPECT_EQ(unlike.met(), 28u);
}

// Sixteen features each, fourteen of which any two documents share: alike, but not very.
TEST(FewLeadersTest, ADocumentHasNoMorePairsThanAreAskedFor) {
  const FewFeatures few(.75);
  std::map<Rank, int> of_document;
  const auto take = [&](const CandidatePair& pair) -> Status {
    ++of_document[pair.d];
    return {};
  };
  FewLeaders leaders(few, 3, {});
  for (Rank rank = 0; rank < 20; ++rank) {
    const uint64_t own = uint64_t{3} << (16 + 2 * rank);
    ASSERT_TRUE(leaders.Meet(MeetingOf(0x3fff | own, 16, rank), take));
  }
  EXPECT_EQ(of_document[1], 1);
  EXPECT_EQ(of_document[2], 2);
  for (Rank rank = 3; rank < 20; ++rank) EXPECT_EQ(of_document[rank], 3) << rank;
}

TEST(FewLeadersTest, ReferencesMeetNobodyAndOwnOnesLeadNobodyAcross) {
  const FewFeatures few(.8);
  PairSet pairs;
  const auto take = [&](const CandidatePair& pair) -> Status {
    pairs.insert({pair.a, pair.d});
    return {};
  };
  for (const bool across : {false, true}) {
    pairs.clear();
    FewLeaders leaders(few, 64, {2, across});
    for (Rank rank = 0; rank < 4; ++rank) {
      // Copies of an even and of an odd kind.
      ASSERT_TRUE(leaders.Meet(MeetingOf(rank == 0 ? 0xff : 0xff00, 8, rank), take));
    }
    EXPECT_EQ(pairs, (PairSet{{1, 2}, {1, 3}})) << across;
  }
}

}  // namespace
}  // namespace lookalike
