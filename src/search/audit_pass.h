// Finds the documents that the audit compares with its sampled classes.
#ifndef LOOKALIKE_SEARCH_AUDIT_PASS_H_
#define LOOKALIKE_SEARCH_AUDIT_PASS_H_

#include <span>
#include <vector>

#include "lookalike/status.h"
#include "records/bitmap.h"
#include "run/units.h"
#include "search/audit_sample.h"

namespace lookalike {

/// Joins the bottom-k sketches of the representatives in some units with the sketches of the
/// sample, unit by unit on as many threads as `memory` has room for. Returns the looks sorted by
/// document.
Result<std::vector<AuditLook>> FindLooks(std::span<const Unit> units, const Bitmap& reps,
                                         const AuditIndex& audit, uint64_t memory);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_AUDIT_PASS_H_
