#include <algorithm>
#include <utility>

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "results/pair_list.h"
#include "results/pairs_form.h"
#include "run/attempt.h"
#include "run/members.h"
#include "run/no_exceptions.h"
#include "run/run_facts.h"
#include "search/measured_search.h"
#include "search/search.h"
#include "uses/distances/distance_search.h"

namespace lookalike {
namespace {

Result<PairsSummary> Write(const Job& job, const SearchResult& search, PairsForm form,
                           const std::string& path, const Observer& observer,
                           Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(PairList list, ListPairs(job, search, workspace));
  StoredMembers members(std::move(list.named), {}, 0);
  LOOKALIKE_RETURN_IF_ERROR(
      CollectMembers(job, search.units.inputs, observer, workspace, &members));
  LOOKALIKE_RETURN_IF_ERROR(WritePairs(job, &list.pairs, members, form, path));
  PairsSummary summary;
  summary.pairs = list.count;
  return summary;
}

Result<PairsSummary> RunIn(const PendingOutput& pending, PairsForm form, const Observer& observer,
                           Attempt* attempt) {
  const Stopwatch time;
  const double cpu_before = CpuSeconds();
  const Job& job = attempt->job;
  Workspace* const workspace = attempt->workspace.get();
  TellOfSketches(job, observer);
  LOOKALIKE_ASSIGN_OR_RETURN(const MeasuredSearch made,
                             SearchAsAsked(Purpose::kPairs, observer, &attempt->job, workspace));
  const SearchResult& search = made.search;
  LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t count, CountPairs(job, search, workspace));
  if (count > kMostPairsUnasked && !job.options.yes) {
    return UsageError(std::to_string(count) +
                      " pairs would be written; pass $<yes> to write them anyway, or raise "
                      "$<threshold>, or use $(dedup), which needs no list of pairs");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(PairsSummary summary,
                             Write(job, search, form, pending.result(), observer, workspace));
  summary.records = search.units.records;
  summary.fields = job.FieldsRead();
  summary.recall = made.recall.audit;
  summary.design = job.DesignName();
  summary.seconds = time.Seconds();
  summary.cpu_seconds = CpuSeconds() - cpu_before;
  summary.peak_memory_bytes = PeakMemoryBytes();
  summary.peak_scratch_bytes = workspace->store().peak_disk_bytes();
  summary.predicted = search.predicted;
  return summary;
}

Result<PairsSummary> PairsByFeatures(const SearchCall& call, PendingOutput* pending) {
  return RunInOneGo(call.inputs, call.options, true, pending, call.objects, [&](Attempt* attempt) {
    return RunIn(*pending, call.form, call.observer, attempt);
  });
}

}  // namespace

Result<PairsSummary> Pairs(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer) {
  return MakeByCall(inputs, output, options, observer, PairsByFeatures, PairsByDistance);
}

}  // namespace lookalike
