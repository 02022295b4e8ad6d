#include "batch/candidates_pass.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "batch/key_records.h"
#include "batch/partition_runs.h"
#include "flow/parallel.h"
#include "kernels/kernels.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"

namespace lookalike {
namespace {

enum JoinStream : uint32_t {
  kJoinCounts,   ///< One BucketCounts.
  kJoinPairs,    ///< CandidatePair records, sorted and distinct.
  kJoinRefined,  ///< Here and after: KeyRecord records for the next level, a stream a partition.
};

/// The codes of documents by rank, out of the units' runs.
class RankedCodes : public CodeSource {
 public:
  RankedCodes(const FixedColumn& codes, const Ranking& ranking)
      : codes_(codes), ranking_(ranking) {}

  [[nodiscard]] uint32_t width() const override { return codes_.width(); }

  Status Gather(std::span<const Rank> ranks, uint8_t* out) const override {
    if (ranking_.order.empty()) return codes_.Gather(ranks, reinterpret_cast<std::byte*>(out));
    std::vector<std::pair<DocNumber, size_t>> by_doc(ranks.size());
    for (size_t i = 0; i < ranks.size(); ++i) by_doc[i] = {ranking_.DocOf(ranks[i]), i};
    std::sort(by_doc.begin(), by_doc.end());
    std::vector<uint64_t> docs(ranks.size());
    for (size_t i = 0; i < ranks.size(); ++i) docs[i] = by_doc[i].first;
    std::vector<std::byte> values(ranks.size() * width());
    LOOKALIKE_RETURN_IF_ERROR(codes_.Gather(docs, values.data()));
    for (size_t i = 0; i < ranks.size(); ++i) {
      std::copy_n(reinterpret_cast<const uint8_t*>(values.data()) + i * width(), width(),
                  out + by_doc[i].second * width());
    }
    return {};
  }

 private:
  const FixedColumn& codes_;
  const Ranking& ranking_;
};

/// Takes what the join of one partition finds; the run of the unit gets it.
class UnitSink : public JoinSink {
 public:
  UnitSink(RunStore* store, uint64_t bytes, RunWriter* writer,
           std::function<uint32_t(uint64_t)> partition_of)
      : pairs_(store, bytes, Repeats::kDrop),
        writer_(*writer),
        partition_of_(std::move(partition_of)) {}

  Status AddPairs(std::span<const CandidatePair> pairs) override { return pairs_.Add(pairs); }

  Status AddRefined(std::span<const KeyRecord> records) override {
    for (const KeyRecord& record : records) {
      LOOKALIKE_RETURN_IF_ERROR(
          writer_.AppendRecord(kJoinRefined + partition_of_(record.key), record));
    }
    return {};
  }

  Result<RunPointer> Finish(const BucketCounts& counts) {
    LOOKALIKE_RETURN_IF_ERROR(writer_.AppendRecord(kJoinCounts, counts));
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, pairs_.Finish());
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&sorted, kJoinPairs, &writer_));
    return writer_.Finish();
  }

 private:
  Sorter<CandidatePair> pairs_;
  RunWriter& writer_;
  std::function<uint32_t(uint64_t)> partition_of_;
};

/// One run of the join over all levels.
class LevelJoin {
 public:
  LevelJoin(const Job& job, const DocumentUnits& units, const Ranking& ranking, const Bitmap& reps,
            const Observer& observer, Workspace* workspace)
      : job_(job),
        units_(units),
        ranking_(ranking),
        reps_(reps),
        observer_(observer),
        workspace_(*workspace),
        codes_(units.codes, ranking),
        share_(workspace->memory().work / workspace->memory().threads),
        levels_(static_cast<uint32_t>(job.rules.extensions.size()) + 1) {}

  /// All units' runs, of all levels.
  Result<std::vector<RunPointer>> Run() {
    std::vector<RunPointer> all;
    for (level_ = 0; level_ < levels_; ++level_) {
      LOOKALIKE_RETURN_IF_ERROR(RunLevel());
      all.insert(all.end(), last_.begin(), last_.end());
    }
    return all;
  }

 private:
  Status RunLevel() {
    LOOKALIKE_ASSIGN_OR_RETURN(
        last_, RunPartitions(workspace_, job_.partitions(), {level_, levels_}, observer_,
                             [this](uint32_t partition) { return RunPartition(partition); }));
    return {};
  }

  Result<RunPointer> RunPartition(uint32_t partition) {
    const std::string unit = "join/" + std::to_string(level_) + "/" + std::to_string(partition);
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer finished, workspace_.Finished(unit));
    if (finished) return finished;
    const bool last_level = level_ + 1 == levels_;
    auto writer = workspace_.Begin(unit, kJoinRefined + (last_level ? 0 : job_.partitions()));
    UnitSink sink(&workspace_.store(), share_ / 4, writer.get(), [this](uint64_t key) {
      return workspace_.PartitionOf(key, job_.partition_bits);
    });
    BucketCounts counts;
    BucketJoin join(codes_, job_.rules, job_.Scope(units_.inputs), level_, share_ / 4, &sink,
                    &counts);
    PartitionJoin parts(&workspace_, units_.documents, share_ / 4, &join);
    const uint32_t shift = workspace_.hardships().collide ? 0 : job_.partition_bits;
    LOOKALIKE_RETURN_IF_ERROR(
        level_ == 0 ? parts.Join(PackedKeys(units_, ranking_, reps_, partition), shift)
                    : parts.Join(StoredKeys(last_, kJoinRefined + partition), shift));
    return sink.Finish(counts);
  }

  const Job& job_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const Observer& observer_;
  Workspace& workspace_;
  RankedCodes codes_;
  uint64_t share_;  // of memory, a thread
  uint32_t levels_, level_ = 0;
  std::vector<RunPointer> last_;  // of the level before, or the one just run
};

