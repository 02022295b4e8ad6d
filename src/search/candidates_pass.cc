#include "search/candidates_pass.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "kernels/kernels.h"
#include "run/key_units.h"
#include "run/partition_runs.h"
#include "search/counts_pass.h"
#include "search/few_features_pass.h"
#include "search/key_records.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// The codes of documents by rank, taken from the units' runs.
class RankedCodes : public CodeSource {
 public:
  RankedCodes(const DocumentCodes& codes, const PairGuards& guards, const Ranking& ranking)
      : codes_(codes), guards_(guards), ranking_(ranking) {}

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

  [[nodiscard]] uint64_t GuardOf(Rank rank) const override {
    return guards_.GuardOf(ranking_.DocOf(rank));
  }

 private:
  const DocumentCodes& codes_;
  const PairGuards& guards_;
  const Ranking& ranking_;
};

/// A sink for the pairs and records that the join of one partition finds.
class PartitionSink : public JoinSink {
 public:
  PartitionSink(PairCollector* pairs, RunWriter* refined, const RunStore& store,
                std::function<uint32_t(uint64_t)> partition_of)
      : pairs_(*pairs), refined_(*refined), store_(store), partition_of_(std::move(partition_of)) {}

  Status AddPairs(std::span<const CandidatePair> pairs) override { return pairs_.Add(pairs); }

  Status CheckStop() override { return store_.CheckStop(); }

  Status AddRefined(std::span<const KeyRecord> records) override {
    for (const KeyRecord& record : records) {
      LOOKALIKE_RETURN_IF_ERROR(refined_.AppendRecord(partition_of_(record.key), record));
    }
    return {};
  }

 private:
  PairCollector& pairs_;
  RunWriter& refined_;
  const RunStore& store_;
  std::function<uint32_t(uint64_t)> partition_of_;
};

/// The join of band keys of some partitions over all levels. The keys that a bucket is split by may
/// be in any partition, but no bucket has keys from two units (KeyGroup).
class LevelJoin {
 public:
  /// `before`, `units`: the units joined before, and all that this attempt joins, for its progress.
  LevelJoin(const SearchContext& context, const RankedCodes& codes, PartitionRange keys,
            uint32_t before, uint32_t units, PairCollector* pairs)
      : job_(context.job),
        units_(context.units),
        ranking_(context.ranking),
        reps_(context.reps),
        codes_(codes),
        observer_(context.observer),
        workspace_(*context.workspace),
        keys_(keys),
        pairs_(*pairs),
        share_(workspace_.memory().work / 2 / workspace_.memory().threads),
        levels_(static_cast<uint32_t>(job_.rules.extensions.size()) + 1),
        before_(before),
        to_join_(units) {}

  Status Run() {
    for (level_ = 0; level_ < levels_; ++level_) {
      LOOKALIKE_ASSIGN_OR_RETURN(
          last_, RunPartitions(workspace_, level_ == 0 ? keys_ : job_.all_partitions(),
                               {before_ * levels_ + level_, to_join_ * levels_}, observer_,
                               [this](uint32_t partition) { return RunPartition(partition); }));
    }
    return {};
  }

  [[nodiscard]] const BucketCounts& counts() const { return counts_; }

 private:
  /// Returns keys for the next level, one stream per partition.
  Result<RunPointer> RunPartition(uint32_t partition) {
    const bool last_level = level_ + 1 == levels_;
    auto refined = workspace_.store().Temporary(last_level ? 1 : job_.partitions(),
                                                RunStore::kSmallestChunkBytes);
    const auto partition_of = [this](uint64_t key) {
      return workspace_.PartitionOf(key, job_.partition_bits);
    };
    PartitionSink sink(&pairs_, refined.get(), workspace_.store(), partition_of);
    BucketCounts counts;
    BucketJoin join(codes_, job_.rules, job_.Scope(units_.inputs), level_, share_ / 2, &sink,
                    &counts);
    PartitionJoin parts(&workspace_, units_.documents, share_ / 2, &buffers_, &join);
    const uint32_t shift = workspace_.stress().collide ? 0 : job_.partition_bits;
    LOOKALIKE_RETURN_IF_ERROR(
        level_ == 0 ? parts.Join(PackedKeys(units_, ranking_, reps_, partition), shift)
                    : parts.Join(StoredKeys(last_, partition), shift));
    const std::lock_guard lock(mutex_);
    counts_.Add(counts);
    return refined->Finish();
  }

  const Job& job_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const Bitmap& reps_;
  const RankedCodes& codes_;
  const Observer& observer_;
  Workspace& workspace_;
  PartitionRange keys_;  // of the first level
  PairCollector& pairs_;
  uint64_t share_;  // of memory, per thread
  uint32_t levels_, level_ = 0;
  uint32_t before_, to_join_;     // units
  std::vector<RunPointer> last_;  // of the level before
  PartitionJoin::Buffers buffers_;
  std::mutex mutex_;
  BucketCounts counts_;
};

/// A filter that drops the pairs that the codes reject. Pairs of small buckets arrive unchecked,
/// because most are found in several buckets, and it is cheaper to fetch codes once per distinct
/// pair.
class CodeCheck {
 public:
  CodeCheck(const CodeSource& codes, uint32_t floor, Workspace* workspace)
      : codes_(codes),
        floor_(floor),
        chunks_(kChunksOfThread * workspace->memory().threads),
        chunk_(std::clamp<uint64_t>(workspace->memory().work / 4 / chunks_ / (2 * codes.width()),
                                    128, 4096)) {}

