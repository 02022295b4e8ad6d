#include "stages/normalize/html_text.h"

#include <lexbor/html/parser.h>
#include <lexbor/html/token.h>
#include <lexbor/html/token_attr.h>
#include <lexbor/html/tree/open_elements.h>
#include <lexbor/tag/tag.h>

#include <algorithm>
#include <new>
#include <utility>

#include "stages/normalize/html_tags.h"
#include "stages/normalize/html_writer.h"

namespace lookalike {
namespace {

// Bytes between two checks of the parser's memory.
constexpr size_t kChunk = size_t{1} << 16;

// Limit on the names of elements or attributes in a part that the standard does not have, so that
// the tables of names do not grow.
constexpr size_t kMostNames = size_t{1} << 12;

// Approximate limits on the names and attributes of one tag: beyond them the tag ends there, and
// the rest is read as a new page.
constexpr size_t kMostNamesOfTag = size_t{1} << 15, kMostAttributes = size_t{1} << 16;

std::string_view BytesOf(const lxb_char_t* begin, const lxb_char_t* end) {
  return {reinterpret_cast<const char*>(begin), static_cast<size_t>(end - begin)};
}

bool IsName(const lxb_html_token_attr_t& attribute, std::string_view name) {
  const std::string_view bytes = BytesOf(attribute.name_begin, attribute.name_end);
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::equal(bytes.begin(), bytes.end(), name.begin(), name.end(), same);
}

// Returns the first attribute of this name, as duplicates do not count.
const lxb_html_token_attr_t* FindAttribute(const lxb_html_token_t& token, std::string_view name) {
  const lxb_html_token_attr_t* attribute = token.attr_first;
  while (attribute != nullptr && !IsName(*attribute, name)) attribute = attribute->next;
  return attribute;
}

bool IsTablePart(const lxb_dom_node_t& node) {
  return node.ns == LXB_NS_HTML &&
         (node.local_name == LXB_TAG_TABLE || node.local_name == LXB_TAG_TBODY ||
          node.local_name == LXB_TAG_THEAD || node.local_name == LXB_TAG_TFOOT ||
          node.local_name == LXB_TAG_TR);
}

struct DestroyParser {
  void operator()(lxb_html_parser_t* parser) const { lxb_html_parser_destroy(parser); }
};
struct DestroyDocument {
  void operator()(lxb_html_document_t* document) const { lxb_html_document_destroy(document); }
};

}  // namespace

/// Reads the tokens that lexbor makes. Its tree builder gets only what decides where elements end:
/// no text and no attributes. This takes less memory, and keeps the time linear in the size of the
/// page:
/// - It does not get formatting elements, because it would reopen all of them in every block.
/// - It does not get elements nested deeper than kMostOpenElements, because most tags make it
///   search the open elements.
class HtmlText::Parser {
 public:
  explicit Parser(HtmlMode mode) : altavista_(mode == HtmlMode::kAltaVista) {
    parser_.reset(lxb_html_parser_create());
    if (!parser_ || lxb_html_parser_init(parser_.get()) != LXB_STATUS_OK) throw std::bad_alloc();
    // With scripting on, fallback content for scripts is not shown.
    lxb_html_parser_scripting_set(parser_.get(), !altavista_);
  }

  std::string_view Run(std::string_view page, std::vector<HtmlPiece>* pieces) {
    writer_.Begin(pieces);
    page_ = page;
    for (size_t begin = 0; begin < page.size();) begin = RunPart(begin);
    return writer_.text();
  }

 private:
  // Parses from `begin` on as a new page. Returns the position where it stopped.
  size_t RunPart(size_t begin) {
    BeginPart();
    const std::unique_ptr<lxb_html_document_t, DestroyDocument> document(
        lxb_html_parse_chunk_begin(parser_.get()));
    if (!document) throw std::bad_alloc();
    lxb_html_tokenizer_callback_token_done_set(parser_->tkz, OnToken, this);
    size_t end = begin;
    while (end < page_.size() && !stopped_) {
      const size_t size = std::min(kChunk, page_.size() - end);
      const auto* data = reinterpret_cast<const lxb_char_t*>(page_.data() + end);
      Check(lxb_html_parse_chunk_process(parser_.get(), data, size));
      end += size;
      lexbor_array_obj_clean(parser_->tkz->parse_errors);
      if (!stopped_ && HasHugeTag()) return end;
    }
    if (!stopped_) Check(lxb_html_parse_chunk_end(parser_.get()));
    return stopped_ ? stopped_at_ : end;
  }

  [[nodiscard]] bool HasHugeTag() const {
    return lexbor_dobject_allocated(parser_->tkz->dobj_token_attr) > kMostAttributes ||
           CountNames() > kMostNamesOfTag;
  }

  [[nodiscard]] size_t CountNames() const {
    const auto count = [](const lexbor_hash_t* names) {
      return lexbor_dobject_allocated(names->entries);
    };
    return count(parser_->tkz->tags) + count(parser_->tkz->attrs);
  }

