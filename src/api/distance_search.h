// Searches by distances: pairs, and nearest neighbours.
#ifndef LOOKALIKE_API_DISTANCE_SEARCH_H_
#define LOOKALIKE_API_DISTANCE_SEARCH_H_

#include <string>

#include "batch/pairs_form.h"
#include "io/object_access.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// More pairs are written only where that was asked for (Options::yes).
inline constexpr uint64_t kMostPairsUnasked = 1'000'000'000;

/// What one call of Pairs or Nearest was given, its options valid. Refers to what it was made of.
struct DistanceCall {
  const Inputs& inputs;
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
  PairsForm form;
  const std::string& output;  ///< What the result is called on this machine.
};

/// Writes pending->result(). REQUIRES: options.distance is not off.
Result<PairsSummary> PairsByDistance(const DistanceCall& call, PendingOutput* pending);
Result<NearestSummary> NearestByDistance(const DistanceCall& call, PendingOutput* pending);

}  // namespace lookalike

#endif  // LOOKALIKE_API_DISTANCE_SEARCH_H_
