// Divides the memory that a run may use.
#ifndef LOOKALIKE_RUN_MEMORY_PLAN_H_
#define LOOKALIKE_RUN_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "lookalike/status.h"

namespace lookalike {

/// Shares of --memory. None of them changes a result.
struct MemoryPlan {
  uint64_t total = 0;    ///< Memory that the process may use in all.
  size_t batches = 0;    ///< Batches of records that may be in flight at a time.
  uint64_t ahead = 0;    ///< For input that is decoded before it is read.
  uint64_t waiting = 0;  ///< For rows that wait to be encoded, within `work`.
  uint64_t engine = 0;   ///< Memory left for the engine, including all shares below.
  uint64_t held = 0;     ///< Finished runs that stay in memory.
  uint64_t work = 0;     ///< Memory for the stage that is running.
  size_t asked_threads = 1;
  size_t threads = 1;  ///< Threads that work at a time if each needs a share of `work`.
};

/// Returns half of the memory available to this process, and at least the minimum of
/// Options::memory.
uint64_t DefaultMemory();

/// Divides `memory` bytes (0: DefaultMemory()). REQUIRES: at least Options' documented minimum.
MemoryPlan PlanMemory(uint64_t memory, size_t threads);

/// The room that a plan has for records, in bytes.
struct RecordRoom {
  uint64_t longest = 0;
  uint64_t alone = 0;  ///< Longer records are worked on one at a time.
  uint64_t part = 0;   ///< Largest part of an input that may be decoded at once.
};

/// Returns the room for records. `by_character`: each character, or byte, is a unit; otherwise a
/// word is.
RecordRoom RoomForRecords(const MemoryPlan& plan, bool by_character);

/// Returns the memory in bytes for the ids, ranks and flags of that many documents, which cannot go
/// to scratch space.
uint64_t ResidentBytes(uint64_t documents, bool ranked);

/// Returns an Error if the resident columns take more than a sixth of the engine's share.
Status CheckResident(const MemoryPlan& plan, uint64_t documents, bool ranked,
                     uint64_t guard_words = 0);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_MEMORY_PLAN_H_
