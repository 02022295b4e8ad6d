// Text as the fingerprint sees it: the Unicode standard's NFKC_Casefold, pinned to Unicode 14.0, or
// what other steps make of it.
#ifndef LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
#define LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stages/normalize/normal_form.h"
#include "stages/normalize/text_steps.h"

namespace lookalike {

/// How many bytes one byte may become: 3 where it is ill-formed and repaired to U+FFFD, 11 when
/// normalised (U+FDFA, the longest of Unicode 14.0; none may grow by Unicode's stability policy).
inline constexpr uint64_t kMostRepairedBytes = 3, kMostNormalizedBytes = 11;

/// What text and normal form must stay below: ICU counts bytes of text in an int32_t, the spans of
/// a normalised text (ByteSpan) are uint32_t, with room for the padding behind it.
inline constexpr uint64_t kTextBytesEnd = (uint64_t{1} << 31) - 4096;
inline constexpr uint64_t kNormalizedBytesEnd = (uint64_t{1} << 32) - 4096;

/// The largest text, in whole MiB, that stays below both whatever it holds: what a record may have
/// at most. It may be repaired before it is normalised, or by the normaliser.
inline constexpr uint64_t kLargestText =
    std::min((kTextBytesEnd - 1) / kMostRepairedBytes,
             (kNormalizedBytesEnd - 1) / kMostNormalizedBytes) >>
    20 << 20;

/// The same for NormalizeWithSpans, where ICU counts the bytes of the normal form too.
inline constexpr uint64_t kLargestTextWithSpans =
    (kTextBytesEnd - 1) / kMostNormalizedBytes >> 20 << 20;

/// Turns text into its normal form, NFKC_Casefold unless other steps are given. Code points that
/// Unicode 14.0 does not assign stay as they are. Invalid UTF-8 (surrogates and overlong forms
/// included) becomes U+FFFD, one for each maximal ill-formed part as the Unicode standard
/// recommends (Core Specification 3.9, U+FFFD Substitution of Maximal Subparts). Holds scratch
/// memory; one per thread.
class Normalizer {
 public:
  explicit Normalizer(const NormalForm& form = {});

  /// The normalised text; valid until the next call. At least 64 bytes after its end may be read
  /// (SIMD) and are zero. Long runs of ASCII take a fast path of equal bits.
  /// REQUIRES: at most kLargestText bytes, counted before any repair. Beyond what 32 bits can
  /// count it throws std::length_error, like a string.
  std::string_view Run(std::string_view text);

  /// Whether the last text held invalid UTF-8.
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

/// What NFKC_Casefold makes of one code point, and how it meets its neighbours.
struct CodePointForm {
  std::string folded;  ///< Its normalised form by itself.
  /// Whether that form is unchanged by whatever comes before it.
  bool sealed = true;
  /// Whether what follows may compose with it, or move before a part of it.
  bool open = false;
  /// Whether it may compose with what comes before it. Only of use where it is not sealed.
  bool composes = false;
  uint8_t combining_class = 0;
};

/// REQUIRES: no surrogate. Slow; for tables.
CodePointForm FormOf(char32_t code_point);

/// One stretch of normalised text and the code points of the original that it came from.
struct NormalizedSpan {
  uint32_t normalized_begin, normalized_end;  ///< Bytes of the normalised text.
  uint32_t original_begin, original_end;      ///< Code points of the repaired original text.
};

/// As Normalizer::Run, and where each stretch came from. Original offsets count the code points of
/// the text after its repair, where each ill-formed part is one U+FFFD.
struct NormalizedText {
  std::string text;  ///< 64 zero bytes after its end may be read while it is only moved.
  /// In order and without gaps on both sides. Unchanged runs have one span per code point; what a
  /// change replaced as one is one span, whose normalised side is empty where text was removed.
  std::vector<NormalizedSpan> spans;
  bool replaced_invalid = false;
};

/// Slow; meant for showing passages to people (`compare`, report), never for the data path.
/// REQUIRES: at most kLargestTextWithSpans bytes; beyond what 31 bits can count it throws
/// std::length_error.
NormalizedText NormalizeWithSpans(std::string_view text, const NormalForm& form = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
