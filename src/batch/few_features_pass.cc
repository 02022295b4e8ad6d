#include "batch/few_features_pass.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <utility>

#include "batch/key_records.h"
#include "batch/partition_runs.h"
#include "spill/ended_early.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/candidates/few_features.h"

namespace lookalike {
namespace {

constexpr size_t kPairsAtATime = 4096;

/// The numbers of features of documents, which are requested in ascending order.
class SizesInOrder {
 public:
  explicit SizesInOrder(const DocumentUnits& units)
      : units_(units), reader_(units.runs(), kUnitFewSizes) {}

  Result<uint32_t> Of(DocNumber doc) {
    while (const FewSize* size = reader_.Next()) {
      if (units_.units[reader_.run()].first + size->doc == doc) return size->features;
    }
    return EndedEarly(reader_.status(), "the list of small documents");
  }

 private:
  const DocumentUnits& units_;
  RecordReader<FewSize> reader_;
};

/// The meetings of one key, in memory or, if they do not fit, in a file.
class KeyMembers {
 public:
  KeyMembers(Workspace* workspace, uint64_t bytes)
      : workspace_(*workspace), most_(std::max<uint64_t>(256, bytes / sizeof(FewMeeting))) {}

  Status Add(const FewMeeting& meeting) {
    if (groups_.empty() || groups_.back().first != meeting.group()) {
      groups_.emplace_back(meeting.group(), 0);
    }
    ++groups_.back().second;
    if (held_.size() == most_) LOOKALIKE_RETURN_IF_ERROR(Spill());
    held_.push_back(meeting);
    return {};
  }

  void Clear() {
    groups_.clear();
    held_.clear();
    writer_.reset();
    run_.reset();
    spilled_ = 0;
  }

  [[nodiscard]] uint64_t size() const { return run_ ? spilled_ : held_.size(); }
  [[nodiscard]] bool in_memory() const { return run_ == nullptr; }
  [[nodiscard]] uint64_t most() const { return most_; }
  /// Groups and the number of members of each.
  [[nodiscard]] const std::vector<std::pair<uint32_t, uint64_t>>& groups() const { return groups_; }
  /// Returns all members. REQUIRES: in_memory().
  [[nodiscard]] std::span<FewMeeting> held() { return held_; }

  /// Returns members from one place on, at most so many. Valid until `out` changes.
  Result<std::span<const FewMeeting>> Read(uint64_t from, uint64_t count,
                                           std::vector<FewMeeting>* out) const {
    count = std::min(count, size() - from);
    if (!run_) return std::span(held_).subspan(from, count);
    out->resize(count);
    LOOKALIKE_RETURN_IF_ERROR(
        run_->Read(0, from * sizeof(FewMeeting), std::as_writable_bytes(std::span(*out))));
    return std::span<const FewMeeting>(*out);
  }

  Status Finish() {
    if (!writer_) return {};
    LOOKALIKE_RETURN_IF_ERROR(Spill());
    LOOKALIKE_ASSIGN_OR_RETURN(run_, writer_->Finish());
    writer_.reset();
    return {};
  }

 private:
  Status Spill() {
    if (!writer_) writer_ = workspace_.store().Temporary(1);
    LOOKALIKE_RETURN_IF_ERROR(writer_->Append(0, std::as_bytes(std::span(held_))));
    spilled_ += held_.size();
    held_.clear();
    return {};
  }

  Workspace& workspace_;
  uint64_t most_;
  std::vector<std::pair<uint32_t, uint64_t>> groups_;
  std::vector<FewMeeting> held_;
  std::unique_ptr<RunWriter> writer_;
  RunPointer run_;
  uint64_t spilled_ = 0;
};

struct ByRank {
  bool operator()(const FewMeeting& x, const FewMeeting& y) const { return x.rank() < y.rank(); }
};

/// Makes pairs from the members of one key after the other.
class KeyJoin {
 public:
  KeyJoin(const FewFeatures& few, const BucketRules& rules, const PairScope& scope, uint64_t bytes,
          Workspace* workspace, PairCollector* pairs)
      : few_(few),
        rules_(rules),
        scope_(scope),
        workspace_(*workspace),
        pairs_(*pairs),
        bytes_(bytes),
        members_(workspace, bytes) {}

