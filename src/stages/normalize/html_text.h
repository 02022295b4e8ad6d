// The text of a page of HTML.
#ifndef LOOKALIKE_STAGES_NORMALIZE_HTML_TEXT_H_
#define LOOKALIKE_STAGES_NORMALIZE_HTML_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stages/normalize/html_mode.h"

namespace lookalike {

/// A stretch of the text of a page and the bytes of the page that it was made of. Where both are
/// of one length, they are the same byte by byte.
struct HtmlPiece {
  uint32_t text_begin, text_end;
  uint32_t source_begin, source_end;
};

/// Limits that bound what a page can cost. A page is read on within them, as is said there.
inline constexpr size_t kMostOpenElements = 512;  ///< Deeper ones count as part of those above.
inline constexpr size_t kMostTagsOfPart = size_t{1} << 16;  ///< Then a page goes on as a new one.

/// Makes the text of pages, parsed as the HTML standard has it, malformed ones included: the text
/// of the source's order, runs of white space folded to a blank or, where a block ends, to a line
/// end. Other tags do not separate words.
///
/// kVisible: without scripts, styles, templates, comments, elements that are not displayed or have
/// the attribute `hidden`; with the title, and the `alt` text of images.
/// kAltaVista: without scripts, styles and comments; with the addresses of `href` and of `src` of
/// images at their place, each as one word (AppendUrlWord).
///
/// Takes time and memory proportional to the page's size. The text is at most three times as long.
/// Holds scratch memory; one per thread.
class HtmlText {
 public:
  /// REQUIRES: kVisible or kAltaVista.
  explicit HtmlText(HtmlMode mode);
  ~HtmlText();
  HtmlText(HtmlText&&) noexcept;
  HtmlText& operator=(HtmlText&&) noexcept;

  /// The text of `page`, which is UTF-8, perhaps ill-formed; valid until the next call. With
  /// `pieces` it says where the text came from, in order; what is between them was put in.
  /// REQUIRES: fewer than 2^30 bytes. Memory that cannot be had throws std::bad_alloc.
  std::string_view Run(std::string_view page, std::vector<HtmlPiece>* pieces = nullptr);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

/// Appends an address as one word: letters and digits of ASCII as they are, each other byte as `_`
/// and two hex digits. So different addresses are different words, whatever is folded later but
/// case.
void AppendUrlWord(std::string_view url, std::string* text);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_HTML_TEXT_H_
