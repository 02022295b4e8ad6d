// One attempt at a job that may be resumed: where it works, and what an earlier one left.
#ifndef LOOKALIKE_API_ATTEMPT_H_
#define LOOKALIKE_API_ATTEMPT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/run.h"
#include "batch/job.h"
#include "batch/workspace.h"
#include "io/pending_output.h"
#include "lookalike/options.h"

namespace lookalike {

/// What the environment variable LOOKALIKE_HOSTILE asks for: "spill", "collide" or "resume". It
/// makes a run's life hard and changes no result; only tests set it.
struct Hostility {
  Hardships hardships;
  bool resume = false;  ///< Stop after every unit, and go on with a new attempt.
};
Result<Hostility> HostilityFromEnvironment();

/// Whether an attempt was interrupted in the working folder, so that another can go on.
Result<bool> HasEarlierAttempt(const PendingOutput& directory);

struct Attempt {
  Job job;
  std::unique_ptr<Workspace> workspace;
};

/// Removes what a run left that was stopped between its result and its own tidying up.
Status RemoveLeftovers(const std::string& output);

/// Settles the job and opens its workspace: that of an earlier attempt where `resume`, job.json
/// there and the job the same. Checks that the scratch folder has room for what is predicted.
Result<Attempt> OpenAttempt(const Inputs& inputs, const Options& options, bool all_pairs,
                            PendingOutput* directory, const Hardships& hardships, bool resume,
                            const ObjectReading& objects);

/// The hardships of a run that cannot be resumed: it is never stopped.
Result<Hardships> HardshipsInOneGo();

/// OpenAttempt where nothing is resumed; `run(&attempt)`, which returns a Result, at the edge of
/// the library; the workspace cleared, whatever came of it.
template <class Run>
auto RunInOneGo(const Inputs& inputs, const Options& options, bool all_pairs,
                PendingOutput* directory, const ObjectReading& objects, Run&& run)
    -> decltype(run(std::declval<Attempt*>())) {
  LOOKALIKE_ASSIGN_OR_RETURN(const Hardships hardships, HardshipsInOneGo());
  LOOKALIKE_ASSIGN_OR_RETURN(Attempt attempt, OpenAttempt(inputs, options, all_pairs, directory,
                                                          hardships, false, objects));
  auto result = WithoutExceptions([&] { return run(&attempt); });
  LOOKALIKE_RETURN_IF_ERROR(attempt.workspace->Clear());
  return result;
}

/// Where a run that cannot be resumed keeps what does not fit memory.
Result<std::unique_ptr<Workspace>> OpenScratch(const Options& options, PendingOutput* directory,
                                               const Hardships& hardships);

/// Says it where sketches stand in the place of texts.
void TellOfSketches(const Job& job, const Observer& observer);

/// Copies of objects in the working folder that are complete, for another attempt to take.
Result<uint64_t> FetchedObjects(const PendingOutput& directory);

}  // namespace lookalike

#endif  // LOOKALIKE_API_ATTEMPT_H_
