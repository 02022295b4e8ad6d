#include "run/memory_plan.h"

#include <algorithm>
#include <string>

#include "lookalike/size.h"
#include "records/input_file.h"
#include "run/process_limits.h"

namespace lookalike {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

/// Memory of a run that holds no data yet: the code, the libraries' tables, the threads' stacks.
constexpr uint64_t kProcess = 36 * kMiB;

/// A batch in flight: a megabyte of records as read, as decoded, and the results made from it.
constexpr uint64_t kBatch = 4 * kMiB;

/// Memory worth using per thread to decode row groups and frames ahead.
constexpr uint64_t kAhead = 16 * kMiB;

/// Memory worth using per thread for rows of Parquet that wait to be encoded: a row group of usual
/// size (decision 61).
constexpr uint64_t kWaiting = 32 * kMiB;

/// The minimum of --memory.
constexpr uint64_t kLeastMemory = 64 * kMiB;
/// In the worst case, memory holds the following for a long record: its bytes (twice if they are
/// decoded), the text, its normal form, the positions and hashes of its words, its features and
/// their set. That is about 14 times its bytes if the units are words, and three times as much if
/// they are characters. About half of the memory may go to one record.
constexpr uint64_t kRecordCost = 14, kRecordShare = 32, kCharacters = 3;

/// Below this a thread spends its time on splitting work instead of doing it.
constexpr uint64_t kLeastThreadShare = 4 * kMiB;

}  // namespace

uint64_t DefaultMemory() { return std::max(kLeastMemory, AvailableMemory() / 2); }

MemoryPlan PlanMemory(uint64_t memory, size_t threads) {
  MemoryPlan plan;
  plan.total = memory == 0 ? DefaultMemory() : memory;
  plan.asked_threads = threads;
  const uint64_t free = std::max(plan.total, kProcess + 16 * kMiB) - kProcess;
  plan.batches = std::clamp<size_t>(free / 3 / kBatch, 2, 2 * threads + 1);
  if (threads > 1) plan.ahead = std::min(free / 8, threads * kAhead);
  plan.engine = free - plan.ahead - std::min(free / 2, plan.batches * kBatch);
  plan.held = plan.engine / 2;
  plan.work = plan.engine / 3;
  if (threads > 1) plan.waiting = std::min(plan.work / 2, threads * kWaiting);
  plan.threads = std::clamp<size_t>(plan.work / kLeastThreadShare, 1, threads);
  return plan;
}

RecordRoom RoomForRecords(const MemoryPlan& plan, bool by_character) {
  constexpr uint64_t kStep = 64 << 10;  // so that messages have round numbers
  const uint64_t times = by_character ? kCharacters : 1;
  const uint64_t in_flight = 2 * plan.batches * kRecordCost * times;
  return {plan.total / (kRecordShare * times) / kStep * kStep, plan.total / in_flight,
          plan.total / kMemoryOfPart};
}

uint64_t ResidentBytes(uint64_t documents, bool ranked) {
  constexpr uint64_t kFlags = 5;  // bitmaps that exist at the same time
  // Ranks in both directions, and what decides between neighbours, which has a part for search.
  const uint64_t ranks = documents * 17 + documents / 60;
  return documents * kFlags / 8 + (ranked ? ranks : 0);
}

Status CheckResident(const MemoryPlan& plan, uint64_t documents, bool ranked,
                     uint64_t guard_words) {
  const uint64_t needed =
      ResidentBytes(documents, ranked) + documents * guard_words * sizeof(uint64_t);
  if (needed <= plan.engine / 6) return {};
  constexpr uint64_t kStep = 16 * kMiB;
  uint64_t enough = plan.total / kStep * kStep;
  while (PlanMemory(enough, plan.asked_threads).engine / 6 < needed) enough += kStep;
  return MemoryError("$<memory=" + FormatSize(plan.total) + "> is not enough for " +
                     std::to_string(documents) + " documents: their ranks and flags alone take " +
                     FormatSize((needed / kMiB + 1) * kMiB) + "; raise it to at least " +
                     FormatSize(enough));
}

}  // namespace lookalike
