// The file that pairs and nearest write: JSON Lines or Parquet.
#ifndef LOOKALIKE_RESULTS_PAIRS_FILE_H_
#define LOOKALIKE_RESULTS_PAIRS_FILE_H_

#include <memory>
#include <string>

#include "lookalike/sink.h"
#include "results/pairs_form.h"

namespace lookalike {

/// Returns a sink of pairs that writes a file. `places`: also input and row of both documents. In
/// Parquet, ids and inputs are utf8; rows, rank and counts are int64; the rest is double.
std::unique_ptr<ResultSink> MakePairsFile(std::string path, PairsForm form, bool places);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIRS_FILE_H_
