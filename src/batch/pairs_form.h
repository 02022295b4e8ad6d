// Whether pairs are written as JSON Lines or as Parquet.
#ifndef LOOKALIKE_BATCH_PAIRS_FORM_H_
#define LOOKALIKE_BATCH_PAIRS_FORM_H_

#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// The form of a file of pairs or neighbours goes by its ending.
enum class PairsForm { kJsonLines, kParquet };

/// The Error says which endings there are.
Result<PairsForm> FormOfPairs(const std::string& output);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_PAIRS_FORM_H_
