// The rows of a result: removals and clusters, with the names of their documents.
#ifndef LOOKALIKE_RESULTS_RESULT_ROWS_H_
#define LOOKALIKE_RESULTS_RESULT_ROWS_H_

#include "lookalike/sink.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"

namespace lookalike {

/// Returns a view of the member and the job.
NamedDocument NamedBy(const Job& job, const Member& member);

/// Returns the layout of a result of `dedup`.
ResultLayout RemovalLayout(const Job& job);

/// Gives every removed document to `sink`.
Status GiveRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink);

/// Gives every cluster to `sink`.
Status GiveClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_ROWS_H_
