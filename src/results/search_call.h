// Helpers shared by pairs and nearest, whether they search by features or by distances.
#ifndef LOOKALIKE_RESULTS_SEARCH_CALL_H_
#define LOOKALIKE_RESULTS_SEARCH_CALL_H_

#include <string>

#include "io/object_access.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "options/choices.h"
#include "results/pairs_file.h"
#include "results/pairs_form.h"
#include "run/file_result.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "run/store_result.h"

namespace lookalike {

/// More pairs than this are given only if Options::yes is set.
inline constexpr uint64_t kMostPairsUnasked = 1'000'000'000;

/// The arguments of one call of Pairs or Nearest, with valid options. Refers to the caller's
/// arguments.
struct SearchCall {
  const Inputs& inputs;
  const Options& options;
  const Choices& choices;
  const ObjectReading& objects;
  const Observer& observer;
  ResultSink& sink;
};

/// The two ways to serve a call: they give its rows to the sink, and keep temporary files in the
/// working folder of `pending`.
template <class Summary>
struct SearchWays {
  Result<Summary> (*by_features)(const SearchCall& call, PendingOutput* pending);
  Result<Summary> (*by_distance)(const SearchCall& call, PendingOutput* pending);

  [[nodiscard]] auto Of(const Choices& choices) const {
    return choices.distance ? by_distance : by_features;
  }
};

/// Makes the one file of a call.
template <class Summary>
Result<Summary> MakeByCall(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer, const SearchWays<Summary>& ways) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  const Observer steady = MakeSteady(observer, SearchStages(choices));
  const ObjectReading objects = ReadingOf(options, steady, place);
  LOOKALIKE_ASSIGN_OR_RETURN(const PairsForm form, FormOfPairs(objects.NamedOutput(place)));
  return MakeFile(
      place, {FilesRead(inputs.names, options), options, objects, steady},
      [&](PendingOutput* pending) {
        const auto file = MakePairsFile(pending->result(), form, options.rows);
        return ways.Of(choices)({inputs, options, choices, objects, steady, *file}, pending);
      });
}

/// Serves a call that makes no file.
template <class Summary>
Result<Summary> GiveByCall(const Inputs& inputs, ResultSink* sink, Options options,
                           const Observer& observer, const SearchWays<Summary>& ways) {
  if (sink == nullptr) return NoSink();
  options.rows = true;  // a sink leaves out what it does not want
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  const Observer steady = MakeSteady(observer, SearchStages(choices));
  const ObjectReading objects = ReadingOf(options, steady, "");
  return RunWithoutFile(options, [&](const Options& own, PendingOutput* pending) {
    return ways.Of(choices)({inputs, own, choices, objects, steady, *sink}, pending);
  });
}

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SEARCH_CALL_H_
