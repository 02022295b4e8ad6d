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

StageCost StageMeter::Now() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return {.name = {},
          .wall = std::chrono::duration<double>(time).count(),
          .cpu = CpuSeconds(),
          .serial_cpu = SpanSeconds(),
          .bytes = TransferredBytes(),
          .page_faults = static_cast<uint64_t>(usage.ru_minflt)};
}

void StageMeter::End(std::string_view stage) {
  StageCost now = Now();
  stages_.push_back({.name = std::string(stage),
                     .wall = now.wall - last_.wall,
                     .cpu = now.cpu - last_.cpu,
                     .serial_cpu = now.serial_cpu - last_.serial_cpu,
                     .bytes = now.bytes - last_.bytes,
                     .page_faults = now.page_faults - last_.page_faults});
  last_ = std::move(now);
}

void StageMeter::Combine(size_t first, std::string_view name) {
  StageCost sum = {.name = std::string(name)};
  for (size_t i = first; i < stages_.size(); ++i) {
    sum.wall += stages_[i].wall;
    sum.cpu += stages_[i].cpu;
    sum.serial_cpu += stages_[i].serial_cpu;
    sum.bytes += stages_[i].bytes;
    sum.page_faults += stages_[i].page_faults;
  }
  stages_.resize(first);
  stages_.push_back(std::move(sum));
}

}  // namespace lookalike
