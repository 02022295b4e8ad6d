// The rows of a result: removals and clusters, with the names of their documents.
#ifndef LOOKALIKE_RESULTS_RESULT_ROWS_H_
#define LOOKALIKE_RESULTS_RESULT_ROWS_H_

#include <cstddef>
#include <functional>
#include <span>

#include "lookalike/sink.h"
#include "results/doc_cursor.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"

namespace lookalike {

/// Returns a view of the member and the job.
NamedDocument NamedBy(const Job& job, const Member& member);

/// Returns the layout of a result of `dedup`.
ResultLayout RemovalLayout(const Job& job);

using TakeRemovals = std::function<Status(std::span<const DocRemoval>, const MemberList& named)>;

/// Calls `take` for the removals in input order, `at_a_time` of them together with the names of
/// their documents. The calls come one at a time, from any thread.
Status ForBlocksOfRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                           size_t at_a_time, const TakeRemovals& take);

/// Returns the row of a removal. REQUIRES: calls come with ascending documents.
Result<RemovalRow> RowOf(const Job& job, const DocRemoval& removal, const MemberList& named,
                         DocCursor<ClusterOfDoc>* clusters);

/// Gives every removed document to `sink`.
Status GiveRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink);

/// Gives every cluster to `sink`.
Status GiveClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_ROWS_H_
