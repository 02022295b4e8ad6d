// How a run divides the memory that it may use.
#ifndef LOOKALIKE_BATCH_MEMORY_PLAN_H_
#define LOOKALIKE_BATCH_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "lookalike/status.h"

namespace lookalike {

/// Shares of --memory. None of them changes a result.
struct MemoryPlan {
  uint64_t total = 0;   ///< What the process may use in all.
  size_t batches = 0;   ///< Batches of records that may be in flight at a time.
  uint64_t ahead = 0;   ///< For input that is decoded before it is read.
  uint64_t engine = 0;  ///< What is left for the engine, all shares below included.
  uint64_t held = 0;    ///< Finished runs that stay in memory.
  uint64_t work = 0;    ///< What the one stage at work may use at a time.
  size_t asked_threads = 1;
  size_t threads = 1;  ///< Threads that work at a time where each needs a share of `work`.
};

/// Half of what there is for this process, and at least what Options::memory may be.
uint64_t DefaultMemory();

/// Divides `memory` bytes (0: DefaultMemory()). REQUIRES: at least Options' documented minimum.
MemoryPlan PlanMemory(uint64_t memory, size_t threads);

/// What a plan has room for, in bytes of a record.
struct RecordRoom {
  uint64_t longest = 0;
  uint64_t alone = 0;  ///< Records of more are worked on one at a time.
  uint64_t part = 0;   ///< Of an input, what is decoded at once.
};

/// `by_character`: each character, or byte, is a unit of its own; else a word is.
RecordRoom RoomForRecords(const MemoryPlan& plan, bool by_character);

/// What the ids, ranks and flags of so many documents take, which no scratch space can hold.
uint64_t ResidentBytes(uint64_t documents, bool ranked);

/// An Error when the resident columns are more than a sixth of the engine's share.
Status CheckResident(const MemoryPlan& plan, uint64_t documents, bool ranked);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_MEMORY_PLAN_H_
