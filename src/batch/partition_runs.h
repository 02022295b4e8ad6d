// Work on all partitions of the keys, several at a time.
#ifndef LOOKALIKE_BATCH_PARTITION_RUNS_H_
#define LOOKALIKE_BATCH_PARTITION_RUNS_H_

#include <tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "batch/workspace.h"
#include "flow/parallel.h"

namespace lookalike {

/// The runs that `make(partition)` returns, as Result<RunPointer>, by partition; the first Error
/// ends it. Tells `progress(done)` after each, one call at a time.
template <class Make, class Progress>
Result<std::vector<RunPointer>> RunPartitions(const Workspace& workspace, uint32_t partitions,
                                              Make&& make, Progress&& progress) {
  std::vector<RunPointer> runs(partitions);
  std::mutex mutex;
  Status failed;
  std::atomic<bool> stop = false;
  uint64_t done = 0;
  tbb::task_arena arena(static_cast<int>(workspace.memory().threads));
  arena.execute([&] {
    ParallelFor(uint32_t{0}, partitions, [&](uint32_t partition) {
      if (stop) return;
      auto run = make(partition);
      const std::lock_guard lock(mutex);
      if (run) {
        runs[partition] = *std::move(run);
        progress(++done);
      } else if (!stop.exchange(true)) {
        failed = tl::make_unexpected(std::move(run).error());
      }
    });
  });
  if (!failed) return tl::make_unexpected(std::move(failed).error());
  return runs;
}

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_PARTITION_RUNS_H_
