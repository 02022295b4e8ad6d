#include "stages/candidates/few_join.h"

#include <algorithm>

namespace lookalike {
namespace {

constexpr size_t kFewPairsAtATime = 4096;

/// Returns, by document, the features that occur in several of the sets.
Result<std::vector<CountedFeature>> CountShared(std::span<const FewSet> sets,
                                                const PairScope& scope) {
  std::vector<KeyRecord> records;
  for (const FewSet& set : sets) {
    for (const uint64_t key : set.keys) records.push_back({.member = set.rank, .key = key});
  }
  std::sort(records.begin(), records.end(), ByFeature());
  std::vector<CountedFeature> shared;
  const auto take = [&](const CountedFeature& feature) -> Status {
    shared.push_back(feature);
    return {};
  };
  FeatureCounts counts(scope);
  for (const KeyRecord& record : records) LOOKALIKE_RETURN_IF_ERROR(counts.Add(record, take));
  LOOKALIKE_RETURN_IF_ERROR(counts.Finish(take));
  std::sort(shared.begin(), shared.end());
  return shared;
}

/// Calls `use(set, the features it shares, in order)` for each set that shares some.
template <class Use>
void ForEachSharing(std::span<const FewSet> sets, std::span<const CountedFeature> shared,
                    Use&& use) {
  auto set = sets.begin();
  while (!shared.empty()) {
    const DocNumber doc = shared.front().doc();
    size_t count = 1;
    while (count < shared.size() && shared[count].doc() == doc) ++count;
    while (set->rank != doc) ++set;
    use(*set, shared.first(count));
    shared = shared.subspan(count);
  }
}

}  // namespace

Status FewKeyJoin::Add(const FewMeeting& meeting) {
  if (meeting.key != key_) LOOKALIKE_RETURN_IF_ERROR(JoinMembers());
  key_ = meeting.key;
  return members_.Add(meeting);
}

Status FewKeyJoin::Finish() {
  LOOKALIKE_RETURN_IF_ERROR(JoinMembers());
  return Flush();
}

Status FewKeyJoin::JoinMembers() {
  LOOKALIKE_RETURN_IF_ERROR(members_.Finish());
  const Status joined = SomeMayBeAlike() ? JoinAlike() : Status();
  members_.Clear();
  return joined;
}

// True if two groups of members can be alike, whatever their features.
bool FewKeyJoin::SomeMayBeAlike() const {
  if (members_.size() < 2) return false;
  const auto& groups = members_.groups();
  for (size_t i = 0; i < groups.size(); ++i) {
    for (size_t j = i; j < groups.size(); ++j) {
      if (i == j && groups[i].second < 2) continue;
      if (GroupsMayBeAlike(few_, FormOf(key_), groups[i].first, groups[j].first)) return true;
    }
  }
  return false;
}

Status FewKeyJoin::JoinAlike() {
  ++counts_.buckets;
  const bool all = rules_.all_pairs || members_.size() <= rules_.small_at_last;
  return all ? CompareAll() : MeetLeaders();
}

// Compares all members in a nested loop over blocks.
Status FewKeyJoin::CompareAll() {
  const uint64_t block = std::max<uint64_t>(1, members_.most() / 2);
  for (uint64_t outer = 0; outer < members_.size(); outer += block) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto xs, members_.Read(outer, block, &outer_));
    LOOKALIKE_RETURN_IF_ERROR(CompareWithin(xs));
    for (uint64_t inner = outer + block; inner < members_.size(); inner += block) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto ys, members_.Read(inner, block, &inner_));
      for (const FewMeeting& x : xs) LOOKALIKE_RETURN_IF_ERROR(Compare(x, ys));
    }
  }
  return {};
}

Status FewKeyJoin::CompareWithin(std::span<const FewMeeting> members) {
  for (size_t i = 0; i + 1 < members.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(Compare(members[i], members.subspan(i + 1)));
  }
  return {};
}

