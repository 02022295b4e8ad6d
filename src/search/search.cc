#include "search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "search/audit_pass.h"
#include "search/candidate_source.h"
#include "search/counts_pass.h"
#include "search/fingerprint_pass.h"
#include "search/found_in_sets.h"
#include "search/further_fields.h"
#include "search/memory_forecast.h"
#include "search/pair_judge.h"
#include "search/prediction.h"
#include "search/survey.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Adds the representatives with copies, even those in no candidate pair, because `pairs` prints
/// their sizes.
Status WantRepsWithCopies(const SearchResult& search, Bitmap* wanted) {
  RecordReader<ExactCopy> copies(search.classes.copies, 0);
  while (const ExactCopy* copy = copies.Next()) {
    const DocNumber rep = search.ranking.DocOf(copy->rep);
    if (search.classes.reps.Test(rep)) wanted->Set(rep);
  }
  return copies.status();
}

/// Returns the mean number of features of a sampled class.
double MeanFeatures(const AuditReservoir::Sets& sets) {
  double features = 0;
  for (const auto& [hash, set] : sets) features += static_cast<double>(set.size());
  return features / std::max(1.0, static_cast<double>(sets.size()));
}

/// Finds candidates if the source finds them by keys. Returns the documents whose sets are needed:
/// those of the candidates, or otherwise all searched documents.
Result<Bitmap> FindWanted(const CandidateSource& source, const SearchContext& context,
                          StageMeter* meter, SearchResult* result) {
  const CandidateLimit limit = {result->predicted.candidates, context.job.options.yes};
  LOOKALIKE_ASSIGN_OR_RETURN(std::optional<Candidates> found, source.FindByKeys(context, limit));
  if (!found) {
    LOOKALIKE_RETURN_IF_ERROR(PassOverJoin(context));
    return context.reps;
  }
  LOOKALIKE_RETURN_IF_ERROR(AddFurtherFields(context, limit, &*found));
  if (context.job.rules.all_pairs) {
    LOOKALIKE_RETURN_IF_ERROR(WantRepsWithCopies(*result, &found->wanted));
  }
  meter->End("join");
  result->buckets = found->counts;
  result->candidates = found->pairs;
  return std::move(found->wanted);
}

/// Finds the edges from the unchecked candidates, or otherwise from the sets of all documents.
Status FindEdges(const CandidateSource& source, const SearchContext& context,
                 const StoredSets& sets, PairVerification* verification, StageMeter* meter,
                 SearchResult* result) {
  if (!result->candidates.empty()) {  // found by keys
    LOOKALIKE_RETURN_IF_ERROR(verification->CheckRest(sets));
    result->edges = verification->Take();
    return context.workspace->EndStage(kVerifyStage);
  }
  const PhaseEnd ended = [&](const char* phase) { meter->End(phase); };
  LOOKALIKE_ASSIGN_OR_RETURN(FoundInSets found, FindAllInSets(source, context, sets, ended));
  found.merge.unsampled_documents += result->merge.unsampled_documents;
  result->edges = std::move(found.edges);
  result->candidates = std::move(found.candidates);
  result->buckets = found.buckets;
  result->merge = found.merge;
  return {};
}

/// Returns a message that says how many documents are in no pair because they are too short. The
/// message is empty if there are none, or if the options set the limit: then the caller knows it,
/// and the summary has the count.
std::string TooShortMessage(const Job& job, const RecordCounts& records) {
  const uint64_t left_out = records.too_short + records.too_short_reference;
  if (left_out == 0 || job.options.min_features != 0) return {};
  const uint64_t all = records.in - records.rejected + records.reference;
  return fmt::format(
      "lookalike: {} of {} documents have fewer than {} distinct shingles and are in no pair; "
      "lower $<min-features>{}",
      left_out, all, job.options.LeastFeatures(),
      job.measures_containment() ? ", or use $<preset=questions>" : "");
}

