// The pairs that guards keep apart: their rows, with the tokens that differ.
#ifndef LOOKALIKE_RESULTS_GUARDED_H_
#define LOOKALIKE_RESULTS_GUARDED_H_

#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "run/job.h"
#include "run/workspace.h"
#include "search/decisions.h"

namespace lookalike {

/// Gives a row for every guarded pair to the sink, by the ranks of its documents. Reads the
/// documents of these pairs again, if there are any.
Status GiveGuarded(const Job& job, const KnownInputs& known, const Decisions& decisions,
                   const Observer& observer, Workspace* workspace, ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_GUARDED_H_