// Members arrive in groups, most of which can be skipped as a whole.
Status FewKeyJoin::Compare(const FewMeeting& x, std::span<const FewMeeting> others) {
  for (size_t begin = 0; begin < others.size();) {
    const uint32_t group = others[begin].group();
    const auto after =
        std::partition_point(others.begin() + static_cast<ptrdiff_t>(begin), others.end(),
                             [&](const FewMeeting& y) { return y.group() == group; });
    const auto end = static_cast<size_t>(after - others.begin());
    if (GroupsMayBeAlike(few_, FormOf(key_), x.group(), group)) {
      counts_.pairs_met += end - begin;
      LOOKALIKE_RETURN_IF_ERROR(CheckStop(end - begin));
      for (const FewMeeting& y : others.subspan(begin, end - begin)) {
        if (!MayBeAlike(few_, x, y)) continue;
        const auto [a, d] = std::minmax({x.rank(), y.rank()});
        if (scope_.Counts(a, d)) LOOKALIKE_RETURN_IF_ERROR(Give({a, d}));
      }
    }
    begin = end;
  }
  return {};
}

Status FewKeyJoin::MeetLeaders() {
  FewLeaders leaders(few_, rules_.small_at_last, scope_);
  uint64_t reference = 0;
  const auto meet = [&](const FewMeeting& member) -> Status {
    reference += member.rank() < scope_.reference_end;
    if (Status stop = CheckStop(FewLeaders::kMostLeaders); !stop) return stop;
    return leaders.Meet(member, [&](const CandidatePair& pair) { return Give(pair); });
  };
  LOOKALIKE_RETURN_IF_ERROR(members_.ForEachByRank(meet));
  counts_.pairs_met += leaders.met();
  const uint64_t own = members_.size() - reference;
  const uint64_t among_own = scope_.across_only ? 0 : own * (own - 1) / 2;
  counts_.pairs_left_out += reference * own + among_own - leaders.met();
  return {};
}

// Checks for a stop request after some milliseconds of comparing.
Status FewKeyJoin::CheckStop(uint64_t more) {
  constexpr uint64_t kPairs = uint64_t{1} << 20;
  if ((compared_ += more) < kPairs) return {};
  compared_ = 0;
  return sink_.CheckStop();
}

Status FewKeyJoin::Give(const CandidatePair& pair) {
  found_.push_back(pair);
  return found_.size() < kFewPairsAtATime ? Status() : Flush();
}

Status FewKeyJoin::Flush() {
  if (!found_.empty()) LOOKALIKE_RETURN_IF_ERROR(sink_.AddPairs(found_));
  found_.clear();
  return {};
}

Status JoinFewSets(const FewFeatures& few, const BucketRules& rules, const PairScope& scope,
                   std::span<const FewSet> sets, JoinSink* sink) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<CountedFeature> shared, CountShared(sets, scope));
  FrequentFeatures frequent(few);
  ForEachSharing(sets, shared, [&](const FewSet& set, std::span<const CountedFeature> features) {
    frequent.Count(static_cast<uint32_t>(set.keys.size()), features);
  });
  frequent.Decide();
  std::vector<FewMeeting> meetings, keys;
  ForEachSharing(sets, shared, [&](const FewSet& set, std::span<const CountedFeature> features) {
    keys.clear();
    MakeMeetingKeys(few, frequent, set.rank, static_cast<uint32_t>(set.keys.size()), features,
                    &keys);
    if (rules.guarded) AddGuardedKeys(set.guard, &keys);
    meetings.insert(meetings.end(), keys.begin(), keys.end());
  });
  std::sort(meetings.begin(), meetings.end());
  HeldMembers members;
  FewKeyJoin join(few, rules, scope, &members, sink);
  for (const FewMeeting& meeting : meetings) LOOKALIKE_RETURN_IF_ERROR(join.Add(meeting));
  return join.Finish();
}

}  // namespace lookalike
