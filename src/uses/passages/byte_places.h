// The bytes of the words of a text.
#ifndef LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_
#define LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "results/unit_text.h"
#include "stages/passages/cut_plan.h"
#include "text/utf8.h"

namespace lookalike {

/// Returns the bytes of the units of a text; white space as a unit has none of its own
/// (CuttableText::words). REQUIRES: it is UTF-8, and not read as a page.
std::vector<TextSpan> BytesOfWords(std::string_view text, const UnitText& units);

/// Counts the code points before bytes of a text, which must ascend.
class CodePointsBefore {
 public:
  explicit CodePointsBefore(std::string_view text) : text_(text) {}

  uint64_t At(uint64_t byte) {
    code_points_ += CountCodePoints(text_.substr(byte_, byte - byte_));
    byte_ = byte;
    return code_points_;
  }

 private:
  std::string_view text_;
  uint64_t byte_ = 0, code_points_ = 0;
};

/// Returns a test of the parts of a text. The extractor must outlive it.
CutPlan::JoinsWords WordsJoin(std::string_view text, FeatureExtractor* extractor);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_BYTE_PLACES_H_
