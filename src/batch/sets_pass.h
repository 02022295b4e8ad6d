// Pass two: the feature sets of the documents that some pair needs, and the audit's exact join.
#ifndef LOOKALIKE_BATCH_SETS_PASS_H_
#define LOOKALIKE_BATCH_SETS_PASS_H_

#include <vector>

#include "batch/audit_sample.h"
#include "batch/document_table.h"
#include "batch/job.h"
#include "stages/verify/edges.h"

namespace lookalike {

struct SetsPass {
  DocumentSets sets;           ///< Of the wanted documents.
  std::vector<AuditHit> hits;  ///< By document.
};

/// Reads the inputs again. `wanted` and `audited` are flags by document number.
Result<SetsPass> CollectSets(const Job& job, const DocumentTable& table,
                             const std::vector<bool>& wanted, const std::vector<bool>& audited,
                             const AuditIndex& audit, const Observer& observer, size_t threads);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SETS_PASS_H_