  void BeginPart() {
    stopped_ = false;
    tags_ = 0;
    unseen_ = 0;
    skipped_ = 0;
    hidden_formatting_ = LXB_TAG__UNDEF;
    hidden_depth_ = 0;
  }

  void Check(lxb_status_t status) const {
    if (status != LXB_STATUS_OK && !stopped_) throw std::bad_alloc();
  }

  static lxb_html_token_t* OnToken(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token,
                                   void* self) {
    return static_cast<Parser*>(self)->Take(tokenizer, token);
  }

  lxb_html_token_t* Take(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    switch (token->tag_id) {
      case LXB_TAG__EM_COMMENT:
      case LXB_TAG__PROCESSINGINSTRUCTION:
        return token;
      case LXB_TAG__TEXT:
        TakeText(token);
        break;
      case LXB_TAG__EM_DOCTYPE:
      case LXB_TAG__END_OF_FILE:
        Pass(token);
        break;
      default:
        if (++tags_ > kMostTagsOfPart || (tags_ > 1 && CountNames() > kMostNames)) {
          stopped_ = true;
          // A token begins at its name.
          stopped_at_ = page_.rfind('<', PlaceOf(token->begin, token->end).begin);
          tokenizer->status = LXB_STATUS_STOP;
          return nullptr;
        }
        TakeTag(tokenizer, token);
    }
    if (tree()->status == LXB_STATUS_OK) return token;
    tokenizer->status = tree()->status;
    return nullptr;
  }

  [[nodiscard]] lxb_html_tree_t* tree() const { return parser_->tree; }

  // Passes a token to the tree builder.
  void Pass(lxb_html_token_t* token) const {
    while (!lxb_html_tree_construction_dispatcher(tree(), token)) {
    }
    lexbor_array_obj_clean(tree()->parse_errors);
  }

  // Only the presence of text matters to the tree, not its content.
  void TakeText(lxb_html_token_t* token) {
    const std::string_view text = BytesOf(token->text_start, token->text_end);
    const bool blank = text.find_first_not_of(std::string_view(" \t\n\f\r\0", 6)) == text.npos;
    if (!blank) {
      static const lxb_char_t kText[] = "x";
      lxb_html_token_t mark = *token;
      mark.text_start = kText;
      mark.text_end = kText + 1;
      mark.null_count = 0;
      Pass(&mark);
    }
    if (IsUnseen()) return;
    writer_.AddText(text, PlaceOf(token->begin, token->end), false);
  }

