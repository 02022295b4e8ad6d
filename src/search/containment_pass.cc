#include "search/containment_pass.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <utility>

#include "run/partition_runs.h"
#include "search/counts_pass.h"
#include "search/key_records.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/candidates/containment.h"

namespace lookalike {
namespace {

/// More meetings than this take hours and a large disk, so they require `--yes`.
constexpr uint64_t kMostMeetingsUnasked = 4'000'000'000;

/// The sample sizes of documents, which are requested in ascending order.
class SampleSizesInOrder {
 public:
  explicit SampleSizesInOrder(const DocumentUnits& units) : reader_(units.runs(), kUnitSizes) {}

  Result<SampleSizes> Of(DocNumber doc) {
    const SampleSizes* sizes = nullptr;
    for (; next_ <= doc; ++next_) sizes = reader_.Next();
    if (sizes != nullptr) return *sizes;
    return EndedEarly(reader_.status(), "the list of sample sizes");
  }

 private:
  RecordReader<SampleSizes> reader_;
  DocNumber next_ = 0;
};

/// Writes a sorter's records as a run.
template <class T>
Result<RunPointer> Written(Sorter<T>* sorter, RunStore* store) {
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter->Finish());
  auto writer = store->Temporary(1);
  LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&sorted, 0, writer.get()));
  return writer->Finish();
}

/// Returns the bytes of memory that a thread has for the records of a partition.
uint64_t ShareOf(const Workspace& workspace) {
  return workspace.memory().work / workspace.memory().threads;
}

/// Returns the SharedFeature records of a partition, sorted.
Result<RunPointer> SharedFeaturesOf(const SearchContext& context, uint32_t partition) {
  RunStore& store = context.workspace->store();
  const uint64_t bytes = ShareOf(*context.workspace) / 4;
  Sorter<KeyRecord, ByKey> by_key(&store, bytes);
  const Ranking documents;
  LOOKALIKE_RETURN_IF_ERROR(
      PackedKeys(context.units, documents, context.reps, partition)
          .ForEach([&](std::span<const KeyRecord> block) { return by_key.Add(block); }));
  LOOKALIKE_ASSIGN_OR_RETURN(auto keys, by_key.Finish());
  Sorter<SharedFeature> by_doc(&store, bytes);
  const auto take = [&](const SharedFeature& feature) { return by_doc.Add(feature); };
  SharedFeatures shared(context.job.Scope(context.units.inputs));
  while (const KeyRecord* record = keys.Next()) {
    LOOKALIKE_RETURN_IF_ERROR(shared.Add(*record, take));
  }
  LOOKALIKE_RETURN_IF_ERROR(keys.status());
  LOOKALIKE_RETURN_IF_ERROR(shared.Finish(take));
  return Written(&by_doc, &store);
}

class ContainmentJoin : public UnitJoin {
 public:
  explicit ContainmentJoin(const SearchContext& context)
      : context_(context),
        job_(context.job),
        workspace_(*context.workspace),
        scope_(job_.Scope(context.units.inputs)),
        looks_(job_.partitions()) {}

