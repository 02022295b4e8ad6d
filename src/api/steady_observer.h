// Keeps what lookalike.h promises of an Observer, whatever threads the engine reports from.
#ifndef LOOKALIKE_API_STEADY_OBSERVER_H_
#define LOOKALIKE_API_STEADY_OBSERVER_H_

#include "lookalike/lookalike.h"

namespace lookalike {

/// An observer that calls `observer` from one thread at a time, and its progress at most some ten
/// times a second; the first and the last report of a stage always pass. It asks `observer` whether
/// the run is cancelled at most some hundred times a second, however often it is asked itself. Safe from
/// any thread, as long as `observer` lives.
Observer MakeSteady(const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_API_STEADY_OBSERVER_H_