  void TakeTag(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    const bool closes = (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;
    const lxb_tag_id_t tag = token->tag_id;
    const bool hidden = !altavista_ && FindAttribute(*token, "hidden") != nullptr;
    if (EndsLine(tag)) writer_.EndLine();
    if (!closes && !hidden) TakeAttributes(*token);
    DropAttributes(tokenizer, token);
    if (HasTrait(tag, kFormattingElement)) return TakeFormatting(token, hidden);
    if (IsTooDeep(tag, closes)) return;
    PassElement(token, closes, hidden);
  }

  // Elements that are not shown end a line only if their text is taken.
  [[nodiscard]] bool EndsLine(lxb_tag_id_t tag) const {
    return !HasTrait(tag, kInlineElement) || (altavista_ && HasTrait(tag, kUnseenElement));
  }

  // Opens or closes an element, and remembers whether its content is seen.
  void PassElement(lxb_html_token_t* token, bool closes, bool hidden) {
    const lxb_tag_id_t tag = token->tag_id;
    const lxb_dom_node_t* const before = lxb_html_tree_current_node(tree());
    Pass(token);
    if (closes) return;
    lxb_dom_node_t* const now = lxb_html_tree_current_node(tree());
    const HtmlTrait unseen = altavista_ ? kCodeElement : kUnseenElement;
    if (now == before || now == nullptr || now->local_name != tag) return;
    const bool is_svg_text =
        now->ns != LXB_NS_HTML && (tag == LXB_TAG_TITLE || tag == LXB_TAG_DESC);
    if (!hidden && !HasTrait(tag, unseen) && (altavista_ || !is_svg_text)) return;
    now->user = this;
    ++unseen_;
  }

  // Passes a hidden formatting element to the tree as an ordinary element; only one at a time, as
  // nothing in it can be seen. All others are left out.
  void TakeFormatting(lxb_html_token_t* token, bool hidden) {
    const bool closes = (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;
    const bool same = token->tag_id == hidden_formatting_;
    if (hidden && !closes && !IsUnseen() && !IsTooDeep(token->tag_id, false)) {
      hidden_formatting_ = token->tag_id;
      hidden_depth_ = 0;
      token->tag_id = LXB_TAG_BDI;
      PassElement(token, false, true);
    } else if (same && !closes) {
      ++hidden_depth_;
    } else if (same && hidden_depth_ > 0) {
      --hidden_depth_;
    } else if (same) {
      hidden_formatting_ = LXB_TAG__UNDEF;
      token->tag_id = LXB_TAG_BDI;
      PassElement(token, true, false);
    }
  }

  // True if an element is left out because it is nested too deep. Elements that switch the
  // tokenizer's state are never left out and add no level.
  bool IsTooDeep(lxb_tag_id_t tag, bool closes) {
    if (HasTrait(tag, kVoidElement) || IsRaw(tag)) return false;
    if (closes) return skipped_ > 0 && skipped_-- > 0;
    if (lexbor_array_length(tree()->open_elements) < kMostOpenElements) return false;
    ++skipped_;
    return true;
  }

  // True if the content of an element is not parsed, which never holds within SVG and MathML.
  [[nodiscard]] bool IsRaw(lxb_tag_id_t tag) const {
    if (!HasTrait(tag, kRawElement) || (altavista_ && tag == LXB_TAG_NOSCRIPT)) return false;
    const lxb_dom_node_t* const node = lxb_html_tree_current_node(tree());
    return node == nullptr || node->ns == LXB_NS_HTML;
  }

  void TakeAttributes(const lxb_html_token_t& token) {
    const bool image = token.tag_id == LXB_TAG_IMG || token.tag_id == LXB_TAG_IMAGE;
    if (token.attr_first == nullptr || (!altavista_ && !image) || IsUnseen()) return;
    if (!altavista_) {
      if (const auto* alt = FindAttribute(token, "alt")) {
        writer_.AddText(ValueOf(*alt), PlaceOf(alt->value_begin, alt->value_end), true);
        writer_.EndLine();
      }
      return;
    }
    const auto* const href = FindAttribute(token, "href");
    const auto* const source = image ? FindAttribute(token, "src") : nullptr;
    for (const auto* attribute = token.attr_first; attribute; attribute = attribute->next) {
      if (attribute == href || attribute == source) AddUrl(*attribute);
    }
  }

  void AddUrl(const lxb_html_token_attr_t& attribute) {
    writer_.AddUrl(ValueOf(attribute), PlaceOf(attribute.value_begin, attribute.value_end));
  }

  static std::string_view ValueOf(const lxb_html_token_attr_t& attribute) {
    if (attribute.value == nullptr) return {};
    return BytesOf(attribute.value, attribute.value + attribute.value_size);
  }

  static void DropAttributes(lxb_html_tokenizer_t* tokenizer, lxb_html_token_t* token) {
    while (token->attr_last != nullptr) {
      lxb_html_token_attr_t* const attribute = token->attr_last;
      if (attribute->value != nullptr) {
        lexbor_mraw_free(lxb_html_tokenizer_attrs_mraw(tokenizer), attribute->value);
      }
      lxb_html_token_attr_delete(token, attribute, tokenizer->dobj_token_attr);
    }
  }

  // Returns the place in the page, into which all pointers point, except the end of an unterminated
  // token.
  [[nodiscard]] HtmlWriter::Place PlaceOf(const lxb_char_t* begin, const lxb_char_t* end) const {
    const auto* const first = reinterpret_cast<const lxb_char_t*>(page_.data());
    const lxb_char_t* const last = first + page_.size();
    if (begin == nullptr || begin < first || begin > last) begin = last;
    if (end == nullptr || end < begin || end > last) end = last;
    return {BytesOf(begin, end), static_cast<uint32_t>(begin - first)};
  }

  // True if nothing at the current position is displayed. Text in a table but outside its cells is
  // displayed before the table.
  [[nodiscard]] bool IsUnseen() const {
    if (unseen_ == 0) return false;
    size_t count = lexbor_array_length(tree()->open_elements);
    if (count > 0 && IsTablePart(*Open(count - 1))) {
      while (count > 0 && Open(count - 1)->local_name != LXB_TAG_TABLE) --count;
      if (count > 0) --count;
    }
    for (; count > 0; --count) {
      if (Open(count - 1)->user != nullptr) return true;
    }
    return false;
  }

  [[nodiscard]] const lxb_dom_node_t* Open(size_t index) const {
    return lxb_html_tree_open_elements_get(tree(), index);
  }

  bool altavista_;
  std::unique_ptr<lxb_html_parser_t, DestroyParser> parser_;
  std::string_view page_;
  HtmlWriter writer_;
  size_t tags_ = 0;     // in this part
  size_t unseen_ = 0;   // elements of this part whose content is not seen
  size_t skipped_ = 0;  // open elements left out because they are too deep
  lxb_tag_id_t hidden_formatting_ = LXB_TAG__UNDEF;
  size_t hidden_depth_ = 0;  // open elements of the same name within it
  bool stopped_ = false;
  size_t stopped_at_ = 0;
};

HtmlText::HtmlText(HtmlMode mode) : parser_(std::make_unique<Parser>(mode)) {}
HtmlText::~HtmlText() = default;
HtmlText::HtmlText(HtmlText&&) noexcept = default;
HtmlText& HtmlText::operator=(HtmlText&&) noexcept = default;

std::string_view HtmlText::Run(std::string_view page, std::vector<HtmlPiece>* pieces) {
  return parser_->Run(page, pieces);
}

}  // namespace lookalike
