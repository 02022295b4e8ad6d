// A run of `dedup` as tasks on several machines, over a folder that all of them see, or over an
// object store.
//
// PlanShards() writes a job; RunShardTask() does a share of one stage. Tasks do not talk to each
// other. Within a stage there may be any number of them, in any order, at once or one after the
// other, killed and repeated at will; the result has the bytes that Dedup() writes.
#ifndef LOOKALIKE_SHARDS_H_
#define LOOKALIKE_SHARDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// A stage of a job. A stage can only begin when all stages before it are complete.
struct ShardStage {
  std::string name;
  /// The number of units that tasks share among them; none: not known before earlier stages are
  /// complete.
  std::optional<uint64_t> units;
  uint64_t done = 0;  ///< Units that are complete.
};

struct ShardStatus {
  std::vector<ShardStage> stages;  ///< In order.
  bool complete = false;           ///< The result stands in its place.
};

/// The share of a task in a stage: the units i with i % count == index.
struct ShardTask {
  std::string stage;
  uint64_t index = 0, count = 1;
};

/// The resources of a task. A job has no settings for them, because tasks run on different
/// machines.
struct ShardResources {
  uint64_t threads = 0, memory = 0;  ///< As in Options.
  /// The same, for the store of a job that is in one. The job cannot say how it is reached.
  std::string object_endpoint = {}, object_region = {};
  bool object_anonymous = false;
};

/// Writes the folder `job`, from which tasks make the result `output`. Inputs must be files that
/// all tasks can read under the same absolute path. The job may be in an object store if the result
/// is; then tasks need no common folder. Options that a job cannot have are an Error.
Result<ShardStatus> PlanShards(const std::vector<std::string>& inputs, const std::string& output,
                               const std::string& job, const Options& options);

/// The summary of the result and its folder, from the task that put it in place.
struct ShardResult {
  DedupSummary summary;
  std::string output;
};

/// Does a share of a stage, unless other tasks have done it. The last task of the last stage also
/// puts the result in place and returns its summary; all others return none. An incomplete earlier
/// stage is an Error that names it.
Result<std::optional<ShardResult>> RunShardTask(const std::string& job, const ShardTask& task,
                                                const ShardResources& resources,
                                                const Observer& observer = {});

/// Returns what is done of a job. Of the resources, only those of a store matter.
Result<ShardStatus> ReadShardStatus(const std::string& job, const ShardResources& resources = {});

}  // namespace lookalike

#endif  // LOOKALIKE_SHARDS_H_
