// The option `--method`.
#ifndef LOOKALIKE_OPTIONS_METHOD_OPTION_H_
#define LOOKALIKE_OPTIONS_METHOD_OPTION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// The way in which candidates are found.
struct MethodOption {
  enum class Kind : uint8_t {
    kAuto,          ///< By band keys if a design reaches the recall, else exactly.
    kLsh,           ///< By band keys.
    kExact,         ///< By a join in memory that misses nothing.
    kShingleMerge,  ///< By sorting shingles, then pairs of documents (Broder et al. 1997).
  };
  Kind kind = Kind::kAuto;
  /// For kShingleMerge: shingles in more documents than this make no pairs; UINT64_MAX: all do. The
  /// run of 1997 left out those in more than 1000.
  uint64_t most_sharing = 1000;

  [[nodiscard]] bool merges() const { return kind == Kind::kShingleMerge; }
  /// True if candidates come from band keys.
  [[nodiscard]] bool has_keys() const { return kind == Kind::kAuto || kind == Kind::kLsh; }
};

/// Parses "auto", "lsh", "exact", "shingle-merge", "shingle-merge:N" (N from 2) or
/// "shingle-merge:unlimited".
Result<MethodOption> ParseMethodOption(std::string_view text);

/// Returns the text that ParseMethodOption turns into this option.
std::string ToString(const MethodOption& option);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_METHOD_OPTION_H_
