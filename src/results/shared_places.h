// Shared places of two texts whose features are not runs of equal units: points, series, URLs.
#ifndef LOOKALIKE_RESULTS_SHARED_PLACES_H_
#define LOOKALIKE_RESULTS_SHARED_PLACES_H_

#include <cstddef>
#include <vector>

#include "results/unit_text.h"

namespace lookalike {

/// Returns pairs of places that have a feature in common, sorted by a_begin, then b_begin. A place
/// is what a feature is made from: `window` units starting at its first one, or all units if there
/// are fewer; a passage spans the text from the first to the last of these units. Each place of a
/// shared feature in either text is in a pair, and each shared feature is in both places of some
/// pair. If windows overlap, as in a series, pairs that continue side by side form one passage.
std::vector<Passage> SharedPlaces(const UnitText& a, const UnitText& b, size_t window,
                                  bool windows_join);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SHARED_PLACES_H_
