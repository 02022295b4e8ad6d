// Winnowing: a sample of a text's shingles that keeps at least one of every few consecutive
// shingles.
#ifndef LOOKALIKE_STAGES_FEATURES_WINNOW_H_
#define LOOKALIKE_STAGES_FEATURES_WINNOW_H_

#include <cstdint>
#include <span>
#include <vector>

namespace lookalike {

/// Chooses, from every `window` consecutive hashes, one with the least order value: the hash chosen
/// for the previous window if it is also in this one, else the rightmost (robust winnowing;
/// Schleimer, Wilkerson and Aiken, SIGMOD 2003, section 3). So any run of K + window - 1 units that
/// two texts share gives them a feature in common. If there are fewer hashes than a window, one is
/// chosen. `chosen` gets their positions, ascending. The order value of a hash is another hash of
/// it, so that the chosen hashes are spread as evenly as all hashes. REQUIRES: window > 0.
void ChooseByWinnowing(std::span<const uint64_t> hashes, uint32_t window,
                       std::vector<uint32_t>* chosen);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_WINNOW_H_
