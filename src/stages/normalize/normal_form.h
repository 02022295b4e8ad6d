// The normal form in which texts are compared: the steps of `--normalize`.
#ifndef LOOKALIKE_STAGES_NORMALIZE_NORMAL_FORM_H_
#define LOOKALIKE_STAGES_NORMALIZE_NORMAL_FORM_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// One step, as a bit. Steps are taken in this order, whatever order they were named in.
enum class NormalStep : uint8_t {
  kNfkc = 1,           ///< Compatibility composition (NFKC of Unicode 14.0).
  kCasefold = 2,       ///< Full case folding; with kNfkc this is NFKC_Casefold.
  kDiacritics = 4,     ///< Removes the marks of accents and vowel points.
  kDigits = 8,         ///< Each decimal digit becomes 0.
  kPunctuation = 16,   ///< Removes punctuation (general categories P*).
  kWhitespace = 32,    ///< Each run of White_Space becomes one blank, none at the ends.
  kNoWhitespace = 64,  ///< Removes White_Space.
};

/// A set of steps.
struct NormalForm {
  uint8_t steps =
      static_cast<uint8_t>(NormalStep::kNfkc) | static_cast<uint8_t>(NormalStep::kCasefold);

  [[nodiscard]] bool Has(NormalStep step) const {
    return (steps & static_cast<uint8_t>(step)) != 0;
  }
  bool operator==(const NormalForm&) const = default;
};

/// Parses "nfkc,casefold"; "none" has no steps. The Error says what is allowed.
Result<NormalForm> ParseNormalForm(std::string_view text);

/// Returns the steps in the order in which they are taken, or "none".
std::string ToString(const NormalForm& form);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_NORMAL_FORM_H_
