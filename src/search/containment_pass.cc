#include "search/containment_pass.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "run/partition_runs.h"
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

class ContainmentJoin {
 public:
  explicit ContainmentJoin(const SearchContext& context)
      : job_(context.job),
        units_(context.units),
        ranking_(context.ranking),
        reps_(context.reps),
        observer_(context.observer),
        workspace_(*context.workspace),
        scope_(job_.Scope(units_.inputs)),
        share_(workspace_.memory().work / workspace_.memory().threads) {}

  /// Returns runs of candidate pairs, each sorted and distinct.
  Result<std::vector<RunPointer>> Run() {
    LOOKALIKE_ASSIGN_OR_RETURN(
        std::vector<RunPointer> shared,
        ForEachPartition(0, [this](uint32_t partition) { return FindShared(partition); }));
    LOOKALIKE_ASSIGN_OR_RETURN(meetings_, ChooseLooksOfAll(std::move(shared)));
    return ForEachPartition(1, [this](uint32_t partition) { return Meet(partition); });
  }

  [[nodiscard]] BucketCounts counts() const {
    BucketCounts counts;
    counts.keys_added = looks_;
    counts.pairs_met = met_;
    return counts;
  }

 private:
  template <class Make>
  Result<std::vector<RunPointer>> ForEachPartition(uint32_t step, Make&& make) {
    return RunPartitions(workspace_, job_.all_partitions(), {step, 2}, observer_, make);
  }

  /// Returns the SharedFeature records of a partition, sorted.
  Result<RunPointer> FindShared(uint32_t partition) {
    Sorter<KeyRecord, ByKey> by_key(&workspace_.store(), share_ / 4);
    const Ranking documents;
    LOOKALIKE_RETURN_IF_ERROR(
        PackedKeys(units_, documents, reps_, partition)
            .ForEach([&](std::span<const KeyRecord> block) { return by_key.Add(block); }));
    LOOKALIKE_ASSIGN_OR_RETURN(auto keys, by_key.Finish());
    Sorter<SharedFeature> by_doc(&workspace_.store(), share_ / 4);
    const auto take = [&](const SharedFeature& feature) { return by_doc.Add(feature); };
    SharedFeatures shared(scope_);
    while (const KeyRecord* record = keys.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(shared.Add(*record, take));
    }
    LOOKALIKE_RETURN_IF_ERROR(keys.status());
    LOOKALIKE_RETURN_IF_ERROR(shared.Finish(take));
    return Written(&by_doc);
  }

  template <class T>
  Result<RunPointer> Written(Sorter<T>* sorter) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter->Finish());
    auto writer = workspace_.store().Temporary(1);
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&sorted, 0, writer.get()));
    return writer->Finish();
  }

  /// Returns the MeetingRecord records of all documents, one stream per partition.
  Result<RunPointer> ChooseLooksOfAll(std::vector<RunPointer> shared) {
    auto writer = workspace_.store().Temporary(job_.partitions(), RunStore::kSmallestChunkBytes);
    SampleSizesInOrder sizes(units_);
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
      LOOKALIKE_RETURN_IF_ERROR(AddDocument(doc, of_doc, keys, writer.get()));
    }
    LOOKALIKE_RETURN_IF_ERROR(by_doc.status());
    return writer->Finish();
  }

  Status AddDocument(DocNumber doc, const SampleSizes& sizes, const std::vector<uint64_t>& keys,
                     RunWriter* writer) {
    const std::vector<bool> looks = ChooseLooks(*job_.containment, sizes, keys);
    for (size_t i = 0; i < keys.size(); ++i) {
      looks_ += looks[i];
      LOOKALIKE_RETURN_IF_ERROR(
          writer->AppendRecord(workspace_.PartitionOf(keys[i], job_.partition_bits),
                               MeetingRecord{keys[i], doc, sizes.features, looks[i] ? 1U : 0U}));
    }
    return {};
  }

  /// Returns the CandidatePair records of a partition, sorted and distinct.
  Result<RunPointer> Meet(uint32_t partition) {
    Sorter<MeetingRecord> by_key(&workspace_.store(), share_ / 4);
    RecordReader<MeetingRecord> records({meetings_}, partition);
    for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
      LOOKALIKE_RETURN_IF_ERROR(by_key.Add(block));
    }
    LOOKALIKE_RETURN_IF_ERROR(records.status());
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_key.Finish());
    Sorter<CandidatePair> pairs(&workspace_.store(), share_ / 4, Repeats::kDrop);
    Meetings meetings(scope_);
    while (const MeetingRecord* record = sorted.Next()) {
      const uint64_t before = meetings.count();
      LOOKALIKE_RETURN_IF_ERROR(meetings.Add(*record, [&](DocNumber x, DocNumber y) {
        const auto [a, d] = std::minmax({ranking_.RankOf(x), ranking_.RankOf(y)});
        return pairs.Add(CandidatePair{a, d});
      }));
      if (meetings.count() != before) LOOKALIKE_RETURN_IF_ERROR(Count(meetings.count() - before));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    return Written(&pairs);
  }

  Status Count(uint64_t more) {
    const uint64_t met = met_ += more;
    if (!job_.rules.all_pairs || job_.options.yes || met <= kMostMeetingsUnasked) return {};
    return UsageError("more than " + std::to_string(kMostMeetingsUnasked) +
                      " matches were found between the rarest shingles of documents: expect very "
                      "many pairs, or a template that many documents share; raise $<threshold> or "
                      "$<min-features>, or pass $<yes> to continue anyway");
  }

  const Job& job_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const Observer& observer_;
  Workspace& workspace_;
  PairScope scope_;
  uint64_t share_;  // of memory, per thread
  RunPointer meetings_;
  uint64_t looks_ = 0;
  std::atomic<uint64_t> met_ = 0;
};

}  // namespace

Result<Candidates> FindContained(const SearchContext& context) {
  Candidates candidates;
  candidates.wanted = Bitmap(context.units.documents);
  ContainmentJoin join(context);
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<RunPointer> runs, join.Run());
  candidates.counts = join.counts();
  SortedMerge<CandidatePair, std::less<>> pairs(
      std::move(runs), context.workspace->memory().work / 2, Repeats::kDrop);
  auto writer = context.workspace->store().Temporary(1);
  while (const CandidatePair* pair = pairs.Next()) {
    candidates.wanted.Set(context.ranking.DocOf(pair->a));
    candidates.wanted.Set(context.ranking.DocOf(pair->d));
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *pair));
  }
  LOOKALIKE_RETURN_IF_ERROR(pairs.status());
  LOOKALIKE_ASSIGN_OR_RETURN(candidates.pairs.emplace_back(), writer->Finish());
  candidates.counts.pairs_passed = MostPairs(candidates.pairs);
  return candidates;
}

}  // namespace lookalike
