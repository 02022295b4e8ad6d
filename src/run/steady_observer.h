// Keeps the promises of lookalike.h about an Observer, no matter which threads the engine reports
// from.
#ifndef LOOKALIKE_RUN_STEADY_OBSERVER_H_
#define LOOKALIKE_RUN_STEADY_OBSERVER_H_

#include <string_view>
#include <vector>

#include "lookalike/lookalike.h"
#include "options/choices.h"

namespace lookalike {

/// A stage of a run.
struct StageShare {
  std::string_view stage;
  double weight;  ///< The time it usually takes, in any unit.
};

/// Returns the stages of `dedup`, and of `pairs` and `nearest`, in order, with these options. A run
/// may skip some.
std::vector<StageShare> DedupStages(const Choices& choices);
std::vector<StageShare> SearchStages(const Choices& choices);

/// Makes an observer that calls `observer` from one thread at a time, and its progress at most
/// about ten times a second; the first and the last report of a stage always pass. Progress::of_run
/// is computed from `stages`; it never decreases, and is 0 for a stage that is not among them. It
/// asks `observer` whether the run is cancelled at most about a hundred times a second, however
/// often it is asked itself, and at once after a report. Safe from any thread, as long as
/// `observer` lives.
Observer MakeSteady(const Observer& observer, std::vector<StageShare> stages = {});

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_STEADY_OBSERVER_H_
