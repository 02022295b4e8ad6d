#include "batch/run_facts.h"

#include <sys/resource.h>

namespace lookalike {

uint64_t PeakMemoryBytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

}  // namespace lookalike
