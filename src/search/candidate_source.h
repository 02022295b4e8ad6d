// The seam between a search and the ways to find pairs that may be alike.
//
// A source works at one of two points of a search. Either it finds candidates by keys that the
// first pass stored, and only the feature sets of these candidates are read; or it finds them in
// the feature sets of all searched documents. What follows is the same for all: candidates are
// verified, and the kept set is decided.
#ifndef LOOKALIKE_SEARCH_CANDIDATE_SOURCE_H_
#define LOOKALIKE_SEARCH_CANDIDATE_SOURCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "run/job.h"
#include "search/join_units.h"
#include "search/pair_collector.h"
#include "search/prediction.h"
#include "search/search_context.h"
#include "search/sets_pass.h"
#include "search/shingle_merge.h"
#include "search/verify_pass.h"

namespace lookalike {

/// The pairs that a source found in feature sets, verified.
struct FoundInSets {
  VerifiedEdges edges;
  PairRuns candidates = {};  ///< None if all pairs were compared.
  BucketCounts buckets = {};
  MergeCounts merge = {};
};

/// The size of a collection as it seems before it is read, rounded down to what is certain.
struct CertainSize {
  uint64_t documents = 0;
  double feature_bytes = 0;  ///< All feature sets.
};

class CandidateSource {
 public:
  virtual ~CandidateSource() = default;

  /// Returns the name of the method in results: "lsh".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Returns the name of the data that certainly does not fit in memory, for a message; empty if
  /// everything may fit.
  [[nodiscard]] virtual std::string_view TooLarge(const CertainSize& /*size*/,
                                                  const MemoryPlan& /*memory*/) const {
    return {};
  }

  /// Estimates the data that FindInSets() sorts in addition to the sets, from the sets of sampled
  /// documents and the number of documents that are searched.
  [[nodiscard]] virtual std::optional<MergeWork> Expect(
      std::span<const std::vector<uint64_t>> /*sample*/, uint64_t /*documents*/) const {
    return std::nullopt;
  }

  /// Finds candidates by keys. None: the source needs the sets of all searched documents.
  virtual Result<std::optional<Candidates>> FindByKeys(const SearchContext& /*context*/,
                                                       const CandidateLimit& /*limit*/) const {
    return std::nullopt;
  }

  /// Finds and verifies pairs in the sets of all searched documents. `ended` is called when a phase
  /// ends. Called only if FindByKeys() returned none.
  virtual Result<FoundInSets> FindInSets(const SearchContext& context, const StoredSets& sets,
                                         const PhaseEnd& ended) const = 0;
};

/// Returns the source that a job asks for. The job must outlive it.
std::unique_ptr<CandidateSource> SourceOf(const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CANDIDATE_SOURCE_H_
