// One attempt at a job that may be resumed: its working folder, and what an earlier attempt left
// there.
#ifndef LOOKALIKE_RUN_ATTEMPT_H_
#define LOOKALIKE_RUN_ATTEMPT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/pending_output.h"
#include "lookalike/options.h"
#include "run/job.h"
#include "run/job_facts.h"
#include "run/no_exceptions.h"
#include "run/workspace.h"

namespace lookalike {

/// The adverse conditions requested by the environment variable LOOKALIKE_STRESS: "spill",
/// "collide", "lanes" or "resume". They stress a run without changing its result; only tests set
/// the variable.
struct StressTest {
  StressSettings stress;
  bool resume = false;  ///< Stop after every unit, and continue with a new attempt.
};
Result<StressTest> StressTestFromEnvironment();

/// True if an attempt was interrupted in the working folder, so that another can continue it.
Result<bool> HasEarlierAttempt(const PendingOutput& directory);

struct Attempt {
  Job job;
  std::unique_ptr<Workspace> workspace;
};

/// Removes the leftovers of a run that was stopped after writing its result but before cleaning up.
Status RemoveLeftovers(const std::string& output);

/// Returns an Error if Options::scratch is set and is not a folder.
Status CheckScratchOption(const std::string& scratch);

enum class Resuming : uint8_t {
  kNever,  ///< The run cannot be resumed, and keeps no journal.
  kLater,  ///< It can be resumed later.
  kNow,    ///< It resumes what an earlier attempt left, if that is there and the job is the same.
};

/// Resolves the job and opens its workspace. Checks that the scratch folder has room for the
/// predicted bytes.
Result<Attempt> OpenAttempt(const Inputs& inputs, const Options& options, bool all_pairs,
                            PendingOutput* directory, const StressSettings& stress,
                            Resuming resuming, const ObjectReading& objects);

/// The places of a task's attempt. Tasks of one job have `records` and `units` in common.
struct TaskPlaces {
  std::string scratch;  ///< The task's own.
  std::string records, units;
  FileSystem* files = nullptr;  ///< Outlives the task.
};

/// The part of a job that its tasks cannot find out by themselves.
struct TaskTerms {
  std::string description;  ///< As DescribeJob() returned it when the tasks were planned.
  uint64_t lane_bytes = 0;
  uint64_t max_record = 0;  ///< Bytes of a record, whatever memory a task has.
  const JobFacts& facts;    ///< Outlives the task.
};

/// Resolves a job, and opens a workspace in which a task does its share of it. Returns an Error if
/// the job is not as it was planned, or if the task has too little memory for its records.
Result<Attempt> OpenTask(const Inputs& inputs, const Options& options, const TaskPlaces& places,
                         const TaskShare& share, const TaskTerms& terms,
                         const ObjectReading& objects);

/// Returns the stress settings of the environment, without stop_after, for a run that cannot be
/// resumed.
Result<StressSettings> StressSettingsInOneGo();

/// Returns the size of the lanes of a job.
uint64_t LaneBytesOf(const Job& job, const StressSettings& stress);

/// Opens an attempt that resumes nothing, calls `run(&attempt)`, which returns a Result, turns its
/// exceptions into Errors, and clears the workspace whatever the outcome.
template <class Run>
auto RunInOneGo(const Inputs& inputs, const Options& options, bool all_pairs,
                PendingOutput* directory, const ObjectReading& objects, Run&& run)
    -> decltype(run(std::declval<Attempt*>())) {
  LOOKALIKE_ASSIGN_OR_RETURN(const StressSettings stress, StressSettingsInOneGo());
  LOOKALIKE_ASSIGN_OR_RETURN(Attempt attempt, OpenAttempt(inputs, options, all_pairs, directory,
                                                          stress, Resuming::kNever, objects));
  auto result = WithoutExceptions([&] { return run(&attempt); });
  LOOKALIKE_RETURN_IF_ERROR(attempt.workspace->Clear());
  return result;
}

/// Opens the workspace in which a run that cannot be resumed keeps what does not fit in memory.
Result<std::unique_ptr<Workspace>> OpenScratch(const Options& options, PendingOutput* directory,
                                               const StressSettings& stress);

/// Sends a message if sketches take the place of texts.
void ReportUseOfSketches(const Job& job, const Observer& observer);

/// Counts the complete copies of objects in the working folder, which another attempt can use.
Result<uint64_t> FetchedObjects(const PendingOutput& directory);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_ATTEMPT_H_