  /// Adds the next meeting, in sorted order.
  Status Add(const FewMeeting& meeting) {
    if (meeting.key != key_) LOOKALIKE_RETURN_IF_ERROR(JoinMembers());
    key_ = meeting.key;
    return members_.Add(meeting);
  }

  Status Finish() {
    LOOKALIKE_RETURN_IF_ERROR(JoinMembers());
    return Flush();
  }

  [[nodiscard]] const BucketCounts& counts() const { return counts_; }

 private:
  Status JoinMembers() {
    LOOKALIKE_RETURN_IF_ERROR(members_.Finish());
    const Status joined = SomeMayBeAlike() ? JoinAlike() : Status();
    members_.Clear();
    return joined;
  }

  /// True if two groups of members can be alike, whatever their features.
  [[nodiscard]] bool SomeMayBeAlike() const {
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

  Status JoinAlike() {
    ++counts_.buckets;
    const bool all = rules_.all_pairs || members_.size() <= rules_.small_at_last;
    return all ? CompareAll() : MeetLeaders();
  }

  // Compares all members in a nested loop over blocks.
  Status CompareAll() {
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

  Status CompareWithin(std::span<const FewMeeting> members) {
    for (size_t i = 0; i + 1 < members.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(Compare(members[i], members.subspan(i + 1)));
    }
    return {};
  }

  // Members come by groups, most of which can be skipped as a whole.
  Status Compare(const FewMeeting& x, std::span<const FewMeeting> others) {
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

  Status MeetLeaders() {
    FewLeaders leaders(few_, rules_.small_at_last, scope_);
    uint64_t reference = 0;
    const auto meet = [&](const FewMeeting& member) {
      reference += member.rank() < scope_.reference_end;
      if (Status stop = CheckStop(FewLeaders::kMostLeaders); !stop) return stop;
      return leaders.Meet(member, [&](const CandidatePair& pair) { return Give(pair); });
    };
    if (members_.in_memory()) {
      std::sort(members_.held().begin(), members_.held().end(), ByRank());
      for (const FewMeeting& member : members_.held()) LOOKALIKE_RETURN_IF_ERROR(meet(member));
    } else {
      LOOKALIKE_RETURN_IF_ERROR(ForEachByRank(meet));
    }
    counts_.pairs_met += leaders.met();
    const uint64_t own = members_.size() - reference;
    const uint64_t among_own = scope_.across_only ? 0 : own * (own - 1) / 2;
    counts_.pairs_left_out += reference * own + among_own - leaders.met();
    return {};
  }

  template <class Meet>
  Status ForEachByRank(Meet&& meet) {
    Sorter<FewMeeting, ByRank> by_rank(&workspace_.store(), bytes_ / 2);
    std::vector<FewMeeting> block;
    for (uint64_t at = 0; at < members_.size(); at += members_.most()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto some, members_.Read(at, members_.most(), &block));
      LOOKALIKE_RETURN_IF_ERROR(by_rank.Add(some));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_rank.Finish());
    while (const FewMeeting* member = sorted.Next()) LOOKALIKE_RETURN_IF_ERROR(meet(*member));
    return sorted.status();
  }

  /// Looks for a stop request after some milliseconds of comparing.
  Status CheckStop(uint64_t more) {
    constexpr uint64_t kPairs = uint64_t{1} << 20;
    if ((compared_ += more) < kPairs) return {};
    compared_ = 0;
    return workspace_.store().CheckStop();
  }

  Status Give(const CandidatePair& pair) {
    found_.push_back(pair);
    return found_.size() < kPairsAtATime ? Status() : Flush();
  }

  Status Flush() {
    if (!found_.empty()) LOOKALIKE_RETURN_IF_ERROR(pairs_.Add(found_));
    found_.clear();
    return {};
  }

  const FewFeatures& few_;
  const BucketRules& rules_;
  PairScope scope_;
  Workspace& workspace_;
  PairCollector& pairs_;
  uint64_t bytes_, key_ = 0, compared_ = 0;
  KeyMembers members_;
  BucketCounts counts_;
  std::vector<FewMeeting> outer_, inner_;
  std::vector<CandidatePair> found_;
};

class FewJoin {
 public:
  FewJoin(const Job& job, const DocumentUnits& units, const Ranking& ranking, const Bitmap& reps,
          const Observer& observer, Workspace* workspace, PairCollector* pairs)
      : job_(job),
        few_(*job.few),
        units_(units),
        ranking_(ranking),
        reps_(reps),
        observer_(observer),
        workspace_(*workspace),
        pairs_(*pairs),
        scope_(job.Scope(units.inputs)),
        share_(workspace->memory().work / workspace->memory().threads) {}

  Status Run() {
    LOOKALIKE_ASSIGN_OR_RETURN(
        const std::vector<RunPointer> counted,
        ForEachPartition(0, [this](uint32_t partition) { return CountFeatures(partition); }));
    FrequentFeatures frequent(few_);
    if (some_frequent_) {
      LOOKALIKE_RETURN_IF_ERROR(
          ForEachDocument(counted, [&](DocNumber, uint32_t size, auto features) -> Status {
            frequent.Count(size, features);
            return {};
          }));
      frequent.Decide();
    }
    LOOKALIKE_ASSIGN_OR_RETURN(meetings_, MakeMeetings(counted, frequent));
    return {};
  }

  Status Join() {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto none, ForEachPartition(1, [this](uint32_t partition) {
                                 return Meet(partition);
                               }));
    return {};
  }

  [[nodiscard]] const BucketCounts& counts() const { return counts_; }

 private:
  template <class Make>
  Result<std::vector<RunPointer>> ForEachPartition(uint32_t step, Make&& make) {
    return RunPartitions(workspace_, job_.partitions(), {step, 2}, observer_, make);
  }

  /// Returns the CountedFeature records of a partition, sorted.
  Result<RunPointer> CountFeatures(uint32_t partition) {
    Sorter<KeyRecord, ByFeature> by_feature(&workspace_.store(), share_ / 4);
    const Ranking documents;
    LOOKALIKE_RETURN_IF_ERROR(
        PackedKeys(units_, documents, reps_, job_.partitions() + partition)
            .ForEach([&](std::span<const KeyRecord> block) { return by_feature.Add(block); }));
    LOOKALIKE_ASSIGN_OR_RETURN(auto features, by_feature.Finish());
    Sorter<CountedFeature> by_doc(&workspace_.store(), share_ / 4);
    const auto take = [&](const CountedFeature& feature) {
      if (feature.count() >= FrequentFeatures::kFrequent) some_frequent_ = true;
      return by_doc.Add(feature);
    };
    FeatureCounts counts(scope_);
    while (const KeyRecord* record = features.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(counts.Add(*record, take));
    }
    LOOKALIKE_RETURN_IF_ERROR(features.status());
    LOOKALIKE_RETURN_IF_ERROR(counts.Finish(take));
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_doc.Finish());
    auto writer = workspace_.store().Temporary(1, ChunkFor(sorted.size()));
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&sorted, 0, writer.get()));
    return writer->Finish();
  }

