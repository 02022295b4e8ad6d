#include "search/join_pass.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <utility>

#include "lookalike/size.h"
#include "measures/field_features.h"
#include "stages/candidates/exact_join.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

/// Returns the stored sets of the searched documents.
Result<DocumentSets> GatherAll(const SearchContext& context, const StoredSets& stored) {
  const MemoryPlan& memory = context.workspace->memory();
  if (4 * stored.bytes() > memory.engine) {
    return MemoryError("the exact join keeps all features in memory, and " +
                       FormatSize(memory.total) + " is not enough for the " +
                       FormatSize(stored.bytes()) + " that they need; pass $<memory=" +
                       FormatSize(memory.total + 4 * stored.bytes()) + "> or use $<method=lsh>");
  }
  std::vector<DocNumber> docs;
  context.reps.ForEach([&](DocNumber doc) { docs.push_back(doc); });
  DocumentSets all;
  LOOKALIKE_RETURN_IF_ERROR(stored.Gather(docs, &all));
  return all;
}

/// Returns the pairs of sets that pass the test, by their positions.
Result<std::vector<ExactPair>> Meet(const SearchContext& context, const FeatureSets& sets,
                                    const AlikeTest& test) {
  const Observer& observer = context.observer;
  std::atomic<bool> stopped = false;
  std::vector<ExactPair> pairs = ExactJoin(sets, test, context.workspace->memory().threads, [&] {
    if (observer.cancelled && observer.cancelled()) stopped = true;
    return stopped.load();
  });
  if (stopped) return Cancelled();
  return pairs;
}

/// Returns the pairs that pass the test of at least one text field.
Result<std::vector<ExactPair>> MeetInAnyField(const SearchContext& context,
                                              const DocumentSets& all) {
  const std::vector<double>& thresholds = context.job.choices.text_fields.thresholds;
  std::vector<ExactPair> met;
  for (size_t field = 0; field < thresholds.size(); ++field) {
    FeatureSets parts;
    std::vector<uint32_t> with_field;
    for (size_t i = 0; i < all.documents.size(); ++i) {
      const auto part = PartOfField(all.sets.Set(i), field);
      if (part.empty()) continue;
      parts.Add(part);
      with_field.push_back(static_cast<uint32_t>(i));
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<ExactPair> pairs,
                               Meet(context, parts, AlikeTest(thresholds[field])));
    for (const ExactPair& pair : pairs) met.push_back({with_field[pair.a], with_field[pair.b], 0});
  }
  const auto places = [](const ExactPair& pair) { return std::pair(pair.a, pair.b); };
  std::ranges::sort(met, {}, places);
  const auto repeated = std::ranges::unique(met, {}, places);
  met.erase(repeated.begin(), repeated.end());
  return met;
}

/// Returns the pairs of sets that pass the test, by (d, a).
Result<std::vector<Edge>> Join(const SearchContext& context, const DocumentSets& all,
                               const AlikeTest& test) {
  const auto& [job, units, ranking, reps, observer, workspace] = context;
  const PairScope scope = job.Scope(units.inputs);
  LOOKALIKE_ASSIGN_OR_RETURN(
      const std::vector<ExactPair> pairs,
      job.choices.text_fields.any() ? MeetInAnyField(context, all) : Meet(context, all.sets, test));
  const std::optional<FieldTest> fields = job.Fields();
  std::vector<Edge> edges;
  for (const ExactPair& pair : pairs) {
    Rank a = ranking.RankOf(all.documents[pair.a]);
    Rank d = ranking.RankOf(all.documents[pair.b]);
    auto size_a = static_cast<uint32_t>(all.sets.Set(pair.a).size());
    auto size_d = static_cast<uint32_t>(all.sets.Set(pair.b).size());
    uint32_t common = pair.common;
    if (fields) {
      const auto match = fields->Match(all.sets.Set(pair.a), all.sets.Set(pair.b));
      if (!match) continue;
      common = match->common, size_a = match->size_a, size_d = match->size_b;
    }
    if (a > d) std::swap(a, d), std::swap(size_a, size_d);
    if (scope.Counts(a, d)) edges.push_back({a, d, common, size_a, size_d});
  }
  SortEdgesForKeep(&edges);
  return edges;
}

}  // namespace

Result<VerifiedEdges> JoinSets(const SearchContext& context, const StoredSets& sets) {
  LOOKALIKE_ASSIGN_OR_RETURN(const DocumentSets all, GatherAll(context, sets));
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<Edge> edges, Join(context, all, context.job.Test()));
  const PairGuards& guards = context.units.guards;
  std::vector<Edge> guarded;
  TakeOutGuarded(guards, context.ranking, &edges, &guarded);
  auto writer = context.workspace->store().Temporary(EdgeStreams(guards));
  LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kEdgeStream, edges));
  if (guards.guards()) LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kGuardedStream, guarded));
  VerifiedEdges result;
  result.edges = edges.size();
  LOOKALIKE_ASSIGN_OR_RETURN(result.runs.emplace_back(), writer->Finish());
  return result;
}

Result<VerifiedEdges> JoinSamples(const SearchContext& context, const StoredSets& samples) {
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentSets all, GatherAll(context, samples));
  DocumentSets values;  // without the number of features that stands before each sample
  for (size_t i = 0; i < all.documents.size(); ++i) values.sets.Add(all.sets.Set(i).subspan(1));
  values.documents = std::move(all.documents);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<Edge> found,
                             Join(context, values, AlikeTest(context.job.KeyThreshold())));
  auto writer = context.workspace->store().Temporary(1);
  for (const Edge& edge : found) {
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, CandidatePair{edge.a, edge.d}));
  }
  PairRuns pairs(1);
  LOOKALIKE_ASSIGN_OR_RETURN(pairs.front(), writer->Finish());
  PairVerification verification(context, std::move(pairs));
  LOOKALIKE_RETURN_IF_ERROR(verification.CheckAll(samples));
  return verification.Take();
}

}  // namespace lookalike
