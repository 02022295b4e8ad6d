// One run of `dedup`, from an opened attempt to the files of a result.
#ifndef LOOKALIKE_RESULTS_DEDUP_RUN_H_
#define LOOKALIKE_RESULTS_DEDUP_RUN_H_

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "results/record_files.h"
#include "results/scores.h"
#include "run/attempt.h"
#include "run/run_facts.h"
#include "search/measured_search.h"

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

/// The findings of another run, with which a result is made without a search.
struct FoundBefore {
  MeasuredSearch made;
  ForEachScored scores;       ///< Those of the new result.
  std::string command;        ///< The command line that does what is done here.
  nlohmann::ordered_json of;  ///< The manifest's words about the other result.
  std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
  RunCost cost;  ///< Since work began.
};

/// Writes all files of a result of `dedup` from what another run found.
Result<DedupSummary> WriteFound(const DedupCall& run, const ResultPlaces& places, FoundBefore found,
                                Attempt* attempt);

/// Gives what a run finds to a sink, without writing a result.
Result<DedupSummary> GiveFindings(ResultSink* sink, const Observer& observer, Attempt* attempt);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DEDUP_RUN_H_
