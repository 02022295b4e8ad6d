// The join of documents with few features by the features that they share: step four of
// few_features.h, and all four steps over sets in memory.
#ifndef LOOKALIKE_STAGES_CANDIDATES_FEW_JOIN_H_
#define LOOKALIKE_STAGES_CANDIDATES_FEW_JOIN_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "records/records.h"
#include "stages/candidates/buckets.h"
#include "stages/candidates/few_features.h"

namespace lookalike {

/// The meetings of one key, wherever they are held. Not thread-safe.
class FewMembers {
 public:
  virtual ~FewMembers() = default;

  /// Adds the next meeting of the key, in sorted order.
  Status Add(const FewMeeting& meeting) {
    if (groups_.empty() || groups_.back().first != meeting.group()) {
      groups_.emplace_back(meeting.group(), 0);
    }
    ++groups_.back().second;
    return Hold(meeting);
  }

  /// Called once all meetings of the key have been added, before they are read.
  virtual Status Finish() = 0;

  /// Forgets the key's meetings.
  void Clear() {
    groups_.clear();
    Drop();
  }

  /// Returns the groups and the number of members of each.
  [[nodiscard]] const std::vector<std::pair<uint32_t, uint64_t>>& groups() const { return groups_; }

  [[nodiscard]] virtual uint64_t size() const = 0;

  /// Returns how many members can be held at a time.
  [[nodiscard]] virtual uint64_t most() const = 0;

  /// Returns up to `count` members from position `from` on. Valid until `out` changes.
  virtual Result<std::span<const FewMeeting>> Read(uint64_t from, uint64_t count,
                                                   std::vector<FewMeeting>* out) const = 0;

  /// Calls `use` for all members, in order of rank. The stored order is lost.
  virtual Status ForEachByRank(const std::function<Status(const FewMeeting&)>& use) = 0;

 private:
  virtual Status Hold(const FewMeeting& meeting) = 0;
  virtual void Drop() = 0;

  std::vector<std::pair<uint32_t, uint64_t>> groups_;
};

/// The meetings of one key, in memory.
class HeldMembers : public FewMembers {
 public:
  Status Finish() override { return {}; }
  [[nodiscard]] uint64_t size() const override { return held_.size(); }
  [[nodiscard]] uint64_t most() const override { return std::max<uint64_t>(2, held_.size() * 2); }

  Result<std::span<const FewMeeting>> Read(uint64_t from, uint64_t count,
                                           std::vector<FewMeeting>* /*out*/) const override {
    return std::span(held_).subspan(from, std::min(count, held_.size() - from));
  }

  Status ForEachByRank(const std::function<Status(const FewMeeting&)>& use) override {
    std::sort(held_.begin(), held_.end(),
              [](const FewMeeting& x, const FewMeeting& y) { return x.rank() < y.rank(); });
    for (const FewMeeting& member : held_) LOOKALIKE_RETURN_IF_ERROR(use(member));
    return {};
  }

 private:
  Status Hold(const FewMeeting& meeting) override {
    held_.push_back(meeting);
    return {};
  }
  void Drop() override { held_.clear(); }

  std::vector<FewMeeting> held_;
};

/// Makes pairs from the members of each key, one key after another. Not thread-safe.
class FewKeyJoin {
 public:
  /// All must outlive the join.
  FewKeyJoin(const FewFeatures& few, const BucketRules& rules, const PairScope& scope,
             FewMembers* members, JoinSink* sink)
      : few_(few), rules_(rules), scope_(scope), members_(*members), sink_(*sink) {}

  /// Adds the next meeting, in sorted order.
  Status Add(const FewMeeting& meeting);

  Status Finish();

  [[nodiscard]] const BucketCounts& counts() const { return counts_; }

 private:
  Status JoinMembers();
  [[nodiscard]] bool SomeMayBeAlike() const;
  Status JoinAlike();
  Status CompareAll();
  Status CompareWithin(std::span<const FewMeeting> members);
  Status Compare(const FewMeeting& x, std::span<const FewMeeting> others);
  Status MeetLeaders();
  Status CheckStop(uint64_t more);
  Status Give(const CandidatePair& pair);
  Status Flush();

  const FewFeatures& few_;
  const BucketRules& rules_;
  PairScope scope_;
  FewMembers& members_;
  JoinSink& sink_;
  uint64_t key_ = 0, compared_ = 0;
  BucketCounts counts_;
  std::vector<FewMeeting> outer_, inner_;
  std::vector<CandidatePair> found_;
};

/// The features of a document that takes part, as keys (OrderOf of each). `guard` has a meaning
/// with BucketRules::guarded only.
struct FewSet {
  Rank rank;
  std::span<const uint64_t> keys;
  uint64_t guard = 0;
};

/// Finds the pairs among these documents, in memory: about 100 bytes per feature. Pairs may repeat.
/// REQUIRES: sets are in order of rank, and each takes part (FewFeatures::TakesPart).
Status JoinFewSets(const FewFeatures& few, const BucketRules& rules, const PairScope& scope,
                   std::span<const FewSet> sets, JoinSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CANDIDATES_FEW_JOIN_H_
