// A text as the units that features are made of, each with its place in the original.
#ifndef LOOKALIKE_RESULTS_UNIT_TEXT_H_
#define LOOKALIKE_RESULTS_UNIT_TEXT_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "run/cancel_check.h"

namespace lookalike {

/// A text cut into its units (words, characters ...), and its features.
struct UnitText {
  /// One word, character, byte, token or point.
  struct Unit {
    std::string_view value;  ///< Normalised; for characters, a run of white space is one blank.
    uint32_t begin, end;     ///< Code points of the original text, or of the page's source, that it
                             ///< came from.
  };
  NormalizedText normalized;
  std::vector<Unit> units;         ///< Values point into `normalized` or into constants.
  std::vector<uint64_t> features;  ///< The feature stream.
  std::vector<uint32_t> first;     ///< The first unit of each feature, never descending.
};

/// Cuts `text` into units; for a page, the part that FeatureSpec::pages selects. The result is
/// heap-allocated because the units point into it. If `check` is cancelled, it ends early with an
/// unusable result.
std::unique_ptr<const UnitText> ReadUnits(std::string_view text, const FeatureSpec& spec,
                                          TextKind kind = TextKind::kUnknown,
                                          CancelCheck* check = nullptr);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_UNIT_TEXT_H_
