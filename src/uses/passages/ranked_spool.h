// Bytes of documents that come as the documents are read, and are read again in the order of ranks.
#ifndef LOOKALIKE_USES_PASSAGES_RANKED_SPOOL_H_
#define LOOKALIKE_USES_PASSAGES_RANKED_SPOOL_H_

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "records/records.h"
#include "spill/run_store.h"
#include "spill/sorter.h"

namespace lookalike {

/// Bytes of a document, with a number that was stored with them.
struct RankedBytes {
  Rank rank = 0;
  uint64_t tag = 0;
  std::string bytes;
};

/// A run of the bytes of documents, back to back, and their places, sorted by rank. Not
/// thread-safe.
class RankedSpool {
 public:
  /// `memory_bytes`: for the places. `store` must outlive this.
  RankedSpool(RunStore* store, uint64_t memory_bytes);

  /// Adds the bytes of a document. REQUIRES: each rank comes at most once.
  Status Add(Rank rank, std::string_view bytes, uint64_t tag = 0);

  /// Ends adding. Next() may follow.
  Status Finish();

  /// Returns the bytes of the next documents in the order of ranks: as many as take up to `most`
  /// bytes of memory, but one at least; none at the end. They are read in the order of the run, so
  /// that a disk goes in one direction only.
  Result<std::vector<RankedBytes>> Next(uint64_t most);

 private:
  struct Place {
    Rank rank = 0;
    uint64_t begin = 0, size = 0, tag = 0;
    auto operator<=>(const Place&) const = default;
  };

  Status Advance();

  std::unique_ptr<RunWriter> writer_;
  Sorter<Place> sorter_;
  RunPointer run_;
  Sorted<Place> sorted_;
  std::optional<Place> next_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_RANKED_SPOOL_H_
