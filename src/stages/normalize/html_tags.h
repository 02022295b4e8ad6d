// Traits of HTML elements that affect the text of a page. Inside this stage only.
#ifndef LOOKALIKE_STAGES_NORMALIZE_HTML_TAGS_H_
#define LOOKALIKE_STAGES_NORMALIZE_HTML_TAGS_H_

#include <lexbor/tag/tag.h>

#include <cstdint>

namespace lookalike {

/// One property of an element, as a bit.
enum HtmlTrait : uint8_t {
  kInlineElement = 1,      ///< Part of a line: its tags do not end a word.
  kFormattingElement = 2,  ///< Reopened by parsers after each block; irrelevant to the text.
  kVoidElement = 4,        ///< Has no content.
  kRawElement = 8,         ///< Its content is not parsed.
  kUnseenElement = 16,     ///< Its content is not shown.
  kCodeElement = 32,       ///< Its content is not text at all.
};

/// Returns the traits of an element, a set of bits. Elements unknown to the standard are inline.
uint8_t TraitsOfTag(lxb_tag_id_t tag);

inline bool HasTrait(lxb_tag_id_t tag, HtmlTrait trait) { return (TraitsOfTag(tag) & trait) != 0; }

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_NORMALIZE_HTML_TAGS_H_
