// The parts of the inputs that are read side by side.
#ifndef LOOKALIKE_RUN_LANES_H_
#define LOOKALIKE_RUN_LANES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "records/input_list.h"
#include "run/in_order.h"
#include "run/memory_plan.h"
#include "threads/parallel.h"

namespace lookalike {

/// A lane is read from front to back by one reader, which needs nothing from other lanes: several
/// whole inputs, or a part of one.
struct Lane {
  uint32_t first = 0, end = 0;  ///< Inputs.
  /// The part of the first (and only) input, as in ReadPart: it begins at the front or at a place
  /// of CutPlaces(), and ends at a later place or at the end.
  uint64_t from = 0, until = UINT64_MAX;

  /// True if other lanes have parts of the input.
  [[nodiscard]] bool is_part() const { return from != 0 || until != UINT64_MAX; }
};

/// Returns the size of the lanes of these inputs. There are several lanes for each thread of a
/// large machine, so that threads end at about the same time; a lane is large enough that a file
/// and its fsync cost little in comparison, and small enough that a crash loses little work. A
/// function of the inputs alone, like CutIntoLanes().
uint64_t LaneBytesOf(const InputList& inputs);

/// Returns the places of CutPlaces() that are not known without opening inputs, by number of the
/// input.
InputCuts FindCuts(const InputList& inputs, uint64_t bytes);

/// Divides all inputs into lanes of about `bytes`, in order. A function of the inputs alone: it is
/// the same for any number of threads, and when a run is resumed. `cuts`: as FindCuts() returns
/// them.
std::vector<Lane> CutIntoLanes(const InputList& inputs, uint64_t bytes, const InputCuts& cuts);
inline std::vector<Lane> CutIntoLanes(const InputList& inputs, uint64_t bytes) {
  return CutIntoLanes(inputs, bytes, FindCuts(inputs, bytes));
}

/// Does the same for the inputs from `first` on, but cuts none, because each makes a separate file.
std::vector<Lane> GroupIntoLanes(const InputList& inputs, uint32_t first, uint64_t bytes);

/// A lane of the pass that writes records: parts of an input that pass one read in lanes of their
/// own, or whole inputs.
struct WriteInputs {
  Lane inputs;                          ///< If there are no parts.
  size_t first_part = 0, end_part = 0;  ///< Among the lanes of pass one.

  [[nodiscard]] bool has_parts() const { return first_part != end_part; }
};

/// Returns the lanes of that pass, in order, for the inputs from `first` on. An input is only cut
/// where it becomes several files, and then so that each part has the bytes of a shard if it can.
/// `read`: the lanes of pass one. `bytes`: as for GroupIntoLanes(). `shard` 0: there are no shards.
std::vector<WriteInputs> GroupForWriting(const InputList& inputs, uint32_t first,
                                         std::span<const Lane> read, uint64_t bytes,
                                         uint64_t shard);

/// Returns the size of lanes, about `lane_bytes`, that makes a shard of a result a whole number of
/// lanes, or a lane a whole number of shards. `shard` 0: there are no shards.
uint64_t LaneBytes(uint64_t lane_bytes, uint64_t shard);

/// The lanes that are read at a time, and the share of memory that each may use.
struct LaneShare {
  size_t lanes = 1;
  size_t batches = 1;    ///< In flight in each lane.
  uint64_t ahead = 0;    ///< As in ReadLimits, for each lane.
  uint64_t waiting = 0;  ///< As in WriteLimits, for each lane.
};

/// Divides the available memory among lanes. A single lane is read at a time if there is room for
/// few batches.
LaneShare ShareBatches(size_t lanes, const MemoryPlan& memory);

/// Calls `read(i) -> Result<Made>` for lanes 0 to `lanes`, side by side, and `take(i, Made) ->
/// Status` in their order. The first error, in the order of lanes, stops the pass.
template <class Read, class Take>
Status RunLanes(size_t lanes, const LaneShare& share, const Read& read, const Take& take) {
  using Made = decltype(read(size_t{0}));
  size_t next = 0, taken = 0;
  // If every thread has a lane, a finished lane waits for the lanes before it while others are
  // read.
  return RunInOrder(
      share.lanes < ThreadsHere() ? share.lanes : 2 * share.lanes,
      [&] { return next < lanes ? std::optional<size_t>(next++) : std::nullopt; },
      [&](size_t i) {
        std::optional<Made> made;
        RunIsolated([&] { made.emplace(read(i)); });
        return *std::move(made);
      },
      [&](auto made) { return take(taken++, std::move(made)); });
}

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_LANES_H_
