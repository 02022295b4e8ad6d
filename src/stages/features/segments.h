// Words by dictionaries: ICU's word boundaries.
#ifndef LOOKALIKE_STAGES_FEATURES_SEGMENTS_H_
#define LOOKALIKE_STAGES_FEATURES_SEGMENTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "stages/features/words.h"

namespace lookalike {

/// Finds words as ICU does (UAX #29, with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and
/// Burmese): its segments that contain a letter, number or ideograph. The result may change with
/// the version of ICU; SegmenterVersion() identifies that version. REQUIRES: as FindWords.
void FindSegments(std::string_view normalized, std::vector<ByteSpan>* words);

/// Returns the version of ICU, its data and Unicode that FindSegments uses.
std::string SegmenterVersion();

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_SEGMENTS_H_
