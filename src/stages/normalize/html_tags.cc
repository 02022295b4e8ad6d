#include "stages/normalize/html_tags.h"

#include <array>

namespace lookalike {
namespace {

using Traits = std::array<uint8_t, LXB_TAG__LAST_ENTRY>;

// Phrasing elements of the HTML standard that are laid out within a line (15.3, Rendering).
constexpr lxb_tag_id_t kInline[] = {
    LXB_TAG_A, LXB_TAG_ABBR, LXB_TAG_ACRONYM, LXB_TAG_B, LXB_TAG_BDI, LXB_TAG_BDO, LXB_TAG_BIG,
    LXB_TAG_BLINK, LXB_TAG_CITE, LXB_TAG_CODE, LXB_TAG_DATA, LXB_TAG_DEL, LXB_TAG_DFN, LXB_TAG_EM,
    LXB_TAG_FONT, LXB_TAG_I, LXB_TAG_INS, LXB_TAG_KBD, LXB_TAG_LABEL, LXB_TAG_MAP, LXB_TAG_MARK,
    LXB_TAG_NOBR, LXB_TAG_OUTPUT, LXB_TAG_Q, LXB_TAG_RB, LXB_TAG_RUBY, LXB_TAG_S, LXB_TAG_SAMP,
    LXB_TAG_SLOT, LXB_TAG_SMALL, LXB_TAG_SPAN, LXB_TAG_STRIKE, LXB_TAG_STRONG, LXB_TAG_SUB,
    LXB_TAG_SUP, LXB_TAG_TIME, LXB_TAG_TT, LXB_TAG_U, LXB_TAG_VAR, LXB_TAG_WBR,
    // These show nothing, so the text around them forms one line.
    LXB_TAG_SCRIPT, LXB_TAG_STYLE, LXB_TAG_TEMPLATE, LXB_TAG_NOSCRIPT, LXB_TAG_LINK, LXB_TAG_META,
    LXB_TAG_RP};

// Formatting elements of the standard (13.2.4.3, The list of active formatting elements).
constexpr lxb_tag_id_t kFormatting[] = {LXB_TAG_A,  LXB_TAG_B,     LXB_TAG_BIG,    LXB_TAG_CODE,
                                        LXB_TAG_EM, LXB_TAG_FONT,  LXB_TAG_I,      LXB_TAG_NOBR,
                                        LXB_TAG_S,  LXB_TAG_SMALL, LXB_TAG_STRIKE, LXB_TAG_STRONG,
                                        LXB_TAG_TT, LXB_TAG_U};

constexpr lxb_tag_id_t kVoid[] = {LXB_TAG_AREA,   LXB_TAG_BASE,  LXB_TAG_BASEFONT, LXB_TAG_BGSOUND,
                                  LXB_TAG_BR,     LXB_TAG_COL,   LXB_TAG_EMBED,    LXB_TAG_FRAME,
                                  LXB_TAG_HR,     LXB_TAG_IMAGE, LXB_TAG_IMG,      LXB_TAG_INPUT,
                                  LXB_TAG_KEYGEN, LXB_TAG_LINK,  LXB_TAG_META,     LXB_TAG_PARAM,
                                  LXB_TAG_SOURCE, LXB_TAG_TRACK, LXB_TAG_WBR};

constexpr lxb_tag_id_t kRaw[] = {
    LXB_TAG_IFRAME, LXB_TAG_NOEMBED, LXB_TAG_NOFRAMES, LXB_TAG_NOSCRIPT, LXB_TAG_PLAINTEXT,
    LXB_TAG_SCRIPT, LXB_TAG_STYLE,   LXB_TAG_TEXTAREA, LXB_TAG_TITLE,    LXB_TAG_XMP};

// Elements whose content is not displayed (15.3.1, Hidden elements), except the title, and elements
// whose content is a substitute for something that is displayed.
constexpr lxb_tag_id_t kUnseen[] = {LXB_TAG_AUDIO,    LXB_TAG_CANVAS,   LXB_TAG_DATALIST,
                                    LXB_TAG_IFRAME,   LXB_TAG_NOEMBED,  LXB_TAG_NOFRAMES,
                                    LXB_TAG_NOSCRIPT, LXB_TAG_RP,       LXB_TAG_SCRIPT,
                                    LXB_TAG_STYLE,    LXB_TAG_TEMPLATE, LXB_TAG_VIDEO};

constexpr lxb_tag_id_t kCode[] = {LXB_TAG_SCRIPT, LXB_TAG_STYLE};

constexpr Traits MakeTraits() {
  Traits traits = {};
  for (const auto tag : kInline) traits[tag] |= kInlineElement;
  for (const auto tag : kFormatting) traits[tag] |= kFormattingElement;
  for (const auto tag : kVoid) traits[tag] |= kVoidElement;
  for (const auto tag : kRaw) traits[tag] |= kRawElement;
  for (const auto tag : kUnseen) traits[tag] |= kUnseenElement;
  for (const auto tag : kCode) traits[tag] |= kCodeElement;
  return traits;
}

constexpr Traits kTraits = MakeTraits();

}  // namespace

uint8_t TraitsOfTag(lxb_tag_id_t tag) {
  if (tag < kTraits.size()) return kTraits[tag];
  return kInlineElement;
}

}  // namespace lookalike