/// Returns the questions of the audit. `looks`: none for containment.
AuditQuestions QuestionsOf(const Job& job, const SearchResult& result, const AuditIndex& audit,
                           std::vector<AuditLook> looks) {
  AuditQuestions questions = {audit, std::move(looks), {}, std::nullopt};
  if (result.units.guards.any()) {
    for (const Rank rank : result.classes.sampled) {
      questions.sampled.push_back(result.ranking.DocOf(rank));
    }
  }
  if (job.measures_containment() && audit.size() != 0) {
    questions.lookup.emplace(audit.sets(), job.Test());
  }
  return questions;
}

/// Builds the index of the audit.
AuditIndex AuditOf(const Job& job, uint64_t documents, AuditReservoir::Sets sample) {
  if (job.measures_containment()) sample = TrimForContainment(std::move(sample));
  return {std::move(sample), job.Test(), job.few ? FewFeatures::kFew : 0, documents};
}

/// Returns the sampled sets: those that the survey was made with, where earlier tasks made it.
Result<AuditReservoir::Sets> SampleOf(const SurveyUnits& surveyed, AuditReservoir* reservoir) {
  if (!surveyed.empty()) return ReadSample(surveyed);
  return reservoir->TakeSets();
}

/// Finds the classes of equal documents, which earlier tasks may have done. A task of this stage
/// does its share of them, and ends.
Result<DocumentClasses> ClassesOf(const Job& job, const SearchResult& result,
                                  const AuditIndex& audit, const SurveyUnits& surveyed,
                                  Workspace* workspace) {
  if (!surveyed.empty()) return ReadClasses(surveyed, result.units.documents, result.ranking);
  if (workspace->IsIn(kSurveyStage)) {
    LOOKALIKE_RETURN_IF_ERROR(MakeSurvey(job, result.units, result.ranking, audit, workspace));
    LOOKALIKE_RETURN_IF_ERROR(workspace->EndStage(kSurveyStage));
  }
  return FindClasses(job, result.units, result.ranking, audit.hashes(), workspace);
}

/// Finds the audit's looks, which earlier tasks may have done. A task of this stage does its share
/// of the counts, of which they are a part, and ends.
Result<std::vector<AuditLook>> LooksOf(const SearchContext& context, const AuditIndex& audit) {
  Workspace& workspace = *context.workspace;
  if (workspace.IsIn(kCountStage)) {
    LOOKALIKE_RETURN_IF_ERROR(MakeCounts(context, audit));
    LOOKALIKE_RETURN_IF_ERROR(workspace.EndStage(kCountStage));
  }
  if (workspace.adopts_units()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const CountUnits counted, FinishedCounts(context.job, &workspace));
    return ReadLooks(counted, audit.size());
  }
  if (context.job.measures_containment()) return std::vector<AuditLook>();
  return FindLooks(context.units.units, context.reps, audit, workspace.memory().work);
}

/// Predicts the rest of the run, now from all documents, and compares the scratch space it needs
/// with the free space. Predictions may be too high by a factor of two. Tasks do without: to know
/// how inputs are packed, each would open all of them.
Status PredictRest(const Job& job, const AuditIndex& audit, const std::vector<AuditLook>& looks,
                   double features, const std::optional<MergeWork>& merge, Workspace* workspace,
                   SearchResult* result) {
  if (!workspace->MakesResult()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(result->predicted,
                             PredictRun(job, result->units, result->ranking, result->classes, audit,
                                        looks, features, merge, workspace->memory()));
  if (workspace->in_tasks()) return {};  // everything is there already
  const uint64_t least = result->predicted.disk_bytes.value_or(0) / 2;
  const uint64_t used = workspace->store().disk_bytes();
  return least > used ? workspace->store().CheckRoom(least - used) : Status();
}

/// Finds the documents that people decided about, and keeps those apart that they split off.
Status PlaceReplay(const SearchContext& context, SearchResult* result) {
  if (context.job.people.decisions.empty()) return {};
  PlacedReplay& replay = result->replay.emplace();
  LOOKALIKE_ASSIGN_OR_RETURN(replay.decisions, PlaceDecisions(context.job.people.decisions, context,
                                                              context.units.inputs));
  const uint64_t documents = context.units.documents;
  LOOKALIKE_ASSIGN_OR_RETURN(
      replay.split, SplitDocuments(replay.decisions, context.ranking, result->classes, documents,
                                   context.workspace));
  Bitmap apart(documents);
  replay.split.apart.ForEach([&](Rank rank) { apart.Set(context.ranking.DocOf(rank)); });
  result->units.guards.KeepApart(std::move(apart));
  return {};
}

}  // namespace

