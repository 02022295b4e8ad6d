// Facts that a run knows about its own process.
#ifndef LOOKALIKE_RUN_RUN_FACTS_H_
#define LOOKALIKE_RUN_RUN_FACTS_H_

#include <cstdint>

#include "run/no_exceptions.h"

namespace lookalike {

/// Returns the processor time of this process so far, over all threads, user and system.
double CpuSeconds();

/// Returns the largest resident size of this process so far, in bytes.
uint64_t PeakMemoryBytes();

/// The time and memory that a run has taken since this was made.
class RunCost {
 public:
  /// Fills in the figures that every summary has.
  template <class Summary>
  void FillIn(Summary* summary) const {
    summary->seconds = time_.Seconds();
    summary->cpu_seconds = CpuSeconds() - cpu_before_;
    summary->peak_memory_bytes = PeakMemoryBytes();
  }

 private:
  Stopwatch time_;
  double cpu_before_ = CpuSeconds();
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_RUN_FACTS_H_