  /// Calls `take(pairs)` for the pairs that pass, in order.
  template <class Take>
  Status Run(Sorted<CandidatePair>* pairs, Take&& take) {
    std::vector<std::vector<CandidatePair>> chunks(chunks_);
    while (true) {
      for (auto& chunk : chunks) {
        chunk.clear();
        pairs->TakeSome(chunk_, &chunk);
      }
      LOOKALIKE_RETURN_IF_ERROR(pairs->status());
      if (chunks.front().empty()) return {};
      std::vector<Status> checked(chunks.size());
      ParallelFor(size_t{0}, chunks.size(), [&](size_t i) { checked[i] = Check(&chunks[i]); });
      for (size_t i = 0; i < chunks.size(); ++i) {
        if (!checked[i]) return checked[i];
        LOOKALIKE_RETURN_IF_ERROR(take(chunks[i]));
      }
    }
  }

 private:
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

  static constexpr size_t kChunksOfThread = 8;  // so that no thread waits long for the slowest one

  const CodeSource& codes_;
  uint32_t floor_;
  size_t chunks_;   // checked side by side
  uint64_t chunk_;  // pairs of each
};

/// A writer that merges the pairs that passed the codes, which arrive in order, with the pairs that
/// need no codes.
class PairWriter {
 public:
  PairWriter(Sorted<CandidatePair> few, JoinWriter* writer)
      : few_(std::move(few)), writer_(*writer), next_(few_.Next()) {}

  Status Add(std::span<const CandidatePair> pairs) {
    while (!pairs.empty()) {
      while (next_ != nullptr && *next_ < pairs.front()) LOOKALIKE_RETURN_IF_ERROR(GiveNext());
      const auto end =
          next_ == nullptr ? pairs.end() : std::upper_bound(pairs.begin(), pairs.end(), *next_);
      const auto before = pairs.first(static_cast<size_t>(end - pairs.begin()));
      LOOKALIKE_RETURN_IF_ERROR(writer_.Add(before));
      pairs = pairs.subspan(before.size());
    }
    return {};
  }

  Status Finish() {
    while (next_ != nullptr) LOOKALIKE_RETURN_IF_ERROR(GiveNext());
    return few_.status();
  }

 private:
  Status GiveNext() {
    LOOKALIKE_RETURN_IF_ERROR(writer_.Add(std::span(next_, 1)));
    next_ = few_.Next();
    return {};
  }

  Sorted<CandidatePair> few_;
  JoinWriter& writer_;
  const CandidatePair* next_;
};

/// A join of documents with equal band keys that the codes do not reject, and of documents with few
/// features.
class BandJoin : public UnitJoin {
 public:
  BandJoin(const SearchContext& context, const CandidateLimit& limit)
      : context_(context),
        job_(context.job),
        workspace_(*context.workspace),
        limit_(limit),
        codes_(context.units.codes, context.units.guards, context.ranking) {}

  /// Makes the keys of documents with few features, once for all units.
  Status Prepare(const std::vector<size_t>& to_do) override {
    if (!job_.few) return {};
    few_.emplace(context_);
    FewCounts counts;
    if (workspace_.adopts_units()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const CountUnits counted, FinishedCounts(job_, &workspace_));
      LOOKALIKE_ASSIGN_OR_RETURN(counts, ReadFewCounts(counted));
    } else {
      LOOKALIKE_ASSIGN_OR_RETURN(counts, few_->Count(job_.all_partitions()));
    }
    return few_->MakeKeys(counts, WantedKeys(context_, to_do));
  }

  Result<RunPointer> MakeUnit(size_t unit, uint32_t i, uint32_t count) override {
    const PartitionRange keys = KeysOf(context_, unit);
    PairCollector keyed(&workspace_, workspace_.memory().work / 4, limit_);
    LevelJoin join(context_, codes_, keys, i, count, &keyed);
    LOOKALIKE_RETURN_IF_ERROR(join.Run());
    BucketCounts counts = join.counts();
    PairCollector by_features(&workspace_, workspace_.memory().work / 4, limit_);
    if (few_) LOOKALIKE_RETURN_IF_ERROR(few_->Join(keys, &by_features, &counts));
    return Write(unit, &keyed, &by_features, counts);
  }

 private:
  Result<RunPointer> Write(size_t unit, PairCollector* keyed, PairCollector* by_features,
                           const BucketCounts& counts) {
    JoinWriter writer(&workspace_, unit);
    LOOKALIKE_ASSIGN_OR_RETURN(auto few, by_features->Finish());
    PairWriter merge(std::move(few), &writer);
    LOOKALIKE_ASSIGN_OR_RETURN(auto pairs, keyed->Finish());
    CodeCheck check(codes_, job_.rules.agreement_floor, &workspace_);
    LOOKALIKE_RETURN_IF_ERROR(
        check.Run(&pairs, [&](std::span<const CandidatePair> some) { return merge.Add(some); }));
    LOOKALIKE_RETURN_IF_ERROR(merge.Finish());
    return writer.Finish(counts);
  }

  const SearchContext& context_;
  const Job& job_;
  Workspace& workspace_;
  const CandidateLimit& limit_;
  RankedCodes codes_;
  std::optional<FewSearch> few_;
};

}  // namespace

Result<Candidates> FindCandidates(const SearchContext& context, const CandidateLimit& limit) {
  BandJoin join(context, limit);
  return JoinByKeys(context, &join);
}

}  // namespace lookalike
