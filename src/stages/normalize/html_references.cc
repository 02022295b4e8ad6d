#include <lexbor/html/tokenizer.h>
#include <lexbor/tag/tag.h>

#include <algorithm>
#include <memory>
#include <new>

#include "stages/normalize/html_writer.h"

namespace lookalike {
namespace {

bool IsReferenceChar(char c) {
  return c == '#' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns the characters at the front of `source` that may belong to a reference, including its
// '&'.
std::string_view ReferenceAt(std::string_view source) {
  size_t end = 1;
  while (end < source.size() && IsReferenceChar(source[end])) ++end;
  if (end < source.size() && source[end] == ';') ++end;
  return source.substr(0, end);
}

// Decodes a reference on its own with lexbor's tokenizer.
std::string DecodeReference(std::string_view reference) {
  struct Destroy {
    void operator()(lxb_html_tokenizer_t* tokenizer) const {
      lxb_html_tokenizer_destroy(tokenizer);
    }
  };
  std::unique_ptr<lxb_html_tokenizer_t, Destroy> tokenizer(lxb_html_tokenizer_create());
  if (!tokenizer || lxb_html_tokenizer_init(tokenizer.get()) != LXB_STATUS_OK) {
    throw std::bad_alloc();
  }
  std::string decoded;
  const auto append = [](lxb_html_tokenizer_t*, lxb_html_token_t* token, void* text) {
    if (token->tag_id == LXB_TAG__TEXT) {
      static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(token->text_start),
                                              token->text_end - token->text_start);
    }
    return token;
  };
  lxb_html_tokenizer_callback_token_done_set(tokenizer.get(), append, &decoded);
  if (lxb_html_tokenizer_begin(tokenizer.get()) != LXB_STATUS_OK ||
      lxb_html_tokenizer_chunk(tokenizer.get(),
                               reinterpret_cast<const lxb_char_t*>(reference.data()),
                               reference.size()) != LXB_STATUS_OK ||
      lxb_html_tokenizer_end(tokenizer.get()) != LXB_STATUS_OK) {
    throw std::bad_alloc();
  }
  return decoded;
}

const std::string& Decode(std::string_view reference, KnownReferences* known) {
  constexpr size_t kMost = 4096;
  if (known->size() > kMost) known->clear();
  const auto [place, fresh] = known->try_emplace(std::string(reference));
  if (fresh) place->second = DecodeReference(reference);
  return place->second;
}

// Raw text has no references: the text of scripts, of CDATA and of a few elements.
enum class References : uint8_t { kText, kAttribute, kNone };

// A walk through both texts at the same time.
class Alignment {
 public:
  Alignment(std::string_view decoded, const HtmlWriter::Place& source, KnownReferences* known,
            std::vector<uint32_t>* begins, std::vector<uint32_t>* ends)
      : decoded_(decoded), source_(source), known_(*known), begins_(*begins), ends_(*ends) {
    begins_.clear();
    ends_.clear();
  }

  // Returns false if the two texts do not match.
  bool Run(References references) {
    const bool raw = references == References::kNone;
    while (from_ < source_.bytes.size()) {
      const char c = source_.bytes[from_];
      const bool fine = c == '&' && !raw   ? TakeReference(references == References::kAttribute)
                        : c == '<' && !raw ? TakeTagOfNoName() || TakeSame(1)
                        : c == '\r'        ? TakeLineEnd()
                        : c == '\0'        ? TakeNul()
                                           : TakeSame(1);
      if (!fine) return false;
    }
    return begins_.size() == decoded_.size();
  }

 private:
  [[nodiscard]] std::string_view Decoded() const { return decoded_.substr(begins_.size()); }

  // Maps the next `count` decoded bytes to the next `length` bytes of the source.
  bool Take(size_t count, size_t length) {
    if (count > Decoded().size()) return false;
    const auto begin = static_cast<uint32_t>(source_.begin + from_);
    begins_.insert(begins_.end(), count, begin);
    ends_.insert(ends_.end(), count, static_cast<uint32_t>(begin + length));
    from_ += length;
    return true;
  }

  bool TakeSame(size_t count) {
    if (!Decoded().starts_with(source_.bytes.substr(from_, count))) return false;
    for (size_t i = 0; i < count; ++i) Take(1, 1);
    return true;
  }

  // Skips `</>`, which decodes to nothing and does not end text.
  bool TakeTagOfNoName() {
    constexpr std::string_view kTag = "</>";
    return source_.bytes.substr(from_).starts_with(kTag) && !Decoded().starts_with(kTag) &&
           Take(0, kTag.size());
  }

  bool TakeLineEnd() {
    if (!Decoded().starts_with('\n')) return false;
    return Take(1, source_.bytes.substr(from_).starts_with("\r\n") ? 2 : 1);
  }

  // Takes a NUL, which is kept in text and becomes U+FFFD in attributes.
  bool TakeNul() {
    return Decoded().starts_with('\0') ? Take(1, 1)
                                       : Decoded().starts_with("\xEF\xBF\xBD") && Take(3, 1);
  }

  // Takes a reference; in attributes some references stay undecoded.
  bool TakeReference(bool in_attribute) {
    const std::string_view reference = ReferenceAt(source_.bytes.substr(from_));
    const std::string& text = Decode(reference, &known_);
    if (in_attribute && text != reference && Decoded().starts_with(reference)) {
      return TakeSame(reference.size());
    }
    if (!Decoded().starts_with(text)) return false;
    // Any text after the reference is in both, but a reference never decodes to nothing.
    size_t tail = 0;
    while (tail + 1 < std::min(text.size(), reference.size()) &&
           text[text.size() - 1 - tail] == reference[reference.size() - 1 - tail]) {
      ++tail;
    }
    if (text == reference) tail = text.size() - 1;
    return Take(text.size() - tail, reference.size() - tail) && (tail == 0 || TakeSame(tail));
  }

  std::string_view decoded_;
  const HtmlWriter::Place& source_;
  KnownReferences& known_;
  std::vector<uint32_t>& begins_;
  std::vector<uint32_t>& ends_;
  size_t from_ = 0;
};

}  // namespace

void AlignReferences(std::string_view decoded, const HtmlWriter::Place& source, bool in_attribute,
                     KnownReferences* known, std::vector<uint32_t>* begins,
                     std::vector<uint32_t>* ends) {
  const References expected = in_attribute ? References::kAttribute : References::kText;
  for (const References references : {expected, References::kNone}) {
    if (Alignment(decoded, source, known, begins, ends).Run(references)) return;
  }
  begins->assign(decoded.size(), source.begin);
  ends->assign(decoded.size(), static_cast<uint32_t>(source.begin + source.bytes.size()));
}

}  // namespace lookalike
