// Bags as sets: every occurrence of a feature is a feature of its own.
#ifndef LOOKALIKE_STAGES_FEATURES_BAG_H_
#define LOOKALIKE_STAGES_FEATURES_BAG_H_

#include <cstdint>
#include <span>

namespace lookalike {

/// Replaces the j-th occurrence of each feature f by (f, j), j counting from 0, where (f, 0) is f.
/// The set of the result has |A ∩ B| = the sum of the lesser counts, |A ∪ B| = that of the greater
/// ones.
void NumberOccurrences(std::span<uint64_t> features);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_BAG_H_
