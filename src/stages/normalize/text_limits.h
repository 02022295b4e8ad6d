// The sizes of texts that can be normalised.
#ifndef LOOKALIKE_STAGES_NORMALIZE_TEXT_LIMITS_H_
#define LOOKALIKE_STAGES_NORMALIZE_TEXT_LIMITS_H_

#include <algorithm>
#include <cstdint>

namespace lookalike {

/// The most bytes that one byte may become: 3 if it is ill-formed and repaired to U+FFFD, 11 when
/// normalised (U+FDFA, the longest of Unicode 14.0; Unicode's stability policy lets none grow).
inline constexpr uint64_t kMostRepairedBytes = 3, kMostNormalizedBytes = 11;

/// Upper bounds, exclusive, on the sizes of text and normal form: ICU counts bytes of text in an
/// int32_t, and the spans of a normalised text (ByteSpan) are uint32_t, with room for the padding
/// after it.
inline constexpr uint64_t kTextBytesEnd = (uint64_t{1} << 31) - 4096;
inline constexpr uint64_t kNormalizedBytesEnd = (uint64_t{1} << 32) - 4096;

/// The largest text, in whole MiB, that stays below both bounds whatever it contains: the limit for
/// a record. It may be repaired before it is normalised, or by the normaliser.
inline constexpr uint64_t kLargestText =
    std::min((kTextBytesEnd - 1) / kMostRepairedBytes,
             (kNormalizedBytesEnd - 1) / kMostNormalizedBytes) >>
    20 << 20;

/// The same for NormalizeWithSpans, in which ICU counts the bytes of the normal form too.
inline constexpr uint64_t kLargestTextWithSpans =
    (kTextBytesEnd - 1) / kMostNormalizedBytes >> 20 << 20;

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_TEXT_LIMITS_H_
