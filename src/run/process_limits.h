// The share of the machine that this process may use: a container may have less than its host.
#ifndef LOOKALIKE_RUN_PROCESS_LIMITS_H_
#define LOOKALIKE_RUN_PROCESS_LIMITS_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace lookalike {

/// The location of the kernel files that state the limits.
struct KernelFiles {
  std::string root = {};  ///< Prefix of /proc and /sys; tests use their own folder.
};

/// Returns the memory, in bytes, that is available to this process: the least of the machine's
/// memory and the limits of its control groups (version 1 and 2) and of the groups around them:
/// memory.max, memory.high, memory.limit_in_bytes. A file that is missing or cannot be understood
/// limits nothing.
uint64_t AvailableMemory(const KernelFiles& kernel = {});

/// Returns the number of threads that can run at a time: the lesser of the number of processors
/// that this process may run on (sched_getaffinity) and the processor time that its control groups
/// and those around them may take, rounded up: cpu.max, cpu.cfs_quota_us. At least 1.
size_t AvailableThreads(const KernelFiles& kernel = {});

/// Returns the number of threads that a run uses for a value of Options::threads.
size_t ThreadCount(uint64_t option);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_PROCESS_LIMITS_H_
