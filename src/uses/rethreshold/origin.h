// A result that is made again: its rules, the inputs that it was made from, and its scores.
#ifndef LOOKALIKE_USES_RETHRESHOLD_ORIGIN_H_
#define LOOKALIKE_USES_RETHRESHOLD_ORIGIN_H_

#include <string>

#include "lookalike/inputs.h"
#include "lookalike/options.h"
#include "lookalike/result_lists.h"
#include "records/input_list.h"
#include "results/scores.h"
#include "run/result_checks.h"

namespace lookalike {

/// An opened result of `dedup`.
struct Origin {
  std::string folder;
  std::string hash;  ///< ResultLists::hash().
  Options options;   ///< Those that it was made with, with the resolved design.
  Inputs inputs;
  ResultChecks checks;
};

/// Opens a result. `given`: its inputs; none: those that its manifest names. Resources are those
/// of `options`. An Error says what cannot be made again, and what to do.
Result<Origin> OpenOrigin(const std::string& folder, const Inputs& given, const Options& options);

/// Returns an Error if these are not the inputs that the result was made from.
Status CheckInputsOf(const Origin& origin, const InputList& inputs);

/// Opens the scores of the result. Returns an Error if they are not what the run wrote.
Result<ScoresReader> OpenScores(const Origin& origin);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_RETHRESHOLD_ORIGIN_H_
