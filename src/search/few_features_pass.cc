#include "search/few_features_pass.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <mutex>
#include <utility>

#include "run/partition_runs.h"
#include "search/key_records.h"
#include "spill/ended_early.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/candidates/few_features.h"
#include "stages/candidates/few_join.h"

namespace lookalike {
namespace {

/// The numbers of features of documents, which are requested in ascending order.
class FewSizesInOrder {
 public:
  explicit FewSizesInOrder(const DocumentUnits& units)
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

struct ByRank {
  bool operator()(const FewMeeting& x, const FewMeeting& y) const { return x.rank() < y.rank(); }
};

/// The meetings of one key, in memory or, if they do not fit, in a file.
class StoredMembers : public FewMembers {
 public:
  StoredMembers(Workspace* workspace, uint64_t bytes)
      : workspace_(*workspace),
        bytes_(bytes),
        most_(std::max<uint64_t>(256, bytes / sizeof(FewMeeting))) {}

  [[nodiscard]] uint64_t size() const override { return run_ ? spilled_ : held_.size(); }
  [[nodiscard]] uint64_t most() const override { return most_; }

  Result<std::span<const FewMeeting>> Read(uint64_t from, uint64_t count,
                                           std::vector<FewMeeting>* out) const override {
    count = std::min(count, size() - from);
    if (!run_) return std::span(held_).subspan(from, count);
    out->resize(count);
    LOOKALIKE_RETURN_IF_ERROR(
        run_->Read(0, from * sizeof(FewMeeting), std::as_writable_bytes(std::span(*out))));
    return std::span<const FewMeeting>(*out);
  }

  Status Finish() override {
    if (!writer_) return {};
    LOOKALIKE_RETURN_IF_ERROR(Spill());
    LOOKALIKE_ASSIGN_OR_RETURN(run_, writer_->Finish());
    writer_.reset();
    return {};
  }

  Status ForEachByRank(const std::function<Status(const FewMeeting&)>& use) override {
    if (run_) return ForEachStored(use);
    std::sort(held_.begin(), held_.end(), ByRank());
    for (const FewMeeting& member : held_) LOOKALIKE_RETURN_IF_ERROR(use(member));
    return {};
  }

 private:
  Status Hold(const FewMeeting& meeting) override {
    if (held_.size() == most_) LOOKALIKE_RETURN_IF_ERROR(Spill());
    held_.push_back(meeting);
    return {};
  }

  void Drop() override {
    held_.clear();
    writer_.reset();
    run_.reset();
    spilled_ = 0;
  }

  Status Spill() {
    if (!writer_) writer_ = workspace_.store().Temporary(1);
    LOOKALIKE_RETURN_IF_ERROR(writer_->Append(0, std::as_bytes(std::span(held_))));
    spilled_ += held_.size();
    held_.clear();
    return {};
  }

  Status ForEachStored(const std::function<Status(const FewMeeting&)>& use) {
    Sorter<FewMeeting, ByRank> by_rank(&workspace_.store(), bytes_ / 2);
    std::vector<FewMeeting> block;
    for (uint64_t at = 0; at < size(); at += most_) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto some, Read(at, most_, &block));
      LOOKALIKE_RETURN_IF_ERROR(by_rank.Add(some));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_rank.Finish());
    while (const FewMeeting* member = sorted.Next()) LOOKALIKE_RETURN_IF_ERROR(use(*member));
    return sorted.status();
  }

  Workspace& workspace_;
  uint64_t bytes_, most_;
  std::vector<FewMeeting> held_;
  std::unique_ptr<RunWriter> writer_;
  RunPointer run_;
  uint64_t spilled_ = 0;
};

/// A sink that passes pairs on to the collector of the whole search.
class CollectingSink : public JoinSink {
 public:
  CollectingSink(PairCollector* pairs, const RunStore& store) : pairs_(*pairs), store_(store) {}

  Status AddPairs(std::span<const CandidatePair> pairs) override { return pairs_.Add(pairs); }
  Status AddRefined(std::span<const KeyRecord> /*records*/) override { return {}; }
  Status CheckStop() override { return store_.CheckStop(); }

 private:
  PairCollector& pairs_;
  const RunStore& store_;
};

}  // namespace

class FewSearch::Steps {
 public:
  explicit Steps(const SearchContext& context)
      : job_(context.job),
        few_(*context.job.few),
        units_(context.units),
        ranking_(context.ranking),
        reps_(context.reps),
        observer_(context.observer),
        workspace_(*context.workspace),
        scope_(job_.Scope(units_.inputs)),
        share_(workspace_.memory().work / workspace_.memory().threads),
        keys_added_(job_.partitions()) {}

  Result<FewCounts> Count(PartitionRange features) {
    FewCounts counts;
    some_frequent_ = false;
    const auto count = [this](uint32_t partition) { return CountFeatures(partition); };
    LOOKALIKE_ASSIGN_OR_RETURN(counts.runs,
                               RunPartitions(workspace_, features, {0, 2}, observer_, count));
    counts.some_frequent = some_frequent_;
    return counts;
  }

