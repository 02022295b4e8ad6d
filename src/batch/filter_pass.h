// A filter for streams over documents in input order: which are like an earlier one?
#ifndef LOOKALIKE_BATCH_FILTER_PASS_H_
#define LOOKALIKE_BATCH_FILTER_PASS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "batch/filter_memory.h"
#include "batch/job.h"
#include "batch/memory_plan.h"
#include "lookalike/lookalike.h"

namespace lookalike {

struct FilterCounts {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  uint64_t fresh = 0, seen = 0;
};

/// Takes answers: whole lines of JSON, a document a line, in input order.
using TakeLines = std::function<Status(std::string_view)>;

/// What a filter does beside answering.
struct FilterTask {
  const TakeLines& take;
  /// Documents between two commits of the state, each of which follows their answers. 0: none.
  uint64_t checkpoint = 0;
};

/// Asks for each document of the inputs.
Status FilterInputs(const Job& job, const MemoryPlan& memory, const Observer& observer,
                    const FilterTask& task, FilterMemory* filter, FilterCounts* counts);

/// The same for standard input, one document after the other: the answers for those that have
/// come are given before more is waited for. REQUIRES: the job's only input stands for it.
Status FilterLiveLines(const Job& job, const Observer& observer, const FilterTask& task,
                       FilterMemory* filter, FilterCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_FILTER_PASS_H_
