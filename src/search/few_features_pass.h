// Pairs in which one document has few features, over the whole corpus (few_features.h).
#ifndef LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_
#define LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_

#include <memory>
#include <vector>

#include "run/key_units.h"
#include "search/pair_collector.h"
#include "search/search_context.h"

namespace lookalike {

/// The features that documents share, and how many documents have each.
struct FewCounts {
  std::vector<RunPointer> runs;  ///< Stream 0 of each: CountedFeature records, sorted.
  bool some_frequent = false;    ///< Some feature is so frequent that FrequentFeatures decides.
};

/// A search in three steps. Partitions of features, and later of keys, can be worked on apart from
/// each other; between the steps, all of them must be complete. REQUIRES: the job has `few`.
class FewSearch {
 public:
  explicit FewSearch(const SearchContext& context);
  ~FewSearch();
  FewSearch(const FewSearch&) = delete;
  FewSearch& operator=(const FewSearch&) = delete;

  /// Step one, for the features of some partitions.
  Result<FewCounts> Count(PartitionRange features);

  /// Step two, with the counts of all features: makes the keys of all documents, and stores those
  /// of the wanted partitions.
  Status MakeKeys(const FewCounts& counts, const std::vector<bool>& wanted);

  /// Step three: finds the pairs that keys of these partitions have. REQUIRES: they were wanted.
  Status Join(PartitionRange keys, PairCollector* pairs, BucketCounts* counts);

 private:
  class Steps;
  std::unique_ptr<Steps> steps_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_FEW_FEATURES_PASS_H_
