// The cuts that a plan decided, and what confirms them.
#ifndef LOOKALIKE_USES_PASSAGES_PLANNED_CUTS_H_
#define LOOKALIKE_USES_PASSAGES_PLANNED_CUTS_H_

#include <cstdint>
#include <memory>

#include "lookalike/status.h"
#include "records/records.h"
#include "search/keep_order.h"
#include "spill/paged_records.h"
#include "uses/passages/stored_cuts.h"

namespace lookalike {

/// Cuts, and the hash of the words of each (HashRun).
struct PlannedCuts {
  std::unique_ptr<StoredCuts> cuts;
  PagedRecords<uint64_t> hashes;

  PlannedCuts(RunStore* store, DocNumber documents)
      : cuts(std::make_unique<StoredCuts>(store, documents)), hashes(store) {}
};

/// Returns cuts that were planned by rank with the numbers of their documents, and in their order.
/// `memory_bytes`: for sorting them.
Result<PlannedCuts> ByDocument(const PlannedCuts& by_rank, const Ranking& ranking, RunStore* store,
                               uint64_t memory_bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_PLANNED_CUTS_H_
