// Step 1 of the definition of the kept set: documents with equal feature streams are one class.
#ifndef LOOKALIKE_SEARCH_CLASSES_PASS_H_
#define LOOKALIKE_SEARCH_CLASSES_PASS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "records/bitmap.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"

namespace lookalike {

struct DocumentClasses {
  RunPointer copies;  ///< Stream 0: ExactCopy records by (rep, copy).
  uint64_t copy_count = 0;
  Bitmap reps;                ///< By document: it is searched and represents its class.
  Bitmap keyed;               ///< By document: it has keys and codes.
  std::vector<Rank> sampled;  ///< Representatives of the audit's classes, in their order.
};

/// Finds the classes; if only pairs across two collections count, it does so separately for each
/// side. `sample`: the stream hashes of the audit's sample, ascending.
Result<DocumentClasses> FindClasses(const Job& job, const DocumentUnits& units,
                                    const Ranking& ranking, std::span<const StreamHash> sample,
                                    Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CLASSES_PASS_H_
