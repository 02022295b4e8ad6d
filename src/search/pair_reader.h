// Candidate pairs in the order in which the kept set is decided.
#ifndef LOOKALIKE_SEARCH_PAIR_READER_H_
#define LOOKALIKE_SEARCH_PAIR_READER_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lookalike/status.h"
#include "records/records.h"
#include "spill/run.h"
#include "spill/sorter.h"

namespace lookalike {

/// Runs of candidate pairs (stream 0: CandidatePair records), each sorted and distinct. Several may
/// have the same pair.
using PairRuns = std::vector<RunPointer>;

/// Returns an upper bound on the number of distinct pairs.
uint64_t MostPairs(const PairRuns& runs);

/// Returns the pairs of a unit of `verify`: a million, unless lanes are as small as in tests.
constexpr uint64_t VerifyUnitPairs(uint64_t lane_bytes) {
  return std::clamp<uint64_t>(lane_bytes / 16, 16, uint64_t{1} << 20);
}

/// Returns the number of units in which tasks verify so many pairs.
constexpr uint64_t VerifyUnits(uint64_t pairs, uint64_t lane_bytes) {
  const uint64_t each = VerifyUnitPairs(lane_bytes);
  return (pairs + each - 1) / each;
}

/// A reader of the distinct pairs of some runs, by (d, a).
class PairReader {
 public:
  /// Reads all pairs.
  explicit PairReader(const PairRuns& runs) : PairReader(runs, {}) {}

  /// Reads the pairs whose later document has rank `from` or higher.
  static Result<PairReader> From(const PairRuns& runs, Rank from);

  /// Returns the next pair; null after the last one or an error. Valid until the next call.
  const CandidatePair* Next() { return merge_.Next(); }

  [[nodiscard]] const Status& status() const { return merge_.status(); }

 private:
  PairReader(const PairRuns& runs, const std::vector<uint64_t>& starts)
      : merge_(runs, std::min(runs.size() * kBuffer, kMostBuffers), Repeats::kDrop, starts) {}

  static constexpr uint64_t kBuffer = uint64_t{64} << 10, kMostBuffers = uint64_t{4} << 20;

  SortedMerge<CandidatePair, std::less<>> merge_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PAIR_READER_H_
