#include "results/page_text.h"

#include <algorithm>

#include "fingerprint/feature_extractor.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

// A counter of the code points before positions in a text, which must be given in order.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view text) : text_(text) {}

  uint32_t Before(uint32_t byte) {
    for (; byte_ < byte; ++byte_) count_ += (text_[byte_] & 0xC0) != 0x80;
    return count_;
  }

 private:
  std::string_view text_;
  uint32_t byte_ = 0, count_ = 0;
};

}  // namespace

PageText::PageText(std::string_view source, TextKind kind, HtmlMode pages)
    : text_(source), is_page_(AppliedMode(pages, kind) != HtmlMode::kOff) {
  if (!is_page_) return;
  source_ = RepairUtf8(source);
  std::vector<HtmlPiece> pieces;
  PageReader reader(pages);
  storage_ = reader.Read(source_, kind, &pieces);
  text_ = storage_;
  CodePointCounter in_text(text_), in_source(source_);
  for (const HtmlPiece& piece : pieces) {
    const uint32_t text_begin = in_text.Before(piece.text_begin);
    const uint32_t source_begin = in_source.Before(piece.source_begin);
    pieces_.push_back({text_begin, in_text.Before(piece.text_end), source_begin,
                       in_source.Before(piece.source_end)});
  }
}

void PageText::MoveToSource(std::vector<UnitText::Unit>* units) const {
  if (!is_page_) return;
  // Blanks between pieces may be units too; their position is between their neighbours.
  const auto piece_at = [&](uint32_t place) {
    return std::upper_bound(pieces_.begin(), pieces_.end(), place,
                            [](uint32_t at, const Piece& piece) { return at < piece.text_end; });
  };
  for (UnitText::Unit& unit : *units) {
    const auto first = piece_at(unit.begin);
    const auto last = unit.end == 0 ? first : piece_at(unit.end - 1);
    const uint32_t end_of_source = pieces_.empty() ? 0 : pieces_.back().source_end;
    uint32_t begin = end_of_source, end = end_of_source;
    if (first != pieces_.end()) {
      const bool inside = first->IsSame() && unit.begin > first->text_begin;
      begin = first->source_begin + (inside ? unit.begin - first->text_begin : 0);
      if (unit.begin < first->text_begin && first != pieces_.begin())
        begin = (first - 1)->source_end;
    }
    if (last != pieces_.end()) {
      const bool inside = last->IsSame() && unit.end < last->text_end;
      end = inside ? last->source_begin + (std::max(unit.end, last->text_begin) - last->text_begin)
                   : last->source_end;
    }
    unit.begin = begin;
    unit.end = std::max(begin, end);
  }
}

}  // namespace lookalike
