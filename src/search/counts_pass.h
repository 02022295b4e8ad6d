// Counts over all representatives, made before pairs are searched for: how many documents share
// each feature of short documents (for containment: each sampled feature), and which documents the
// audit compares with its sample.
#ifndef LOOKALIKE_SEARCH_COUNTS_PASS_H_
#define LOOKALIKE_SEARCH_COUNTS_PASS_H_

#include <vector>

#include "run/workspace.h"
#include "search/audit_sample.h"
#include "search/few_features_pass.h"
#include "search/search_context.h"

namespace lookalike {

/// The units of the stage `count`, of a job that tasks do together.
using CountUnits = std::vector<RunPointer>;

/// Makes this task's share of the units. `audit` has the sample.
Status MakeCounts(const SearchContext& context, const AuditIndex& audit);

/// Returns all units, for a task of a later stage.
Result<CountUnits> FinishedCounts(const Job& job, Workspace* workspace);

/// Returns the looks of all units, by document. `samples`: the size of the audit's sample.
Result<std::vector<AuditLook>> ReadLooks(const CountUnits& counted, size_t samples);

/// Returns the counts of features of all units.
Result<FewCounts> ReadFewCounts(const CountUnits& counted);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_COUNTS_PASS_H_
