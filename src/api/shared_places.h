// What two texts share whose features are no runs of equal units: points, series, URLs.
#ifndef LOOKALIKE_API_SHARED_PLACES_H_
#define LOOKALIKE_API_SHARED_PLACES_H_

#include <cstddef>
#include <vector>

#include "api/passages.h"

namespace lookalike {

/// Pairs of places that have a feature in common, sorted by a_begin, then b_begin. A place is what
/// a feature is made of: `window` units from its first one on, all of them where there are fewer; a
/// passage is what lies between the first and the last of them in the text. Each place of either
/// text that has a shared feature is in a pair, and each shared feature is in both places of one.
/// Where windows overlap, as those of a series do, pairs that go on side by side are one passage.
std::vector<Passage> SharedPlaces(const UnitText& a, const UnitText& b, size_t window,
                                  bool windows_join);

}  // namespace lookalike

#endif  // LOOKALIKE_API_SHARED_PLACES_H_
