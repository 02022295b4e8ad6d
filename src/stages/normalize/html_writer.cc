#include "stages/normalize/html_writer.h"

#include <algorithm>

namespace lookalike {
namespace {

// True for the white space of the HTML standard; nothing else is white space between words there.
bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r'; }

bool IsAsciiWordChar(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

void AppendUrlWord(std::string_view url, std::string* text) {
  constexpr char kHex[] = "0123456789abcdef";
  for (const char c : url) {
    if (IsAsciiWordChar(c)) {
      *text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      *text += '_';
      *text += kHex[byte >> 4];
      *text += kHex[byte & 15];
    }
  }
}

void HtmlWriter::Begin(std::vector<HtmlPiece>* pieces) {
  text_.clear();
  pieces_ = pieces;
  if (pieces_ != nullptr) pieces_->clear();
  gap_ = Gap::kNone;
}

void HtmlWriter::CloseGap() {
  if (gap_ != Gap::kNone && !text_.empty()) text_ += gap_ == Gap::kLine ? '\n' : ' ';
  gap_ = Gap::kNone;
}

// NUL is not a character of a page, and does not end a word.
void HtmlWriter::AddText(std::string_view decoded, const Place& source, bool in_attribute) {
  if (pieces_ != nullptr) {
    AlignReferences(decoded, source, in_attribute, &known_, &begins_, &ends_);
  }
  for (size_t at = 0; at < decoded.size();) {
    if (IsBlank(decoded[at])) {
      EndWord();
      ++at;
      continue;
    }
    size_t end = at;
    while (end < decoded.size() && decoded[end] != '\0' && !IsBlank(decoded[end])) ++end;
    if (end > at) AddWord(decoded, decoded.substr(at, end - at));
    at = end + (end < decoded.size() && decoded[end] == '\0');
  }
}

void HtmlWriter::AddWord(std::string_view decoded, std::string_view word) {
  CloseGap();
  const size_t text_begin = text_.size();
  text_ += word;
  if (pieces_ == nullptr) return;
  const auto first = static_cast<size_t>(word.data() - decoded.data());
  // Runs of bytes that are adjacent in the source form one piece.
  for (size_t at = 0, end; at < word.size(); at = end) {
    const uint32_t begin = begins_[first + at];
    uint32_t source_end = ends_[first + at];
    for (end = at + 1; end < word.size(); ++end) {
      const bool same = begins_[first + end] == begin && ends_[first + end] == source_end;
      const bool next = source_end - begin == end - at && begins_[first + end] == source_end &&
                        ends_[first + end] == source_end + 1;
      if (!same && !next) break;
      source_end = ends_[first + end];
    }
    AddPiece({static_cast<uint32_t>(text_begin + at), static_cast<uint32_t>(text_begin + end),
              begin, source_end});
  }
}

// Words from the same stretch of the source, if its inner positions are unknown, form one piece.
void HtmlWriter::AddPiece(const HtmlPiece& piece) {
  if (!pieces_->empty() && piece.source_begin < pieces_->back().source_end) {
    pieces_->back().text_end = piece.text_end;
  } else {
    pieces_->push_back(piece);
  }
}

void HtmlWriter::AddUrl(std::string_view url, const Place& source) {
  while (!url.empty() && IsBlank(url.front())) url.remove_prefix(1);
  while (!url.empty() && IsBlank(url.back())) url.remove_suffix(1);
  EndWord();
  if (url.empty()) return;
  CloseGap();
  const size_t text_begin = text_.size();
  AppendUrlWord(url, &text_);
  EndWord();
  if (pieces_ == nullptr) return;
  const auto end = static_cast<uint32_t>(source.begin + source.bytes.size());
  pieces_->push_back(
      {static_cast<uint32_t>(text_begin), static_cast<uint32_t>(text_.size()), source.begin, end});
}

}  // namespace lookalike
