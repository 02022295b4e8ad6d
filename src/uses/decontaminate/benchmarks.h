// The items of benchmarks, in memory.
#ifndef LOOKALIKE_USES_DECONTAMINATE_BENCHMARKS_H_
#define LOOKALIKE_USES_DECONTAMINATE_BENCHMARKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/decontaminate.h"
#include "lookalike/status.h"
#include "records/text_kind.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "stages/passages/item_index.h"

namespace lookalike {

/// An item of a benchmark.
struct BenchmarkItem {
  uint32_t source = 0;
  uint64_t row = 0;
  std::string id;
  std::string text;
  TextKind kind = TextKind::kUnknown;
  uint64_t words = 0;
  bool too_short = false;  ///< It is not looked for.
};

struct Benchmarks {
  std::vector<BenchmarkItem> items;
  ItemIndex index;  ///< By the position of the item in `items`.
  uint64_t rejected = 0;
};

/// Reads the items of all inputs of a job. Reports records that cannot be read.
Result<Benchmarks> ReadBenchmarks(const Job& job, const ContaminationRules& rules,
                                  const MemoryPlan& memory, const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DECONTAMINATE_BENCHMARKS_H_
