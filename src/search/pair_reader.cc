#include "search/pair_reader.h"

#include "spill/record_reader.h"

namespace lookalike {

uint64_t MostPairs(const PairRuns& runs) {
  uint64_t pairs = 0;
  for (const RunPointer& run : runs) pairs += run->bytes(0) / sizeof(CandidatePair);
  return pairs;
}

Result<PairReader> PairReader::From(const PairRuns& runs, Rank from) {
  std::vector<uint64_t> starts;
  for (const RunPointer& run : runs) {
    const auto is_before = [&](const CandidatePair& pair) { return pair.d < from; };
    LOOKALIKE_ASSIGN_OR_RETURN(starts.emplace_back(),
                               CountBefore<CandidatePair>(*run, 0, is_before));
  }
  return PairReader(runs, starts);
}

}  // namespace lookalike
