// Works on all partitions of the keys, several at a time.
#ifndef LOOKALIKE_RUN_PARTITION_RUNS_H_
#define LOOKALIKE_RUN_PARTITION_RUNS_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "run/key_units.h"
#include "run/workspace.h"
#include "threads/parallel.h"

namespace lookalike {

/// One round of a join that goes over all partitions in several rounds.
struct JoinRound {
  uint32_t number, rounds;  ///< The first is 0.
};

/// Returns the runs that `make(partition)` returns, as Result<RunPointer>, by partition; stops at
/// the first Error, or when the observer cancels. Reports progress to the observer after each
/// partition, one call at a time.
template <class Make>
Result<std::vector<RunPointer>> RunPartitions(const Workspace& workspace, PartitionRange range,
                                              const JoinRound& round, const Observer& observer,
                                              Make&& make) {
  const uint32_t partitions = range.size();
  std::vector<RunPointer> runs(partitions);
  std::mutex mutex;
  Status failed;
  std::atomic<bool> stop = false;
  uint64_t done = 0;
  RunInArena(workspace.memory().threads, [&] {
    ParallelFor(range.first, range.end, [&](uint32_t partition) {
      if (stop) return;
      const bool cancelled = observer.cancelled && observer.cancelled();
      Result<RunPointer> run = cancelled ? Cancelled() : make(partition);
      const std::lock_guard lock(mutex);
      if (run) {
        runs[partition - range.first] = *std::move(run);
        ++done;
        if (!observer.progress) return;
        observer.progress({"join", uint64_t{round.number} * partitions + done,
                           uint64_t{round.rounds} * partitions, "partitions"});
      } else if (!stop.exchange(true)) {
        failed = tl::make_unexpected(std::move(run).error());
      }
    });
  });
  if (!failed) return tl::make_unexpected(std::move(failed).error());
  return runs;
}

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_PARTITION_RUNS_H_
