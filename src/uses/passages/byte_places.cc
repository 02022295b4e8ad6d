#include "uses/passages/byte_places.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lookalike {
namespace {

/// Counts the bytes before code points, which must ascend.
class BytePositions {
 public:
  explicit BytePositions(std::string_view text) : text_(text) {}

  uint64_t At(uint64_t code_point) {
    while (byte_ < text_.size() && code_point_ < code_point) {
      do ++byte_;
      while (byte_ < text_.size() && (text_[byte_] & 0xC0) == 0x80);
      ++code_point_;
    }
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
    words.push_back({begins.At(unit.begin), ends.At(unit.end)});
  }
  return words;
}

CutPlan::JoinsWords WordsJoin(std::string_view text, const std::vector<TextSpan>& words,
                              FeatureExtractor* extractor) {
  return [=, &words](uint32_t left, uint32_t right) {
    std::string both;
    for (const uint32_t word : {left, right}) {
      const TextSpan span = words[word];
      both += text.substr(span.begin, span.end - span.begin);
    }
    return extractor->FindUnitsOf(both, TextKind::kPlain).size() < 2;
  };
}

}  // namespace lookalike