Result<SearchResult> Search(const Job& job, const Observer& observer, Workspace* workspace) {
  SearchResult result;
  StageMeter& meter = workspace->meter();
  workspace->store().StopWhere(observer.cancelled);
  const std::unique_ptr<CandidateSource> source = SourceOf(job);
  const bool finds_here = !workspace->adopts_units() || workspace->IsIn(kVerifyStage);
  LOOKALIKE_RETURN_IF_ERROR(
      CheckForecast(job, finds_here ? source.get() : nullptr, workspace->memory()));
  LOOKALIKE_ASSIGN_OR_RETURN(const SurveyUnits surveyed, FinishedSurvey(job, workspace));
  AuditReservoir reservoir(job.AuditDocuments());  // none where pairs are estimated
  LOOKALIKE_ASSIGN_OR_RETURN(
      result.units, FingerprintInputs(job, observer, workspace,
                                      TakesSample(surveyed, *workspace) ? &reservoir : nullptr));
  const bool ranked = !job.choices.keep.IsFirst();
  LOOKALIKE_RETURN_IF_ERROR(CheckResident(workspace->memory(), result.units.documents, ranked,
                                          job.choices.guards.words()));
  meter.End("fingerprint");
  const std::string too_short = TooShortMessage(job, result.units.records);
  if (!too_short.empty() && observer.message) observer.message(too_short);
  LOOKALIKE_ASSIGN_OR_RETURN(result.ranking, RankDocuments(job, result.units, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(AuditReservoir::Sets sample, SampleOf(surveyed, &reservoir));
  const double features = MeanFeatures(sample);
  const AuditIndex audit = AuditOf(job, result.units.documents, std::move(sample));
  LOOKALIKE_ASSIGN_OR_RETURN(result.classes, ClassesOf(job, result, audit, surveyed, workspace));
  result.units.codes.SetDocuments(std::move(result.classes.keyed));
  if (workspace->IsIn(kJoinStage)) {
    LOOKALIKE_RETURN_IF_ERROR(result.units.codes.MoveToMemory(&workspace->store()));
  }
  const SearchContext context = {job,      result.units, result.ranking, result.classes.reps,
                                 observer, workspace};
  LOOKALIKE_RETURN_IF_ERROR(PlaceReplay(context, &result));
  LOOKALIKE_ASSIGN_OR_RETURN(std::vector<AuditLook> looks, LooksOf(context, audit));
  const std::optional<MergeWork> merge = source->Expect(audit.sets(), result.classes.reps.Count());
  meter.End("classes");
  LOOKALIKE_RETURN_IF_ERROR(PredictRest(job, audit, looks, features, merge, workspace, &result));
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap wanted, FindWanted(*source, context, &meter, &result));
  result.units.ForgetSketches();
  const AuditQuestions questions = QuestionsOf(job, result, audit, std::move(looks));
  PairVerification verification(context, result.candidates);
  const UseSets check = [&](const Unit& unit, StoredSets* sets) {
    return verification.CheckUnit(unit, sets);
  };
  LOOKALIKE_ASSIGN_OR_RETURN(SetsPass pass,
                             JudgeOf(job)->Collect(context, std::move(wanted), questions, check));
  result.merge.unsampled_documents = pass.unsampled_documents;
  result.sample = pass.hits.Finish();
  if (!verification.InReadingOrder()) meter.End("sets");
  LOOKALIKE_RETURN_IF_ERROR(FindEdges(*source, context, pass.sets, &verification, &meter, &result));
  const std::string left_out = LeftOutMessage(job, result.merge);
  if (!left_out.empty() && observer.message) observer.message(left_out);
  if (job.rules.all_pairs || job.only_suggests) result.sets = std::move(pass.sets);
  meter.End("verify");
  result.units.DropRuns();
  return result;
}

}  // namespace lookalike
