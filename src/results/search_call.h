// Helpers shared by pairs and nearest, whether they search by features or by distances.
#ifndef LOOKALIKE_RESULTS_SEARCH_CALL_H_
#define LOOKALIKE_RESULTS_SEARCH_CALL_H_

#include <string>

#include "io/object_access.h"
#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "options/choices.h"
#include "results/pairs_form.h"
#include "run/file_result.h"
#include "run/resolve_job.h"
#include "run/steady_observer.h"
#include "run/store_result.h"

namespace lookalike {

/// More pairs than this are written only if Options::yes is set.
inline constexpr uint64_t kMostPairsUnasked = 1'000'000'000;

/// The arguments of one call of Pairs or Nearest, with valid options. Refers to the caller's
/// arguments.
struct SearchCall {
  const Inputs& inputs;
  const Options& options;
  const Choices& choices;
  const ObjectReading& objects;
  const Observer& observer;
  PairsForm form;
};

/// Makes the one file of a call by `by_features` or `by_distance`, both (call, pending) -> Result.
template <class Summary>
Result<Summary> MakeByCall(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer,
                           Result<Summary> (*by_features)(const SearchCall&, PendingOutput*),
                           Result<Summary> (*by_distance)(const SearchCall&, PendingOutput*)) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  const Observer steady = MakeSteady(observer, SearchStages(choices));
  const ObjectReading objects = ReadingOf(options, steady, place);
  LOOKALIKE_ASSIGN_OR_RETURN(const PairsForm form, FormOfPairs(objects.NamedOutput(place)));
  const auto make = choices.distance ? by_distance : by_features;
  return MakeFile(place, {FilesRead(inputs.names, options), options, objects, steady},
                  [&](PendingOutput* pending) {
                    return make({inputs, options, choices, objects, steady, form}, pending);
                  });
}

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SEARCH_CALL_H_
