#include "run/search_terms.h"

#include <algorithm>

#include "stages/input/packing.h"

namespace lookalike {

SearchTerms TermsOf(const Job& job) {
  SearchTerms terms;
  terms.threshold = job.KeyThreshold();
  terms.recall = job.PlannedRecall();
  terms.coordinates = job.KeySketch().coordinates;
  terms.codes = CodeCount(terms.coordinates);
  terms.agreement_floor = job.rules.agreement_floor;
  terms.small = job.rules.small;
  terms.leaders = job.rules.leaders;
  terms.extension_keys = job.rules.extensions.front().keys;
  terms.all_pairs = job.rules.all_pairs;
  terms.audit_documents = job.AuditDocuments();
  terms.sheds_sets = job.OnlyDecides() && job.choices.keep.IsFirst();
  return terms;
}

Result<Design> PlanDesign(const Job& job, double documents) {
  const SearchTerms terms = TermsOf(job);
  auto design = ChooseSearch(terms, documents);
  if (!design) return tl::make_unexpected(NoDesignReaches(terms));
  return *std::move(design);
}

CollectionSize SizeOf(const Job& job) {
  return {static_cast<double>(job.sizes.documents), static_cast<double>(job.sizes.AllBytes())};
}

void AddPacking(const InputFile& file, double plain_bytes, CollectionFacts* facts) {
  if (file.codec == Codec::kZstd) {
    facts->window_bytes = std::max(facts->window_bytes, std::min(plain_bytes, ZstdWindow(file)));
  }
  facts->columnar |= LayoutOf(file.format) == Layout::kTable;
  facts->group_bytes = std::max(facts->group_bytes, static_cast<double>(LargestRowGroup(file)));
}

MemoryBounds BoundsOf(const MemoryPlan& plan, const Job& job) {
  return {plan.total,
          plan.held,
          plan.engine,
          plan.work,
          plan.batches,
          job.rules.all_pairs ? CollectionSize() : SizeOf(job)};  // `pairs` is not resumed
}

}  // namespace lookalike
