// Makes a sketch of every document in one pass and writes them to a file.
#ifndef LOOKALIKE_USES_SKETCHES_SKETCH_PASS_H_
#define LOOKALIKE_USES_SKETCHES_SKETCH_PASS_H_

#include <cstdint>
#include <string>

#include "lookalike/lookalike.h"
#include "records/input_file.h"
#include "run/job.h"
#include "run/memory_plan.h"

namespace lookalike {

struct SketchedInputs {
  RecordCounts records;
  uint64_t documents = 0;
  uint64_t bytes = 0;  ///< Size of the records.
};

/// Writes the sketches of all documents, in input order, to `path`. The bytes written depend on the
/// documents and the options alone. Uses the calling arena's threads.
Result<SketchedInputs> SketchInputs(const Job& job, const MemoryPlan& memory, Codec codec,
                                    const std::string& path, const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_SKETCHES_SKETCH_PASS_H_
