#include "results/suggestions.h"

#include <algorithm>
#include <span>
#include <vector>

#include "results/result_rows.h"
#include "search/stored_estimate.h"

namespace lookalike {
namespace {

/// Number of removals whose sketches are in memory at a time.
constexpr size_t kRemovalsAtATime = 1 << 9;

/// Gives the suggestions, with an estimate for each.
class Suggestions {
 public:
  Suggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
              ResultSink* sink)
      : job_(job),
        kept_(job.Kept()),
        estimator_(job),
        sketches_(search.sets),
        clusters_(decisions.clusters.by_doc),
        sink_(*sink) {}

  Status Give(std::span<const DocRemoval> removals, const MemberList& named) {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : removals) {
      docs.insert(docs.end(), {removal.doc, removal.witness});
    }
    std::sort(docs.begin(), docs.end());
    docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
    LOOKALIKE_RETURN_IF_ERROR(sketches_.Gather(docs, &gathered_));
    for (const DocRemoval& removal : removals) {
      LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t cluster, ClusterOf(removal.doc, &clusters_));
      RemovalRow row = RowOf(job_, removal, named, cluster);
      const ResemblanceEstimate estimate = EstimateOfPair(removal);
      row.resemblance = estimate.resemblance;
      row.standard_error = estimate.standard_error;
      LOOKALIKE_RETURN_IF_ERROR(sink_.TakeSuggestion(row));
    }
    return {};
  }

 private:
  [[nodiscard]] ResemblanceEstimate EstimateOfPair(const DocRemoval& removal) const {
    const StoredValues gone = gathered_.Of(removal.doc), stays = gathered_.Of(removal.witness);
    return EstimateOf(kept_, estimator_.Match(gone, stays), gone[0], stays[0]);
  }

  const Job& job_;
  KeptSketch kept_;
  StoredEstimator estimator_;
  const StoredSets& sketches_;
  DocCursor<ClusterOfDoc> clusters_;
  ResultSink& sink_;
  DocumentSets gathered_;
};

}  // namespace

Status GiveSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                       const StoredMembers& members, ResultSink* sink) {
  Suggestions suggestions(job, search, decisions, sink);
  return ForBlocksOfRemovals(job, decisions, members, kRemovalsAtATime,
                             [&](std::span<const DocRemoval> removals, const MemberList& named) {
                               return suggestions.Give(removals, named);
                             });
}

}  // namespace lookalike
