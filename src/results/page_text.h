// The text of a page that is compared, and where each of its code points is in the source.
#ifndef LOOKALIKE_RESULTS_PAGE_TEXT_H_
#define LOOKALIKE_RESULTS_PAGE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/unit_text.h"

namespace lookalike {

/// The compared text of a page. For showing passages, not for the data path.
class PageText {
 public:
  PageText(std::string_view source, TextKind kind, HtmlMode pages);

  /// Returns the text that is compared; the source itself if it is not a page.
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Turns places in text() into places in the source, both in code points, with invalid UTF-8
  /// replaced. Units are in order.
  void MoveToSource(std::vector<UnitText::Unit>* units) const;

 private:
  /// An HtmlPiece, in code points.
  struct Piece {
    uint32_t text_begin, text_end, source_begin, source_end;

    [[nodiscard]] bool IsSame() const { return text_end - text_begin == source_end - source_begin; }
  };

  std::string source_, storage_;
  std::string_view text_;
  bool is_page_ = false;
  std::vector<Piece> pieces_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAGE_TEXT_H_
