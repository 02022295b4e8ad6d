// The bytes of the words of a text.
#ifndef LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_
#define LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "results/unit_text.h"
#include "stages/passages/cut_plan.h"

namespace lookalike {

/// Returns the bytes of the units of a text; white space as a unit has none of its own
/// (CuttableText::words). REQUIRES: it is UTF-8, and not read as a page.
std::vector<TextSpan> BytesOfWords(std::string_view text, const UnitText& units);

/// Returns a test of the parts of a text. The extractor must outlive it.
CutPlan::JoinsWords WordsJoin(std::string_view text, FeatureExtractor* extractor);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_
