// What sketches say of two texts: `compare --verify sketch`.
#ifndef LOOKALIKE_API_COMPARE_SKETCHES_H_
#define LOOKALIKE_API_COMPARE_SKETCHES_H_

#include <cstdint>
#include <span>

#include "lookalike/lookalike.h"
#include "lookalike/options.h"

namespace lookalike {

/// Estimates all measures from the sketches of two feature streams (Options::sketch, of coordinates
/// or of a sample) and from nothing else, as if the texts were gone. Without passages.
Result<Comparison> CompareSketches(std::span<const uint64_t> a, std::span<const uint64_t> b,
                                   const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPARE_SKETCHES_H_
