// What this process may use of the machine: a container has less than its host.
#ifndef LOOKALIKE_BATCH_PROCESS_LIMITS_H_
#define LOOKALIKE_BATCH_PROCESS_LIMITS_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace lookalike {

/// The files of the kernel that tell it.
struct KernelFiles {
  std::string root = {};  ///< Stands before /proc and /sys; tests give a folder of their own.
};

/// Bytes of memory that there are for this process: the least of the machine's memory and of what
/// its control groups (version 1 and 2) and those around them may have: memory.max, memory.high,
/// memory.limit_in_bytes. A file that is not there or cannot be understood limits nothing.
uint64_t AvailableMemory(const KernelFiles& kernel = {});

/// Threads that can run at a time: the least of the processors that this process may run on
/// (sched_getaffinity) and of the processor time that its control groups and those around them may
/// take, rounded up: cpu.max, cpu.cfs_quota_us. At least 1.
size_t AvailableThreads(const KernelFiles& kernel = {});

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_PROCESS_LIMITS_H_
