#include "search/further_fields.h"

#include <utility>

#include "run/resolve_job.h"
#include "search/candidates_pass.h"
#include "search/classes_pass.h"
#include "search/fingerprint_pass.h"

namespace lookalike {
namespace {

/// Returns the candidates of one field.
Result<Candidates> FindInField(const SearchContext& context, const CandidateLimit& limit,
                               size_t field) {
  const Job job = JobOfField(context.job, field);
  Observer quiet = context.observer;
  quiet.message = nullptr;  // it would repeat messages about the inputs
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentUnits units,
                             FingerprintInputs(job, quiet, context.workspace, nullptr));
  if (units.inputs.first_of_source != context.units.inputs.first_of_source) {
    return InputError("the inputs changed while they were read; run again");
  }
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap keyed, KeyedDocuments(units));
  units.codes.SetDocuments(std::move(keyed));
  const SearchContext in_field = {
      job, units, context.ranking, context.reps, context.observer, context.workspace};
  return FindCandidates(in_field, limit);
}

/// Counts the distinct pairs of all fields.
Result<uint64_t> CountDistinct(const PairRuns& pairs) {
  uint64_t count = 0;
  PairReader distinct(pairs);
  while (distinct.Next() != nullptr) ++count;
  LOOKALIKE_RETURN_IF_ERROR(distinct.status());
  return count;
}

}  // namespace

Status AddFurtherFields(const SearchContext& context, const CandidateLimit& limit,
                        Candidates* found) {
  if (!context.job.search_field) return {};
  const size_t fields = context.job.choices.text_fields.paths.size();
  for (size_t field = 1; field < fields; ++field) {
    context.units.ForgetSketches();
    context.workspace->BeginAgain();
    LOOKALIKE_ASSIGN_OR_RETURN(Candidates more, FindInField(context, limit, field));
    for (RunPointer& run : more.pairs) found->pairs.push_back(std::move(run));
    found->counts.Add(more.counts);
    more.wanted.ForEach([&](DocNumber doc) { found->wanted.Set(doc); });
  }
  LOOKALIKE_ASSIGN_OR_RETURN(found->counts.pairs_passed, CountDistinct(found->pairs));
  return {};
}

}  // namespace lookalike
