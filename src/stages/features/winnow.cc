#include "stages/features/winnow.h"

#include <algorithm>
#include <cstddef>

namespace lookalike {
namespace {

/// Returns the order value of a hash. If the hashes themselves gave the order, the least of every
/// window would be chosen, and sketches, which assume evenly spread features, would find most of
/// their bins empty.
uint64_t OrderOf(uint64_t hash) {
  uint64_t x = hash ^ hash >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

}  // namespace

void ChooseByWinnowing(std::span<const uint64_t> hashes, uint32_t window,
                       std::vector<uint32_t>* chosen) {
  chosen->clear();
  if (hashes.empty()) return;
  std::vector<uint64_t> order(hashes.size());
  std::transform(hashes.begin(), hashes.end(), order.begin(), OrderOf);
  // Candidates for the following windows. Their order values ascend, so the front is the choice. No
  // ring buffer is needed, because there are few candidates.
  std::vector<uint32_t> rising;
  size_t front = 0;
  const size_t width = std::min<size_t>(window, hashes.size());
  for (uint32_t i = 0; i < hashes.size(); ++i) {
    if (front < rising.size() && rising[front] + width <= i) ++front;
    while (rising.size() > front && order[rising.back()] > order[i]) rising.pop_back();
    rising.push_back(i);
    if (i + 1 < width) continue;
    // Equal values stay in the queue one after the other, so the front is the leftmost minimum,
    // which was chosen before. Once it has left the window, the rightmost minimum is chosen.
    uint32_t choice = rising[front];
    const bool kept = !chosen->empty() && chosen->back() == choice;
    if (!kept) {
      while (front + 1 < rising.size() && order[rising[front + 1]] == order[choice]) ++front;
      choice = rising[front];
      chosen->push_back(choice);
    }
  }
}

}  // namespace lookalike
