// The decisions of people that a run replays.
#ifndef LOOKALIKE_RUN_DECISIONS_INPUT_H_
#define LOOKALIKE_RUN_DECISIONS_INPUT_H_

#include <string>
#include <vector>

#include "lookalike/decisions.h"
#include "lookalike/options.h"
#include "lookalike/status.h"
#include "options/choices.h"

namespace lookalike {

/// The content of Options::decisions; empty if the option is not given.
struct DecisionsInput {
  std::vector<Decision> decisions;  ///< Without those that were taken back.
  std::string hash;                 ///< 32 hex digits over the bytes of the file.

  [[nodiscard]] bool given() const { return !hash.empty(); }
};

/// Reads the decisions that the options name. An Error says what they cannot be combined with.
Result<DecisionsInput> ReadDecisionsInput(const Options& options, const Choices& choices);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_DECISIONS_INPUT_H_
