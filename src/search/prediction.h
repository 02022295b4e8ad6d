// Predicts a run from what its first pass left behind.
#ifndef LOOKALIKE_SEARCH_PREDICTION_H_
#define LOOKALIKE_SEARCH_PREDICTION_H_

#include <optional>
#include <vector>

#include "lookalike/lookalike.h"
#include "plan/planner.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "run/units.h"
#include "search/audit_sample.h"
#include "search/classes_pass.h"
#include "search/keep_order.h"

namespace lookalike {

/// Predicts a run by the planner's arithmetic. The codes of the audit's sampled classes, and of
/// some thousands of the documents they are to be compared with, show how similar documents are;
/// pairs that the search itself finds are not used. `features`: the mean of a sampled class.
/// `merge`: the amounts that a merge of shingles is expected to sort. Without a sample or without
/// codes (the exact join), pairs are not predicted.
Result<RunPrediction> PredictRun(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                                 const DocumentClasses& classes, const AuditIndex& audit,
                                 const std::vector<AuditLook>& looks, double features,
                                 const std::optional<MergeWork>& merge, const MemoryPlan& memory);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PREDICTION_H_
