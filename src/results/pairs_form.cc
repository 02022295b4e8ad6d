#include "results/pairs_form.h"

#include <filesystem>

namespace lookalike {

Result<PairsForm> FormOfPairs(const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".parquet" || ending == ".pq") return PairsForm::kParquet;
  for (const char* other : {".gz", ".zst", ".bz2", ".lz4", ".csv", ".tsv", ".arrow"}) {
    if (ending == other) {
      return UsageError(
          "pairs are written as JSON Lines, or as Parquet if the name ends in .parquet; choose "
          "another name",
          output);
    }
  }
  return PairsForm::kJsonLines;
}

}  // namespace lookalike
