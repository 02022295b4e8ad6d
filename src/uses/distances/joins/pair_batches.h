// Pairs found by parallel tasks, passed on from one thread at a time.
#ifndef LOOKALIKE_USES_DISTANCES_JOINS_PAIR_BATCHES_H_
#define LOOKALIKE_USES_DISTANCES_JOINS_PAIR_BATCHES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lookalike/status.h"
#include "threads/parallel.h"
#include "uses/distances/joins/point_join.h"

namespace lookalike {

/// Calls `find(i, pairs)` for each i below `tasks`, in parallel, and passes the pairs it adds to
/// `take`. Returns the Error of `take`, or "interrupted" if `cancelled` returns true.
template <class Find>
Status TakeInBatches(size_t tasks, const std::function<bool()>& cancelled,
                     const std::function<Status(std::span<const PointPair>)>& take, Find find) {
  size_t next = 0;
  bool stopped = false;
  Status status;
  ParallelPipeline(
      2 * ThreadsHere(),
      [&]() -> std::optional<size_t> {
        stopped = stopped || (cancelled && cancelled());
        if (next == tasks || stopped) return std::nullopt;
        return next++;
      },
      [&](size_t i) {
        std::vector<PointPair> found;
        find(i, &found);
        return found;
      },
      [&](const std::vector<PointPair>& found) {
        if (!found.empty()) status = take(found);
        return status.has_value();
      });
  if (status && stopped) return Cancelled();
  return status;
}

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DISTANCES_JOINS_PAIR_BATCHES_H_
