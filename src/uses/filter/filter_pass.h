// A filter for streams over documents in input order: finds the documents that are like an earlier
// document.
#ifndef LOOKALIKE_USES_FILTER_FILTER_PASS_H_
#define LOOKALIKE_USES_FILTER_FILTER_PASS_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/memory_plan.h"
#include "uses/filter/filter_memory.h"

namespace lookalike {

struct FilterCounts {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  uint64_t fresh = 0, seen = 0;
};

/// Takes answers: whole lines of JSON, one per document, in input order.
using TakeLines = std::function<Status(std::string_view)>;

/// The tasks of a filter besides answering.
struct FilterTask {
  const TakeLines& take;
  /// Documents between two commits of the state; each commit follows their answers. 0: none.
  uint64_t checkpoint = 0;
};

/// Queries the filter for each document of the inputs.
Status FilterInputs(const Job& job, const MemoryPlan& memory, const Observer& observer,
                    const FilterTask& task, FilterMemory* filter, FilterCounts* counts);

/// Does the same for standard input, one document at a time: writes the answers for all documents
/// read so far before it waits for more. REQUIRES: the job's only input is standard input.
Status FilterLiveLines(const Job& job, const Observer& observer, const FilterTask& task,
                       FilterMemory* filter, FilterCounts* counts);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_FILTER_FILTER_PASS_H_
