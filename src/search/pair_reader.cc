#include "search/pair_reader.h"

#include <span>

namespace lookalike {
namespace {

/// Returns the position of the first pair whose later document has rank `from` or higher.
Result<uint64_t> FirstFrom(const Run& run, Rank from) {
  uint64_t low = 0, high = run.bytes(0) / sizeof(CandidatePair);
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    CandidatePair pair;
    LOOKALIKE_RETURN_IF_ERROR(
        run.Read(0, middle * sizeof(CandidatePair), std::as_writable_bytes(std::span(&pair, 1))));
    if (pair.d < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

uint64_t MostPairs(const PairRuns& runs) {
  uint64_t pairs = 0;
  for (const RunPointer& run : runs) pairs += run->bytes(0) / sizeof(CandidatePair);
  return pairs;
}

Result<PairReader> PairReader::From(const PairRuns& runs, Rank from) {
  std::vector<uint64_t> starts;
  for (const RunPointer& run : runs) {
    LOOKALIKE_ASSIGN_OR_RETURN(starts.emplace_back(), FirstFrom(*run, from));
  }
  return PairReader(runs, starts);
}

}  // namespace lookalike
