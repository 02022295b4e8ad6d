// The form in which pairs are written: JSON Lines or Parquet.
#ifndef LOOKALIKE_RESULTS_PAIRS_FORM_H_
#define LOOKALIKE_RESULTS_PAIRS_FORM_H_

#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// The form of a file of pairs or neighbours, which depends on its ending.
enum class PairsForm { kJsonLines, kParquet };

/// Returns the form for a file name. The Error lists the possible endings.
Result<PairsForm> FormOfPairs(const std::string& output);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIRS_FORM_H_
