#include "search/join_units.h"

#include <algorithm>
#include <utility>

#include "spill/ended_early.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

enum JoinStream : uint32_t {
  kJoinPairs,   ///< CandidatePair records, sorted and distinct.
  kJoinCounts,  ///< One BucketCounts; its pairs_passed are those of the unit.
  kJoinMarks,   ///< The later document of every MarkedPairs()-th pair, as a Rank.
  kJoinStreams,
};

/// Returns how many pairs have one mark: few enough to divide the pairs evenly among the units of
/// `verify`.
uint64_t MarkedPairs(const Workspace& workspace) {
  return std::max<uint64_t>(1, VerifyUnitPairs(workspace.lane_bytes()) / 1024);
}

/// Returns the sum of what the units counted. Of pairs that several units found, one counts where
/// the summary of a result is made; elsewhere nobody asks.
Result<BucketCounts> SumCounts(const PairRuns& pairs, bool makes_result) {
  BucketCounts sum;
  for (const RunPointer& run : pairs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto counts, ReadRecords<BucketCounts>(*run, kJoinCounts));
    if (counts.empty()) return EndedEarly({}, "the unit of candidates");
    sum.Add(counts.front());
  }
  if (pairs.size() < 2 || !makes_result) return sum;
  sum.pairs_passed = 0;
  PairReader distinct(pairs);
  while (distinct.Next() != nullptr) ++sum.pairs_passed;
  LOOKALIKE_RETURN_IF_ERROR(distinct.status());
  return sum;
}

/// Makes units, and calls `made(unit, run)` for each.
template <class Made>
Status MakeUnits(const std::vector<size_t>& to_do, UnitJoin* join, const Made& made) {
  if (to_do.empty()) return {};
  LOOKALIKE_RETURN_IF_ERROR(join->Prepare(to_do));
  const auto count = static_cast<uint32_t>(to_do.size());
  for (uint32_t i = 0; i < count; ++i) {
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, join->MakeUnit(to_do[i], i, count));
    LOOKALIKE_RETURN_IF_ERROR(made(to_do[i], std::move(run)));
  }
  return {};
}

/// Returns the runs of all units: those that were finished earlier, and, unless tasks share the
/// join, the others.
Result<PairRuns> RunsOfUnits(const SearchContext& context, UnitJoin* join) {
  Workspace& workspace = *context.workspace;
  const uint32_t units = JoinUnitsOf(context);
  if (workspace.adopts_units() && workspace.IsIn(kJoinStage)) {
    LOOKALIKE_RETURN_IF_ERROR(MakeUnits(
        workspace.ToDo(kJoinStage, units), join, [&](size_t unit, const RunPointer& /*run*/) {
          return workspace.Record(kJoinStage, unit, {JoinUnit(unit)});
        }));
    LOOKALIKE_RETURN_IF_ERROR(workspace.EndStage(kJoinStage));
  }
  PairRuns runs(units);
  std::vector<size_t> missing;
  for (size_t unit = 0; unit < units; ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(runs[unit], workspace.Finished(JoinUnit(unit)));
    if (!runs[unit]) missing.push_back(unit);
  }
  if (workspace.adopts_units() && !missing.empty()) {
    return EndedEarly({}, "the units of candidates");
  }
  LOOKALIKE_RETURN_IF_ERROR(MakeUnits(missing, join, [&](size_t unit, RunPointer run) -> Status {
    runs[unit] = std::move(run);
    return {};
  }));
  return runs;
}

}  // namespace

std::string JoinUnit(uint64_t unit) { return "join/" + std::to_string(unit); }

JoinWriter::JoinWriter(Workspace* workspace, uint64_t unit)
    : writer_(workspace->Begin(JoinUnit(unit), kJoinStreams)), marked_(MarkedPairs(*workspace)) {}

Status JoinWriter::Add(std::span<const CandidatePair> pairs) {
  for (const CandidatePair& pair : pairs) {
    if (++unmarked_ < marked_) continue;
    unmarked_ = 0;
    LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kJoinMarks, pair.d));
  }
  return writer_->Append(kJoinPairs, std::as_bytes(pairs));
}

Result<RunPointer> JoinWriter::Finish(BucketCounts counts) {
  counts.pairs_passed = writer_->bytes(kJoinPairs) / sizeof(CandidatePair);
  LOOKALIKE_RETURN_IF_ERROR(writer_->AppendRecord(kJoinCounts, counts));
  return writer_->Finish();
}

uint32_t JoinUnitsOf(const SearchContext& context) {
  return context.workspace->adopts_units() ? context.job.key_units() : 1;
}

PartitionRange KeysOf(const SearchContext& context, size_t unit) {
  return PartitionsOf(unit, JoinUnitsOf(context), context.job.partitions());
}

std::vector<bool> WantedKeys(const SearchContext& context, const std::vector<size_t>& units) {
  std::vector<bool> wanted(context.job.partitions());
  for (const size_t unit : units) {
    const PartitionRange keys = KeysOf(context, unit);
    std::fill(wanted.begin() + keys.first, wanted.begin() + keys.end, true);
  }
  return wanted;
}

Result<Candidates> JoinByKeys(const SearchContext& context, UnitJoin* join) {
  Candidates candidates;
  LOOKALIKE_ASSIGN_OR_RETURN(candidates.pairs, RunsOfUnits(context, join));
  LOOKALIKE_ASSIGN_OR_RETURN(candidates.counts,
                             SumCounts(candidates.pairs, context.workspace->MakesResult()));
  candidates.wanted = Bitmap(context.units.documents);
  RecordReader<CandidatePair> pairs(candidates.pairs, kJoinPairs);
  while (const CandidatePair* pair = pairs.Next()) {
    candidates.wanted.Set(context.ranking.DocOf(pair->a));
    candidates.wanted.Set(context.ranking.DocOf(pair->d));
  }
  LOOKALIKE_RETURN_IF_ERROR(pairs.status());
  return candidates;
}

Status PassOverJoin(const SearchContext& context) {
  Workspace& workspace = *context.workspace;
  if (!workspace.IsIn(kJoinStage)) return {};
  for (const size_t unit : workspace.ToDo(kJoinStage, JoinUnitsOf(context))) {
    LOOKALIKE_RETURN_IF_ERROR(workspace.Record(kJoinStage, unit, {}));
  }
  return workspace.EndStage(kJoinStage);
}

Result<std::vector<Rank>> VerifyBounds(const PairRuns& pairs, uint64_t units) {
  std::vector<Rank> marks;
  for (const RunPointer& run : pairs) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto some, ReadRecords<Rank>(*run, kJoinMarks));
    marks.insert(marks.end(), some.begin(), some.end());
  }
  std::sort(marks.begin(), marks.end());
  std::vector<Rank> bounds = {0};
  for (uint64_t unit = 1; unit < units; ++unit) {
    bounds.push_back(marks.empty() ? ~Rank{0} : marks[marks.size() * unit / units]);
  }
  return bounds;
}

}  // namespace lookalike