  Status MakeKeys(const FewCounts& counts, const std::vector<bool>& wanted) {
    FrequentFeatures frequent(few_);
    if (counts.some_frequent) {
      LOOKALIKE_RETURN_IF_ERROR(
          ForEachDocument(counts.runs, [&](DocNumber, uint32_t size, auto features) -> Status {
            frequent.Count(size, features);
            return {};
          }));
      frequent.Decide();
    }
    LOOKALIKE_ASSIGN_OR_RETURN(meetings_, MakeMeetings(counts.runs, frequent, wanted));
    return {};
  }

  Status Join(PartitionRange keys, PairCollector* pairs, BucketCounts* counts) {
    BucketCounts found;
    for (uint32_t i = keys.first; i < keys.end; ++i) found.keys_added += keys_added_[i];
    const auto meet = [&](uint32_t partition) { return Meet(partition, pairs, &found); };
    LOOKALIKE_ASSIGN_OR_RETURN(const auto none,
                               RunPartitions(workspace_, keys, {1, 2}, observer_, meet));
    counts->Add(found);
    return {};
  }

 private:
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

  /// Returns a chunk size with which runs of few records waste no space in a file.
  static uint32_t ChunkFor(uint64_t records) {
    const uint64_t bytes = std::bit_ceil(std::max<uint64_t>(1, records * sizeof(CountedFeature)));
    return static_cast<uint32_t>(
        std::clamp<uint64_t>(bytes, RunStore::kSmallestChunkBytes, RunStore::kChunkBytes));
  }

  /// Calls `use(document, features, the features it shares, in order)`.
  template <class Use>
  Status ForEachDocument(const std::vector<RunPointer>& counted, Use&& use) {
    FewSizesInOrder sizes(units_);
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

  /// Returns the FewMeeting records of all documents in the wanted partitions, one stream per
  /// partition.
  Result<RunPointer> MakeMeetings(const std::vector<RunPointer>& counted,
                                  const FrequentFeatures& frequent,
                                  const std::vector<bool>& wanted) {
    auto writer = workspace_.store().Temporary(job_.partitions(), RunStore::kSmallestChunkBytes);
    std::vector<FewMeeting> keys;
    const Status made = ForEachDocument(
        counted, [&](DocNumber doc, uint32_t size, std::span<const CountedFeature> features) {
          keys.clear();
          MakeMeetingKeys(few_, frequent, ranking_.RankOf(doc), size, features, &keys);
          if (job_.rules.guarded) AddGuardedKeys(units_.guards.GuardOf(doc), &keys);
          return AppendMeetings(keys, wanted, writer.get());
        });
    if (!made) return tl::make_unexpected(made.error());
    return writer->Finish();
  }

  Status AppendMeetings(const std::vector<FewMeeting>& keys, const std::vector<bool>& wanted,
                        RunWriter* writer) {
    for (const FewMeeting& key : keys) {
      const uint32_t partition = workspace_.PartitionOf(key.key, job_.partition_bits);
      if (!wanted[partition]) continue;
      ++keys_added_[partition];
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(partition, key));
    }
    return {};
  }

  /// Passes the pairs of a partition to the collector; returns no run.
  Result<RunPointer> Meet(uint32_t partition, PairCollector* pairs, BucketCounts* counts) {
    Sorter<FewMeeting> by_key(&workspace_.store(), share_ / 2);
    RecordReader<FewMeeting> records({meetings_}, partition);
    for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
      LOOKALIKE_RETURN_IF_ERROR(by_key.Add(block));
    }
    LOOKALIKE_RETURN_IF_ERROR(records.status());
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_key.Finish());
    StoredMembers members(&workspace_, share_ / 4);
    CollectingSink sink(pairs, workspace_.store());
    FewKeyJoin join(few_, job_.rules, scope_, &members, &sink);
    while (const FewMeeting* meeting = sorted.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(join.Add(*meeting));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    LOOKALIKE_RETURN_IF_ERROR(join.Finish());
    const std::lock_guard lock(mutex_);
    counts->Add(join.counts());
    return RunPointer();
  }

  const Job& job_;
  const FewFeatures& few_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const Observer& observer_;
  Workspace& workspace_;
  PairScope scope_;
  uint64_t share_;                           // of memory, per thread
  std::atomic<bool> some_frequent_ = false;  // among the features counted last
  std::vector<uint64_t> keys_added_;         // by partition
  RunPointer meetings_;
  std::mutex mutex_;
};

FewSearch::FewSearch(const SearchContext& context) : steps_(std::make_unique<Steps>(context)) {}

FewSearch::~FewSearch() = default;

Result<FewCounts> FewSearch::Count(PartitionRange features) { return steps_->Count(features); }

Status FewSearch::MakeKeys(const FewCounts& counts, const std::vector<bool>& wanted) {
  return steps_->MakeKeys(counts, wanted);
}

Status FewSearch::Join(PartitionRange keys, PairCollector* pairs, BucketCounts* counts) {
  return steps_->Join(keys, pairs, counts);
}

}  // namespace lookalike