  /// Chooses the features with which documents look for others.
  Status Prepare(const std::vector<size_t>& to_do) override {
    std::vector<RunPointer> shared;
    if (workspace_.adopts_units()) {
      LOOKALIKE_ASSIGN_OR_RETURN(shared, FinishedCounts(job_, &workspace_));
    } else {
      LOOKALIKE_ASSIGN_OR_RETURN(shared, FindShared(context_, job_.all_partitions(), {0, 2}));
      rounds_before_ = 1;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(meetings_,
                               ChooseLooksOfAll(std::move(shared), WantedKeys(context_, to_do)));
    return {};
  }

  Result<RunPointer> MakeUnit(size_t unit, uint32_t i, uint32_t count) override {
    met_ = 0;
    const PartitionRange keys = KeysOf(context_, unit);
    LOOKALIKE_ASSIGN_OR_RETURN(
        std::vector<RunPointer> runs,
        RunPartitions(workspace_, keys, {rounds_before_ + i, rounds_before_ + count},
                      context_.observer, [this](uint32_t partition) { return Meet(partition); }));
    SortedMerge<CandidatePair, std::less<>> pairs(std::move(runs), workspace_.memory().work / 2,
                                                  Repeats::kDrop);
    JoinWriter writer(&workspace_, unit);
    while (const CandidatePair* pair = pairs.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(writer.Add(std::span(pair, 1)));
    }
    LOOKALIKE_RETURN_IF_ERROR(pairs.status());
    BucketCounts counts;
    counts.keys_added =
        std::accumulate(looks_.begin() + keys.first, looks_.begin() + keys.end, uint64_t{0});
    counts.pairs_met = met_;
    return writer.Finish(counts);
  }

 private:
  /// Returns the MeetingRecord records of all documents, one stream per partition; none of
  /// partitions that are not `wanted`.
  Result<RunPointer> ChooseLooksOfAll(std::vector<RunPointer> shared,
                                      const std::vector<bool>& wanted) {
    auto writer = workspace_.store().Temporary(job_.partitions(), RunStore::kSmallestChunkBytes);
    SampleSizesInOrder sizes(context_.units);
    SortedMerge<SharedFeature, std::less<>> by_doc(std::move(shared), workspace_.memory().work / 2,
                                                   Repeats::kKeep);
    std::vector<uint64_t> keys;
    const SharedFeature* next = by_doc.Next();
    while (next != nullptr) {
      const DocNumber doc = next->doc();
      for (keys.clear(); next != nullptr && next->doc() == doc; next = by_doc.Next()) {
        keys.push_back(next->key);
      }
      LOOKALIKE_ASSIGN_OR_RETURN(const SampleSizes of_doc, sizes.Of(doc));
      LOOKALIKE_RETURN_IF_ERROR(AddDocument(doc, of_doc, keys, wanted, writer.get()));
    }
    LOOKALIKE_RETURN_IF_ERROR(by_doc.status());
    return writer->Finish();
  }

  Status AddDocument(DocNumber doc, const SampleSizes& sizes, const std::vector<uint64_t>& keys,
                     const std::vector<bool>& wanted, RunWriter* writer) {
    const std::vector<bool> looks = ChooseLooks(*job_.containment, sizes, keys);
    for (size_t i = 0; i < keys.size(); ++i) {
      const uint32_t partition = workspace_.PartitionOf(keys[i], job_.partition_bits);
      if (!wanted[partition]) continue;
      looks_[partition] += looks[i];
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(
          partition, MeetingRecord{keys[i], doc, sizes.features, looks[i] ? 1U : 0U}));
    }
    return {};
  }

  /// Returns the CandidatePair records of a partition, sorted and distinct.
  Result<RunPointer> Meet(uint32_t partition) {
    const uint64_t bytes = ShareOf(workspace_) / 4;
    Sorter<MeetingRecord> by_key(&workspace_.store(), bytes);
    RecordReader<MeetingRecord> records({meetings_}, partition);
    for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
      LOOKALIKE_RETURN_IF_ERROR(by_key.Add(block));
    }
    LOOKALIKE_RETURN_IF_ERROR(records.status());
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_key.Finish());
    Sorter<CandidatePair> pairs(&workspace_.store(), bytes, Repeats::kDrop);
    const Ranking& ranking = context_.ranking;
    Meetings meetings(scope_);
    while (const MeetingRecord* record = sorted.Next()) {
      const uint64_t before = meetings.count();
      LOOKALIKE_RETURN_IF_ERROR(meetings.Add(*record, [&](DocNumber x, DocNumber y) {
        const auto [a, d] = std::minmax({ranking.RankOf(x), ranking.RankOf(y)});
        return pairs.Add(CandidatePair{a, d});
      }));
      if (meetings.count() != before) LOOKALIKE_RETURN_IF_ERROR(Count(meetings.count() - before));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    return Written(&pairs, &workspace_.store());
  }

  Status Count(uint64_t more) {
    const uint64_t met = met_ += more;
    if (!job_.rules.all_pairs || job_.options.yes || met <= kMostMeetingsUnasked) return {};
    return UsageError("more than " + std::to_string(kMostMeetingsUnasked) +
                      " matches were found between the rarest shingles of documents: expect very "
                      "many pairs, or a template that many documents share; raise $<threshold> or "
                      "$<min-features>, or pass $<yes> to continue anyway");
  }

  const SearchContext& context_;
  const Job& job_;
  Workspace& workspace_;
  PairScope scope_;
  RunPointer meetings_;
  std::vector<uint64_t> looks_;    // by partition
  uint32_t rounds_before_ = 0;     // for the progress
  std::atomic<uint64_t> met_ = 0;  // of the current unit
};

}  // namespace

Result<std::vector<RunPointer>> FindShared(const SearchContext& context, PartitionRange features,
                                           const JoinRound& round) {
  return RunPartitions(*context.workspace, features, round, context.observer,
                       [&](uint32_t partition) { return SharedFeaturesOf(context, partition); });
}

Result<Candidates> FindContained(const SearchContext& context) {
  ContainmentJoin join(context);
  return JoinByKeys(context, &join);
}

}  // namespace lookalike
