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

/// A stretch of the text of a page and the bytes of the page that it was made from. If both have
/// the same length, they correspond byte by byte.
struct HtmlPiece {
  uint32_t text_begin, text_end;
  uint32_t source_begin, source_end;
};

/// Limits that bound the cost of a page. Beyond them a page is still read, as described here.
inline constexpr size_t kMostOpenElements = 512;  ///< Deeper ones count as part of their ancestors.
inline constexpr size_t kMostTagsOfPart = size_t{1} << 16;  ///< Then the rest is a new page.

/// Extracts the text of pages, even malformed ones, parsed as the HTML standard requires: the text
/// in source order, with runs of white space folded to a blank or, where a block ends, to a line
/// end. Other tags do not separate words.
///
/// kVisible: without scripts, styles, templates, comments, and elements that are not displayed or
/// have the attribute `hidden`; with the title, and the `alt` text of images.
/// kAltaVista: without scripts, styles and comments; with the addresses of `href` and of the `src`
/// of images in their places, each as one word (AppendUrlWord).
///
/// Takes time and memory proportional to the page's size. The text is at most three times as long,
/// or nine times with kAltaVista: a byte that is repaired becomes three (U+FFFD), and each byte of
/// an address may become three again.
/// Holds scratch memory; use one per thread.
class HtmlText {
 public:
  /// REQUIRES: kVisible or kAltaVista.
  explicit HtmlText(HtmlMode mode);
  ~HtmlText();
  HtmlText(HtmlText&&) noexcept;
  HtmlText& operator=(HtmlText&&) noexcept;

  /// Returns the text of `page`, which is UTF-8, possibly ill-formed; valid until the next call.
  /// Fills `pieces`, if given, with the origin of the text, in order; text between pieces was
  /// inserted. REQUIRES: fewer than 2^30 bytes. Throws std::bad_alloc if memory runs out.
  std::string_view Run(std::string_view page, std::vector<HtmlPiece>* pieces = nullptr);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

/// Appends an address as one word: ASCII letters and digits unchanged, any other byte as `_` and
/// two hex digits. So different addresses are different words, even after any later folding other
/// than case folding.
void AppendUrlWord(std::string_view url, std::string* text);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_HTML_TEXT_H_
