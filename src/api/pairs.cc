#include <algorithm>
#include <utility>

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "results/pair_list.h"
#include "results/search_call.h"
#include "run/attempt.h"
#include "run/members.h"
#include "run/no_exceptions.h"
#include "run/run_facts.h"
#include "search/measured_search.h"
#include "search/search.h"
#include "uses/distances/distance_search.h"

namespace lookalike {
namespace {

Result<PairsSummary> GiveAllPairs(const SearchCall& call, const Job& job,
                                  const SearchResult& search, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(PairList list, ListPairs(job, search, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(
      const StoredMembers members,
      CollectMembers(job, search.units.inputs, std::move(list.named), call.observer, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(const FieldScores scores,
                             FieldScores::Read(job, search.units.inputs, members.named().bits(),
                                               call.observer, workspace));
  LOOKALIKE_RETURN_IF_ERROR(GivePairs(job, &list.pairs, members, scores, &call.sink));
  PairsSummary summary;
  summary.pairs = list.count;
  return summary;
}

Result<PairsSummary> SearchPairs(const SearchCall& call, Attempt* attempt) {
  const RunCost cost;
  const Job& job = attempt->job;
  Workspace* const workspace = attempt->workspace.get();
  ReportUseOfSketches(job, call.observer);
  LOOKALIKE_ASSIGN_OR_RETURN(
      const MeasuredSearch made,
      SearchAsAsked(Purpose::kPairs, call.observer, &attempt->job, workspace));
  const SearchResult& search = made.search;
  LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t count, CountPairs(job, search, workspace));
  if (count > kMostPairsUnasked && !job.options.yes) {
    return UsageError(std::to_string(count) +
                      " pairs were found; pass $<yes> to write them all, or raise "
                      "$<threshold>, or use $(dedup), which needs no list of pairs");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(PairsSummary summary, GiveAllPairs(call, job, search, workspace));
  summary.records = search.units.records;
  summary.fields = job.FieldsRead();
  summary.recall = made.recall.audit;
  summary.design = job.DesignName();
  cost.FillIn(&summary);
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  summary.predicted = search.predicted;
  return summary;
}

Result<PairsSummary> PairsByFeatures(const SearchCall& call, PendingOutput* pending) {
  return RunInOneGo(call.inputs, call.options, true, pending, call.objects,
                    [&](Attempt* attempt) { return SearchPairs(call, attempt); });
}

constexpr SearchWays<PairsSummary> kPairsWays = {PairsByFeatures, PairsByDistance};

}  // namespace

Result<PairsSummary> Pairs(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer) {
  return MakeByCall(inputs, output, options, observer, kPairsWays);
}

Result<PairsSummary> Pairs(const Inputs& inputs, ResultSink* sink, const Options& options,
                           const Observer& observer) {
  return GiveByCall(inputs, sink, options, observer, kPairsWays);
}

}  // namespace lookalike
