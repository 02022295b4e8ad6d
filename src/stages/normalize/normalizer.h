// Text as the fingerprint sees it: the Unicode standard's NFKC_Casefold, pinned to Unicode 14.0, or
// the result of other steps.
#ifndef LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
#define LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stages/normalize/normal_form.h"
#include "stages/normalize/text_limits.h"
#include "stages/normalize/text_steps.h"

namespace lookalike {

/// Turns text into its normal form, NFKC_Casefold unless other steps are given. Code points that
/// Unicode 14.0 does not assign are unchanged. Invalid UTF-8 (surrogates and overlong forms
/// included) becomes U+FFFD, one for each maximal ill-formed part, as the Unicode standard
/// recommends (Core Specification 3.9, U+FFFD Substitution of Maximal Subparts). Holds scratch
/// memory; use one per thread.
class Normalizer {
 public:
  explicit Normalizer(const NormalForm& form = {});

  /// Returns the normalised text; valid until the next call. At least 64 bytes after its end may be
  /// read (SIMD) and are zero. Long runs of ASCII take a fast path with the same result. REQUIRES:
  /// at most kLargestText bytes, counted before any repair. Throws std::length_error, like a
  /// string, beyond what 32 bits can count.
  std::string_view Run(std::string_view text);

  /// True if the last text contained invalid UTF-8.
  [[nodiscard]] bool replaced_invalid() const { return replaced_invalid_; }

 private:
  std::string_view RunBase(std::string_view text);
  size_t AppendBase(std::string_view text, size_t ascii);

  NormalForm form_;
  TextSteps steps_;
  std::string repaired_;
  std::string normalized_;
  std::string stepped_;
  bool replaced_invalid_ = false;
};

/// The NFKC_Casefold form of one code point, and how it interacts with its neighbours.
struct CodePointForm {
  std::string folded;  ///< The code point's own normalised form.
  /// True if that form is unchanged by anything before it.
  bool sealed = true;
  /// True if following code points may compose with it, or move before a part of it.
  bool open = false;
  /// True if it may compose with what comes before it. Only meaningful if it is not sealed.
  bool composes = false;
  uint8_t combining_class = 0;
};

/// Returns the form of a code point. REQUIRES: not a surrogate. Slow; for tables.
CodePointForm FormOf(char32_t code_point);

/// One stretch of normalised text and the code points of the original that it came from.
struct NormalizedSpan {
  uint32_t normalized_begin, normalized_end;  ///< Bytes of the normalised text.
  uint32_t original_begin, original_end;      ///< Code points of the repaired original text.
  bool is_bytewise = false;                   ///< Each byte came from one code point.

  /// Returns the code points that the byte at `position` came from, as a span of its own if the
  /// stretch is bytewise. REQUIRES: it is one of this stretch.
  [[nodiscard]] NormalizedSpan At(uint32_t position) const {
    if (!is_bytewise) return *this;
    const uint32_t original = original_begin + (position - normalized_begin);
    return {position, position + 1, original, original + 1, true};
  }
};

/// The result of Normalizer::Run, and where each stretch came from. Original offsets count the code
/// points of the text after its repair, in which each ill-formed part is one U+FFFD.
struct NormalizedText {
  std::string text;  ///< 64 zero bytes follow its end and may be read; a move keeps them, a copy
                     ///< does not.
  /// In order and without gaps on both sides. A run of ASCII has one bytewise span, other unchanged
  /// runs have one per code point; code points that were replaced together have one span, whose
  /// normalised side is empty if text was removed.
  std::vector<NormalizedSpan> spans;
  bool replaced_invalid = false;
};

/// Normalises with spans: for places in the original text, not for features. REQUIRES: at most
/// kLargestTextWithSpans bytes; throws std::length_error beyond what 31 bits can count.
NormalizedText NormalizeWithSpans(std::string_view text, const NormalForm& form = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
