#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lookalike/lookalike.h"
#include "plan/planner.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "run/no_exceptions.h"
#include "run/process_limits.h"
#include "run/resolve_job.h"
#include "run/search_terms.h"
#include "run/store_result.h"
#include "search/plan_sample.h"
#include "uses/studies/resolve_design.h"

namespace lookalike {
namespace {

std::string NameOf(const std::optional<Design>& design) {
  return design ? ToString(*design) : "exact";
}

PlannedSearch Describe(const Prediction& prediction) {
  PlannedSearch search;
  search.design = NameOf(prediction.design);
  search.keys = prediction.design ? prediction.design->keys : 0;
  search.recall_at_threshold = prediction.recall_at_threshold;
  search.recall = prediction.recall;
  search.candidates = Whole(prediction.candidates);
  search.seconds = prediction.cpu_seconds;
  search.memory_bytes = Whole(prediction.memory_bytes);
  search.disk_bytes = Whole(prediction.disk_bytes);
  search.reaches_recall = prediction.reaches_recall;
  search.fits = prediction.fits;
  for (int i = 0; i <= 100; ++i) {
    search.acceptance.push_back(prediction.design ? Acceptance(*prediction.design, i / 100.0) : 1);
  }
  return search;
}

/// Returns the position of a job's design in the list, inserting it if it is missing.
size_t PlaceOf(const std::optional<Design>& design, std::vector<std::optional<Design>>* designs) {
  const auto at = std::find_if(designs->begin(), designs->end(),
                               [&](const auto& other) { return NameOf(other) == NameOf(design); });
  if (at != designs->end()) return static_cast<size_t>(at - designs->begin());
  designs->insert(designs->begin(), design);
  return 0;
}

void DescribeCollection(const PlanSample& sample, const Job& job, PlanReport* report) {
  const Similarity& similarity = sample.facts.similarity;
  report->documents = Whole(sample.facts.records);
  for (const InputFile& file : job.inputs) {
    report->bytes += file.size;
    report->packed |= IsPacked(file);
  }
  report->plain_bytes = Whole(sample.facts.plain_bytes);
  report->documents_read = sample.documents_read;
  report->read_whole = sample.whole;
  report->read_front = sample.from_the_front;
  report->features = sample.facts.features;
  report->pairs = Whole(similarity.PairsFrom(job.options.threshold));
  report->copy_pairs = Whole(similarity.copy_pairs);
  for (size_t bin = 0; bin + 1 < similarity.near_pairs.size(); bin += 5) {
    const bool last = bin + 6 == similarity.near_pairs.size();
    const double from = static_cast<double>(bin) / 100;
    if (from + 1e-9 < similarity.floor) continue;
    double pairs = last ? similarity.copy_pairs : 0;
    for (size_t i = bin; i < bin + (last ? 6 : 5); ++i) pairs += similarity.near_pairs[i];
    report->similarity.emplace_back(from, pairs);
  }
}

Result<PlanReport> PlanUnguarded(const Inputs& inputs, const Options& options,
                                 const Observer& observer) {
  if (std::find(inputs.names.begin(), inputs.names.end(), "-") != inputs.names.end()) {
    return UsageError(
        "standard input can be read only once, so a later run could not read the same data; "
        "pass files");
  }
  LOOKALIKE_RETURN_IF_ERROR(RefuseContainment(options));
  // A plan reads a sample, wherever the inputs are.
  LOOKALIKE_ASSIGN_OR_RETURN(
      const Job job,
      ResolveJob(inputs, options, {.objects = ReadingOf(options, observer, "").InPlace()}));
  if (observer.message) {
    for (const std::string& line : job.left_out.Messages()) observer.message(line);
  }
  for (const InputFile& file : job.inputs) {
    if (file.format != Format::kSketches) continue;
    return InputError("holds sketches without texts, which a plan needs; pass the texts",
                      file.place());
  }
  if (job.choices.method.merges()) {
    return OptionError(
        "$<method=shingle-merge> cannot be predicted: its cost depends on the most common "
        "shingles; plan with $<method=exact>, which finds the same pairs, or run it on a part of "
        "the inputs");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const PlanSample sample, ReadPlanSample(job, observer));
  const SearchTerms terms = TermsOf(job);
  std::vector<std::optional<Design>> designs = CandidateDesigns(terms);
  PlanReport report;
  report.fields = job.FieldsRead();
  report.chosen = PlaceOf(job.design, &designs);
  report.cheapest = ChooseDesign(sample.facts, terms, designs);
  const MemoryBounds memory =
      BoundsOf(PlanMemory(options.memory, ThreadCount(options.threads)), job);
  for (const auto& design : designs) {
    report.searches.push_back(Describe(Predict(sample.facts, terms, memory, design)));
  }
  DescribeCollection(sample, job, &report);
  return report;
}

}  // namespace

Result<PlanReport> PlanSearch(const Inputs& inputs, const Options& options,
                              const Observer& observer) {
  return RunWithThreads(ThreadCount(options.threads),
                        [&] { return PlanUnguarded(inputs, options, observer); });
}

}  // namespace lookalike