  /// Returns a chunk size by which runs of few records take no more room in a file than they need.
  static uint32_t ChunkFor(uint64_t records) {
    const uint64_t bytes = std::bit_ceil(std::max<uint64_t>(1, records * sizeof(CountedFeature)));
    return static_cast<uint32_t>(
        std::clamp<uint64_t>(bytes, RunStore::kSmallestChunkBytes, RunStore::kChunkBytes));
  }

  /// Calls `use(document, features, the features it shares, in order)`.
  template <class Use>
  Status ForEachDocument(const std::vector<RunPointer>& counted, Use&& use) {
    SizesInOrder sizes(units_);
    SortedMerge<CountedFeature, std::less<>> by_doc(counted, workspace_.memory().work / 2,
                                                    Repeats::kKeep);
    std::vector<CountedFeature> features;
    const CountedFeature* next = by_doc.Next();
    while (next != nullptr) {
      const DocNumber doc = next->doc();
      for (features.clear(); next != nullptr && next->doc() == doc; next = by_doc.Next()) {
        features.push_back(*next);
      }
      LOOKALIKE_ASSIGN_OR_RETURN(const uint32_t size, sizes.Of(doc));
      LOOKALIKE_RETURN_IF_ERROR(use(doc, size, std::span<const CountedFeature>(features)));
    }
    return by_doc.status();
  }

