#include "search/found_in_sets.h"

#include <string>
#include <utility>
#include <vector>

#include "spill/ended_early.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

constexpr const char* kFoundUnit = "verify/all";

enum FoundStream : uint32_t {
  kFoundEdges,       ///< Edge records.
  kFoundCandidates,  ///< CandidatePair records.
  kFoundCounts,      ///< One FoundCounts.
  kFoundGuarded,     ///< Edge records of guarded pairs.
  kFoundStreams,
};

/// Holds the counts beside the edges, and whether all pairs were compared.
struct FoundCounts {
  uint64_t has_candidates = 0;
  BucketCounts buckets;
  MergeCounts merge;
};

/// Appends the records that a stream of some runs has to stream `to`.
template <class T>
Status AppendAll(const std::vector<RunPointer>& runs, uint32_t from, uint32_t to,
                 RunWriter* writer) {
  RecordReader<T> records(runs, from);
  for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(to, std::as_bytes(block)));
  }
  return records.status();
}

Status Store(const FoundInSets& found, const PairGuards& guards, Workspace* workspace) {
  const auto writer = workspace->Begin(kFoundUnit, kFoundStreams);
  LOOKALIKE_RETURN_IF_ERROR(AppendAll<Edge>(found.edges.runs, 0, kFoundEdges, writer.get()));
  LOOKALIKE_RETURN_IF_ERROR(
      AppendAll<CandidatePair>(found.candidates, 0, kFoundCandidates, writer.get()));
  if (guards.guards()) {
    LOOKALIKE_RETURN_IF_ERROR(
        AppendAll<Edge>(found.edges.runs, kGuardedStream, kFoundGuarded, writer.get()));
  }
  const FoundCounts counts = {found.candidates.empty() ? 0U : 1U, found.buckets, found.merge};
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kFoundCounts, counts));
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer made, writer->Finish());
  return workspace->Record(kVerifyStage, 0, {kFoundUnit});
}

/// Copies a stream into a run of its own, as readers of edges and pairs expect it.
template <class T>
Result<RunPointer> Alone(const RunPointer& unit, uint32_t stream, Workspace* workspace) {
  auto writer = workspace->store().Temporary(1);
  LOOKALIKE_RETURN_IF_ERROR(AppendAll<T>({unit}, stream, 0, writer.get()));
  return writer->Finish();
}

/// Copies the edges and the guarded pairs likewise.
Result<RunPointer> EdgesAlone(const RunPointer& unit, const PairGuards& guards,
                              Workspace* workspace) {
  auto writer = workspace->store().Temporary(EdgeStreams(guards));
  LOOKALIKE_RETURN_IF_ERROR(AppendAll<Edge>({unit}, kFoundEdges, kEdgeStream, writer.get()));
  if (guards.guards()) {
    LOOKALIKE_RETURN_IF_ERROR(AppendAll<Edge>({unit}, kFoundGuarded, kGuardedStream, writer.get()));
  }
  return writer->Finish();
}

Result<FoundInSets> Adopt(const PairGuards& guards, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer unit, workspace->Finished(kFoundUnit));
  if (!unit) return EndedEarly({}, "the verified pairs");
  LOOKALIKE_ASSIGN_OR_RETURN(const auto counts, ReadRecords<FoundCounts>(*unit, kFoundCounts));
  if (counts.empty()) return EndedEarly({}, "the verified pairs");
  FoundInSets found;
  found.buckets = counts.front().buckets;
  found.merge = counts.front().merge;
  LOOKALIKE_ASSIGN_OR_RETURN(found.edges.runs.emplace_back(), EdgesAlone(unit, guards, workspace));
  found.edges.edges = found.edges.runs.front()->bytes(0) / sizeof(Edge);
  if (counts.front().has_candidates == 0) return found;
  LOOKALIKE_ASSIGN_OR_RETURN(found.candidates.emplace_back(),
                             Alone<CandidatePair>(unit, kFoundCandidates, workspace));
  return found;
}

}  // namespace

Result<FoundInSets> FindAllInSets(const CandidateSource& source, const SearchContext& context,
                                  const StoredSets& sets, const PhaseEnd& ended) {
  Workspace& workspace = *context.workspace;
  if (!workspace.adopts_units()) return source.FindInSets(context, sets, ended);
  if (!workspace.IsIn(kVerifyStage)) return Adopt(context.units.guards, &workspace);
  if (workspace.IsToDo(kVerifyStage, 0)) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FoundInSets found, source.FindInSets(context, sets, ended));
    LOOKALIKE_RETURN_IF_ERROR(Store(found, context.units.guards, &workspace));
  }
  LOOKALIKE_RETURN_IF_ERROR(workspace.EndStage(kVerifyStage));
  return FoundInSets{};
}

}  // namespace lookalike
