// Ranks of rows that come item by item.
#ifndef LOOKALIKE_RESULTS_RANK_COUNTER_H_
#define LOOKALIKE_RESULTS_RANK_COUNTER_H_

#include <cstdint>

namespace lookalike {

/// Counts the ranks of rows that come item by item: 1, 2 and so on for each item.
class RankCounter {
 public:
  uint64_t Next(uint64_t item) {
    rank_ = rank_ > 0 && item == item_ ? rank_ + 1 : 1;
    item_ = item;
    return rank_;
  }

 private:
  uint64_t item_ = 0, rank_ = 0;  ///< Rank 0: no item yet.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RANK_COUNTER_H_
