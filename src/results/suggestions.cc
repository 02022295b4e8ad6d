#include "results/suggestions.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "results/doc_cursor.h"
#include "results/result_rows.h"
#include "search/stored_estimate.h"
#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Number of documents whose members and sketches are in memory at a time.
constexpr size_t kRemovalsAtATime = 1 << 10;

/// Gives the suggestions, with an estimate for each.
class Suggestions {
 public:
  Suggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
              const StoredMembers& members, ResultSink* sink)
      : job_(job),
        kept_(job.Kept()),
        estimator_(job),
        sketches_(search.sets),
        members_(members),
        clusters_(decisions.clusters.by_doc),
        sink_(*sink) {}

  Status Give(std::span<const DocRemoval> removals) {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : removals) {
      docs.insert(docs.end(), {removal.doc, removal.witness});
    }
    std::sort(docs.begin(), docs.end());
    docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
    LOOKALIKE_RETURN_IF_ERROR(sketches_.Gather(docs, &gathered_));
    LOOKALIKE_ASSIGN_OR_RETURN(const MemberList named, members_.Gather(job_, std::move(docs)));
    for (const DocRemoval& removal : removals) {
      const ClusterOfDoc* entry = clusters_.Find(removal.doc);
      if (entry == nullptr) return EndedEarly(clusters_.status(), "the list of clusters");
      const ResemblanceEstimate estimate = EstimateOfPair(removal);
      LOOKALIKE_RETURN_IF_ERROR(
          sink_.TakeSuggestion({.document = NamedBy(job_, named.Of(removal.doc)),
                                .witness = NamedBy(job_, named.Of(removal.witness)),
                                .kind = removal.kind,
                                .resemblance = estimate.resemblance,
                                .standard_error = estimate.standard_error,
                                .cluster = entry->cluster}));
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
  const StoredMembers& members_;
  DocCursor<ClusterOfDoc> clusters_;
  ResultSink& sink_;
  DocumentSets gathered_;
};

}  // namespace

Status GiveSuggestions(const Job& job, const SearchResult& search, const Decisions& decisions,
                       const StoredMembers& members, ResultSink* sink) {
  Suggestions suggestions(job, search, decisions, members, sink);
  RecordReader<DocRemoval> removals({decisions.removals}, 0, kRemovalsAtATime * sizeof(DocRemoval));
  uint64_t given = 0;
  for (auto block = removals.NextBlock(); !block.empty(); block = removals.NextBlock()) {
    LOOKALIKE_RETURN_IF_ERROR(suggestions.Give(block));
    given += block.size();
  }
  if (!removals.status() || given != decisions.removed_exact + decisions.removed_near) {
    return EndedEarly(removals.status(), "the list of removals");
  }
  return {};
}

}  // namespace lookalike
