// One run of `dedup`, from an opened attempt to the files of a result.
#ifndef LOOKALIKE_RESULTS_DEDUP_RUN_H_
#define LOOKALIKE_RESULTS_DEDUP_RUN_H_

#include <string>

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "results/record_files.h"
#include "run/attempt.h"

namespace lookalike {

/// The arguments that all attempts at one result share.
struct DedupCall {
  const Inputs& inputs;
  const std::string& output;
  const PendingOutput::MayReplace may_replace;  ///< Decides if the existing output may be removed.
  const Options& options;
  const ObjectReading& objects;
  const Observer& observer;
  ResultSink* const sink;  ///< Takes the rows too; may be null.
};

/// Searches, decides, and writes all files of the result. A task ends after its stage with an Error
/// that IsTaskDone() knows.
Result<DedupSummary> WriteResult(const DedupCall& run, const ResultPlaces& places,
                                 Attempt* attempt);

/// Gives what a run finds to a sink, without writing a result.
Result<DedupSummary> GiveFindings(ResultSink* sink, const Observer& observer, Attempt* attempt);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DEDUP_RUN_H_