  /// Returns the FewMeeting records of all documents, one stream per partition.
  Result<RunPointer> MakeMeetings(const std::vector<RunPointer>& counted,
                                  const FrequentFeatures& frequent) {
    auto writer = workspace_.store().Temporary(job_.partitions(), RunStore::kSmallestChunkBytes);
    std::vector<FewMeeting> keys;
    const Status made = ForEachDocument(
        counted, [&](DocNumber doc, uint32_t size, std::span<const CountedFeature> features) {
          keys.clear();
          MakeMeetingKeys(few_, frequent, ranking_.RankOf(doc), size, features, &keys);
          return AppendMeetings(keys, writer.get());
        });
    if (!made) return tl::make_unexpected(made.error());
    return writer->Finish();
  }

  Status AppendMeetings(const std::vector<FewMeeting>& keys, RunWriter* writer) {
    counts_.keys_added += keys.size();
    for (const FewMeeting& key : keys) {
      LOOKALIKE_RETURN_IF_ERROR(
          writer->AppendRecord(workspace_.PartitionOf(key.key, job_.partition_bits), key));
    }
    return {};
  }

  /// Passes the pairs of a partition to the collector; returns no run.
  Result<RunPointer> Meet(uint32_t partition) {
    Sorter<FewMeeting> by_key(&workspace_.store(), share_ / 2);
    RecordReader<FewMeeting> records({meetings_}, partition);
    for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
      LOOKALIKE_RETURN_IF_ERROR(by_key.Add(block));
    }
    LOOKALIKE_RETURN_IF_ERROR(records.status());
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_key.Finish());
    KeyJoin join(few_, job_.rules, scope_, share_ / 4, &workspace_, &pairs_);
    while (const FewMeeting* meeting = sorted.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(join.Add(*meeting));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    LOOKALIKE_RETURN_IF_ERROR(join.Finish());
    const std::lock_guard lock(mutex_);
    counts_.Add(join.counts());
    return RunPointer();
  }

  const Job& job_;
  const FewFeatures& few_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const Observer& observer_;
  Workspace& workspace_;
  PairCollector& pairs_;
  PairScope scope_;
  uint64_t share_;  // of memory, per thread
  std::atomic<bool> some_frequent_ = false;
  RunPointer meetings_;
  std::mutex mutex_;
  BucketCounts counts_;
};

}  // namespace

Status FindFew(const Job& job, const DocumentUnits& units, const Ranking& ranking,
               const Bitmap& reps, const Observer& observer, Workspace* workspace,
               PairCollector* pairs, BucketCounts* counts) {
  FewJoin join(job, units, ranking, reps, observer, workspace, pairs);
  LOOKALIKE_RETURN_IF_ERROR(join.Run());
  LOOKALIKE_RETURN_IF_ERROR(join.Join());
  counts->Add(join.counts());
  return {};
}

}  // namespace lookalike
