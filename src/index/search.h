// Finds the documents of an index that are like a given one.
#ifndef LOOKALIKE_INDEX_SEARCH_H_
#define LOOKALIKE_INDEX_SEARCH_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "index/candidates.h"
#include "index/documents.h"
#include "index/probe.h"
#include "index/rules.h"
#include "index/store.h"

namespace lookalike {

/// Says which documents are no match, because they are about to be removed or are the same.
using LeavesOut = std::function<bool(DocumentNumber)>;

/// Compares a probe with a stored document. `features` are those of the document, or empty if none
/// are kept. Returns nothing if they are not alike at the threshold.
std::optional<IndexMatch> Compare(const Probe& probe, const AlikeTest& test,
                                  const DocumentRecord& record, std::span<const uint64_t> features);

/// Returns what a threshold of this measure applies to.
inline double ScoreOf(const IndexMatch& match, Measure measure) {
  if (measure == Measure::kResemblance) return match.resemblance;
  return std::max(match.containment_ab, match.containment_ba);
}

/// Returns the test that a query asks for.
AlikeTest TestOf(const IndexRules& rules, const IndexQuery& query);

/// Finds the matches of a probe, best first. The query's threshold is that of the index or above,
/// or `exhaustive` is set.
Result<IndexAnswer> Find(const IndexRules& rules, const StoreView& view, const Probe& probe,
                         const IndexQuery& query, const LeavesOut& left_out);

/// A class that is like a probe.
struct SimilarClass {
  DocumentNumber first = 0;  ///< Its first document.
  ClassHash hash;
  double score = 0;  ///< By the measure of the index.
};

/// Finds the classes that are like a probe, by keys: of each key, so many of the oldest ones.
Result<std::vector<SimilarClass>> FindClasses(const IndexRules& rules, const StoreView& view,
                                              const Probe& probe, double threshold, size_t of_key);

/// Finds the same for many probes, by one look at all documents. The limits of `query` count for
/// each. `self`: the document that is no match of each probe.
Result<std::vector<IndexAnswer>> FindInAll(const IndexRules& rules, const StoreView& view,
                                           std::span<const Probe> probes, const IndexQuery& query,
                                           const LeavesOut& left_out,
                                           std::span<const DocumentNumber> self);

/// Sorts by score, then by id, and cuts to what the query allows.
void SortAndCut(const IndexQuery& query, Measure measure, IndexAnswer* answer);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_SEARCH_H_
