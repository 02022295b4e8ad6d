// Text as the fingerprint sees it: the Unicode standard's NFKC_Casefold, pinned to Unicode 14.0.
#ifndef LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
#define LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {

/// Turns text into its NFKC_Casefold form. Code points that Unicode 14.0 does not assign stay as
/// they are. Invalid UTF-8 (surrogates and overlong forms included) becomes U+FFFD, one for each
/// maximal ill-formed part as the Unicode standard recommends (Core Specification 3.9, U+FFFD
/// Substitution of Maximal Subparts). Holds scratch memory; one per thread.
class Normalizer {
 public:
  Normalizer();

  /// The normalised text; valid until the next call. At least 64 bytes after its end may be read
  /// (SIMD) and are zero. Long runs of ASCII take a fast path of equal bits.
  /// REQUIRES: `text` below 2 GiB (ICU's limit), its normalised form below 4 GiB (ByteSpan's).
  std::string_view Run(std::string_view text);

  /// Whether the last text held invalid UTF-8.
  [[nodiscard]] bool replaced_invalid() const { return replaced_invalid_; }

 private:
  std::string repaired_;
  std::string normalized_;
  bool replaced_invalid_ = false;
};

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
/// REQUIRES: `text` and its normalised form below 2 GiB.
NormalizedText NormalizeWithSpans(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_NORMALIZER_H_
