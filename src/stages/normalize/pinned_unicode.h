// ICU's normal forms, pinned to Unicode 14.0.
#ifndef LOOKALIKE_STAGES_NORMALIZE_PINNED_UNICODE_H_
#define LOOKALIKE_STAGES_NORMALIZE_PINNED_UNICODE_H_

#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/utypes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lookalike {

/// Throws for texts of `end` bytes or more, which never get here, as readers reject them
/// (kLargestText).
void RequireBelow(uint64_t end, size_t bytes);

/// A bit for each code point that Unicode 14.0 assigns.
using AssignedBits = std::array<uint64_t, 0x110000 / 64>;
const AssignedBits& AssignedIn14();

inline bool Has(const AssignedBits& assigned, char32_t code_point) {
  return (assigned[code_point / 64] >> code_point % 64 & 1) != 0;
}

/// A normal form restricted to the code points that Unicode 14.0 assigns. Immutable; safe from
/// several threads.
class PinnedNormalizer {
 public:
  explicit PinnedNormalizer(const icu::Normalizer2* form);

  /// True if the form of an assigned code point is unchanged by what comes before or after it.
  [[nodiscard]] bool IsSealedBefore(char32_t code_point) const {
    return form_->hasBoundaryBefore(static_cast<UChar32>(code_point)) != 0;
  }
  [[nodiscard]] bool IsSealedAfter(char32_t code_point) const {
    return form_->hasBoundaryAfter(static_cast<UChar32>(code_point)) != 0;
  }

  /// Appends the normalised `text`, which is well-formed. `all_assigned`: every code point is
  /// assigned, so that ICU need not search for unassigned code points.
  void Append(std::string_view text, bool all_assigned, icu::Edits* edits, std::string* out) const;

 private:
  const icu::Normalizer2* form_;
  std::optional<icu::FilteredNormalizer2> filtered_;
};

/// NFKC_Casefold and NFKC; shared by all threads.
const PinnedNormalizer& NfkcCasefold();
const PinnedNormalizer& Nfkc();

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_PINNED_UNICODE_H_