/// Drops the pairs that the codes reject: those of small buckets come unchecked, as they are found
/// in many buckets, and fetching codes once for each distinct pair is cheaper.
class CodeCheck {
 public:
  CodeCheck(const CodeSource& codes, uint32_t floor, Workspace* workspace)
      : codes_(codes),
        floor_(floor),
        threads_(workspace->memory().threads),
        chunk_(std::clamp<uint64_t>(workspace->memory().work / 4 / threads_ / (2 * codes.width()),
                                    1024, 32768)) {}

  /// Calls `take(pair)` for every pair that passes, in order.
  template <class Take>
  Status Run(Sorted<CandidatePair>* pairs, Take&& take) {
    std::vector<std::vector<CandidatePair>> chunks(threads_);
    while (true) {
      for (auto& chunk : chunks) chunk = Next(pairs);
      LOOKALIKE_RETURN_IF_ERROR(pairs->status());
      if (chunks.front().empty()) return {};
      std::vector<Status> checked(chunks.size());
      ParallelFor(size_t{0}, chunks.size(), [&](size_t i) { checked[i] = Check(&chunks[i]); });
      for (size_t i = 0; i < chunks.size(); ++i) {
        if (!checked[i]) return checked[i];
        for (const CandidatePair& pair : chunks[i]) LOOKALIKE_RETURN_IF_ERROR(take(pair));
      }
    }
  }

 private:
  std::vector<CandidatePair> Next(Sorted<CandidatePair>* pairs) const {
    std::vector<CandidatePair> chunk;
    while (chunk.size() < chunk_) {
      const CandidatePair* pair = pairs->Next();
      if (pair == nullptr) break;
      chunk.push_back(*pair);
    }
    return chunk;
  }

  Status Check(std::vector<CandidatePair>* chunk) const {
    std::vector<Rank> ranks;
    for (const CandidatePair& pair : *chunk) ranks.insert(ranks.end(), {pair.a, pair.d});
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::vector<uint8_t> codes(ranks.size() * codes_.width());
    LOOKALIKE_RETURN_IF_ERROR(codes_.Gather(ranks, codes.data()));
    const auto row = [&](Rank rank) {
      const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank) - ranks.begin();
      return codes.data() + static_cast<size_t>(at) * codes_.width();
    };
    std::erase_if(*chunk, [&](const CandidatePair& pair) {
      return CountEqualBytes(row(pair.a), row(pair.d), codes_.width()) < floor_;
    });
    return {};
  }

  const CodeSource& codes_;
  uint32_t floor_;
  size_t threads_;
  uint64_t chunk_;
};

/// The distinct pairs of all units, sorted.
Result<Sorted<CandidatePair>> SortPairs(const std::vector<RunPointer>& runs, Workspace* workspace) {
  Sorter<CandidatePair> sorter(&workspace->store(), workspace->memory().work / 2, Repeats::kDrop);
  RecordReader<CandidatePair> pairs(runs, kJoinPairs);
  for (auto block = pairs.NextBlock(); !block.empty(); block = pairs.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(sorter.Add(block));
  }
  LOOKALIKE_RETURN_IF_ERROR(pairs.status());
  return sorter.Finish();
}

}  // namespace

Result<Candidates> FindCandidates(const Job& job, const DocumentUnits& units,
                                  const Ranking& ranking, const Bitmap& reps,
                                  const Observer& observer, Workspace* workspace) {
  Candidates candidates;
  candidates.wanted = Bitmap(units.documents);
  LevelJoin join(job, units, ranking, reps, observer, workspace);
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<RunPointer> runs, join.Run());
  for (const RunPointer& run : runs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto counts, ReadRecords<BucketCounts>(*run, kJoinCounts));
    candidates.counts.Add(counts.front());
  }
  LOOKALIKE_ASSIGN_OR_RETURN(auto pairs, SortPairs(runs, workspace));
  runs.clear();
  auto writer = workspace->store().Temporary(1);
  const RankedCodes codes(units.codes, ranking);
  CodeCheck check(codes, job.rules.agreement_floor, workspace);
  LOOKALIKE_RETURN_IF_ERROR(check.Run(&pairs, [&](const CandidatePair& pair) {
    candidates.wanted.Set(ranking.DocOf(pair.a));
    candidates.wanted.Set(ranking.DocOf(pair.d));
    return writer->AppendRecord(0, pair);
  }));
  LOOKALIKE_ASSIGN_OR_RETURN(candidates.pairs, writer->Finish());
  candidates.counts.pairs_passed = candidates.pairs->bytes(0) / sizeof(CandidatePair);
  return candidates;
}

}  // namespace lookalike
