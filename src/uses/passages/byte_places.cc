#include "uses/passages/byte_places.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "text/utf8.h"

namespace lookalike {
namespace {

/// Counts the bytes before code points, which must ascend.
class BytePositions {
 public:
  explicit BytePositions(std::string_view text) : text_(text) {}

  uint64_t At(uint64_t code_point) {
    byte_ = SkipCodePoints(text_, byte_, code_point - code_point_);
    code_point_ = code_point;
    return byte_;
  }

 private:
  std::string_view text_;
  size_t byte_ = 0;
  uint64_t code_point_ = 0;
};

}  // namespace

std::vector<TextSpan> BytesOfWords(std::string_view text, const UnitText& units) {
  std::vector<TextSpan> words;
  words.reserve(units.units.size());
  BytePositions begins(text), ends(text);
  for (const UnitText::Unit& unit : units.units) {
    const uint64_t begin = begins.At(unit.begin);
    const bool is_space = unit.value == " ";
    words.push_back({begin, is_space ? begin : ends.At(unit.end)});
  }
  return words;
}

CutPlan::JoinsWords WordsJoin(std::string_view text, FeatureExtractor* extractor) {
  return [=](TextSpan left, TextSpan right) {
    const std::string before(text.substr(left.begin, left.end - left.begin));
    const std::string after(text.substr(right.begin, right.end - right.begin));
    const auto count = [&](std::string_view part) {
      return extractor->FindUnitsOf(part, TextKind::kPlain).size();
    };
    return count(before + after) < count(before) + count(after);
  };
}

}  // namespace lookalike
