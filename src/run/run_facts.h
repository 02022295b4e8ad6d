// Facts that a run knows about its own process.
#ifndef LOOKALIKE_RUN_RUN_FACTS_H_
#define LOOKALIKE_RUN_RUN_FACTS_H_

#include <cstdint>

namespace lookalike {

/// Returns the processor time of this process so far, over all threads, user and system.
double CpuSeconds();

/// Returns the largest resident size of this process so far, in bytes.
uint64_t PeakMemoryBytes();

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_RUN_FACTS_H_
