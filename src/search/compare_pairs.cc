#include "search/compare_pairs.h"

#include <utility>
#include <vector>

#include "search/pair_judge.h"

namespace lookalike {
namespace {

/// Returns the documents that occur in pairs.
Result<Bitmap> DocumentsOf(const SearchContext& context, const PairRuns& pairs) {
  Bitmap documents(context.units.documents);
  PairReader reader(pairs);
  while (const CandidatePair* pair = reader.Next()) {
    documents.Set(context.ranking.DocOf(pair->a));
    documents.Set(context.ranking.DocOf(pair->d));
  }
  LOOKALIKE_RETURN_IF_ERROR(reader.status());
  return documents;
}

}  // namespace

Result<VerifiedEdges> ComparePairs(const SearchContext& context, const PairRuns& pairs,
                                   const VerifiedEdges* known) {
  if (MostPairs(pairs) == 0) return VerifiedEdges();
  Job job = context.job;
  if (known == nullptr) job.choices.cluster = Clustering::kComponents;  // all edges are wanted
  const SearchContext all = {job,          context.units,    context.ranking,
                             context.reps, context.observer, context.workspace};
  LOOKALIKE_ASSIGN_OR_RETURN(Bitmap wanted, DocumentsOf(all, pairs));
  const AuditIndex audit({}, job.Test());
  const UseSets later = [](const Unit&, StoredSets*) { return Status(); };
  LOOKALIKE_ASSIGN_OR_RETURN(
      const SetsPass pass,
      JudgeOf(job)->Collect(all, std::move(wanted), {audit, {}, {}, std::nullopt}, later));
  PairVerification verification(all, pairs,
                                known == nullptr ? std::vector<RunPointer>() : known->runs);
  LOOKALIKE_RETURN_IF_ERROR(verification.CheckAll(pass.sets));
  return verification.Take();
}

}  // namespace lookalike
