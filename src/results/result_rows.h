// The rows of a result: removals and clusters, with the names of their documents.
#ifndef LOOKALIKE_RESULTS_RESULT_ROWS_H_
#define LOOKALIKE_RESULTS_RESULT_ROWS_H_

#include <cstddef>
#include <functional>
#include <span>

#include "lookalike/sink.h"
#include "results/doc_cursor.h"
#include "results/field_scores.h"
#include "results/result_files.h"
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

/// Returns the number of a document's cluster. REQUIRES: calls come with ascending documents.
Result<uint64_t> ClusterOf(DocNumber doc, DocCursor<ClusterOfDoc>* clusters);

/// Returns the row of a removal, a view of `named` and the job.
RemovalRow RowOf(const Job& job, const DocRemoval& removal, const MemberList& named,
                 uint64_t cluster);

/// Where rows go. Either may be null.
struct RowTargets {
  ResultFiles* files = nullptr;  ///< Their lines are made by several threads.
  ResultSink* sink = nullptr;    ///< It gets one row at a time.
};

/// Gives every removed document to the targets. `scores` has all of them, and their witnesses.
Status GiveRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    const FieldScores& scores, const RowTargets& to);

/// Gives every cluster to the targets.
Status GiveClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    const RowTargets& to);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_ROWS_H_
