#include "run/stage_meter.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

#include "run/run_facts.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Returns the bytes that this process has read from files and written to them so far; 0 where the
/// system does not tell.
uint64_t TransferredBytes() {
  std::ifstream io("/proc/self/io");
  std::string name;
  uint64_t bytes = 0, sum = 0;
  while (io >> name >> bytes) {
    if (name == "rchar:" || name == "wchar:") sum += bytes;
  }
  return sum;
}

}  // namespace

double SerialShare(const std::vector<StageCost>& stages) {
  double cpu = 0, serial = 0;
  for (const StageCost& stage : stages) {
    cpu += stage.cpu;
    serial += stage.serial_cpu;
  }
  return cpu > 0 ? std::min(1.0, serial / cpu) : 0;
}

StageCost StageMeter::Total(std::string_view stage) {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return {.name = std::string(stage),
          .wall = std::chrono::duration<double>(time).count(),
          .cpu = CpuSeconds(),
          .serial_cpu = SpanSeconds(),
          .bytes = TransferredBytes(),
          .page_faults = static_cast<uint64_t>(usage.ru_minflt)};
}

void StageMeter::Combine(size_t first, std::string_view name) {
  ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(first), ends_.end() - 1);
  ends_.back().name = name;
}

std::vector<StageCost> StageMeter::stages() const {
  std::vector<StageCost> stages;
  const StageCost* last = &begin_;
  for (const StageCost& end : ends_) {
    stages.push_back({.name = end.name,
                      .wall = end.wall - last->wall,
                      .cpu = end.cpu - last->cpu,
                      .serial_cpu = end.serial_cpu - last->serial_cpu,
                      .bytes = end.bytes - last->bytes,
                      .page_faults = end.page_faults - last->page_faults});
    last = &end;
  }
  return stages;
}

}  // namespace lookalike
