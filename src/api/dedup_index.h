// Runs of `dedup` that are compared with an index.
#ifndef LOOKALIKE_API_DEDUP_INDEX_H_
#define LOOKALIKE_API_DEDUP_INDEX_H_

#include <functional>
#include <string>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/sink.h"
#include "lookalike/status.h"

namespace lookalike {

/// True if Options::against names an index.
bool NamesIndex(const Options& options);

/// A run over the same inputs, with stand-ins; it gives the rows of its result to `sink`.
using RunWith = std::function<Result<DedupSummary>(const Inputs& inputs, ResultSink* sink)>;

/// Reads from each index what the run must know of it, runs, and adds what is kept to the index if
/// Options::add asks for that. The result is complete before the index changes, in one step: after
/// a crash in between, the same call gives the same result again. `folder`: for temporary files.
Result<DedupSummary> DedupAgainstIndex(const Inputs& inputs, const Options& options,
                                       const std::string& folder, ResultSink* sink,
                                       const Observer& observer, const RunWith& run);

}  // namespace lookalike

#endif  // LOOKALIKE_API_DEDUP_INDEX_H_
