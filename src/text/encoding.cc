#include "text/encoding.h"

#include <lexbor/encoding/encoding.h>
#include <lexbor/html/encoding.h>

#include <algorithm>
#include <array>
#include <new>

#include "text/utf8.h"

namespace lookalike {
namespace {

// Bytes of a page that are searched for a declaration of its encoding.
constexpr size_t kPrescanned = 1024;

const lxb_char_t* Bytes(std::string_view text) {
  return reinterpret_cast<const lxb_char_t*>(text.data());
}

// "replacement" stands for encodings that were used for attacks, and decodes to no text.
bool IsUsed(const lxb_encoding_data_t* encoding) {
  return encoding != nullptr && encoding->encoding != LXB_ENCODING_REPLACEMENT;
}

const lxb_encoding_data_t* ByLabel(std::string_view label) {
  return label.empty() ? nullptr : lxb_encoding_data_by_pre_name(Bytes(label), label.size());
}

const lxb_encoding_data_t* ByMeta(std::string_view page) {
  const std::string_view front = page.substr(0, kPrescanned);
  lxb_html_encoding_t prescan;
  if (lxb_html_encoding_init(&prescan) != LXB_STATUS_OK) throw std::bad_alloc();
  size_t length = 0;
  const lxb_char_t* const name =
      lxb_html_encoding_prescan(&prescan, Bytes(front), Bytes(front) + front.size(), &length);
  const lxb_encoding_data_t* const found =
      name == nullptr ? nullptr : lxb_encoding_data_by_pre_name(name, length);
  lxb_html_encoding_destroy(&prescan, false);
  return found;
}

const lxb_encoding_data_t* Guess(std::string_view bytes, const EncodingHints& hints) {
  if (const auto* found = ByLabel(hints.label); IsUsed(found)) return found;
  if (hints.is_html) {
    if (const auto* found = ByMeta(bytes); IsUsed(found)) return found;
  }
  const bool valid = CountValidPrefix(bytes) == bytes.size();
  return lxb_encoding_data(valid ? LXB_ENCODING_UTF_8 : LXB_ENCODING_WINDOWS_1252);
}

void Append(lxb_codepoint_t c, std::string* text) {
  const auto tail = [&](int shift) { *text += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    *text += static_cast<char>(c);
  } else if (c < 0x800) {
    *text += static_cast<char>(0xC0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    *text += static_cast<char>(0xE0 | c >> 12);
    tail(6);
    tail(0);
  } else {
    *text += static_cast<char>(0xF0 | c >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

void Decode(std::string_view bytes, const lxb_encoding_data_t* encoding, std::string* text) {
  static constexpr lxb_codepoint_t kReplacement = LXB_ENCODING_REPLACEMENT_CODEPOINT;
  std::array<lxb_codepoint_t, 4096> buffer;
  lxb_encoding_decode_t decoder = {};
  lxb_encoding_decode_init(&decoder, encoding, buffer.data(), buffer.size());
  lxb_encoding_decode_replace_set(&decoder, &kReplacement, 1);
  text->clear();
  const lxb_char_t* at = Bytes(bytes);
  const lxb_char_t* const end = at + bytes.size();
  const auto flush = [&] {
    const size_t used = lxb_encoding_decode_buf_used(&decoder);
    for (size_t i = 0; i < used; ++i) Append(buffer[i], text);
    lxb_encoding_decode_buf_used_set(&decoder, 0);
  };
  lxb_status_t status = LXB_STATUS_OK;
  do {
    status = encoding->decode(&decoder, &at, end);
    flush();
  } while (status == LXB_STATUS_SMALL_BUFFER);
  lxb_encoding_decode_finish(&decoder);
  flush();
}

}  // namespace

std::string_view ToUtf8(std::string_view bytes, const EncodingHints& hints, std::string* storage) {
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF", kBigMark = "\xFE\xFF",
                             kLittleMark = "\xFF\xFE";
  if (bytes.starts_with(kUtf8Mark)) return bytes.substr(kUtf8Mark.size());
  const lxb_encoding_data_t* encoding = nullptr;
  if (bytes.starts_with(kBigMark) || bytes.starts_with(kLittleMark)) {
    const bool big = bytes.starts_with(kBigMark);
    encoding = lxb_encoding_data(big ? LXB_ENCODING_UTF_16BE : LXB_ENCODING_UTF_16LE);
    bytes.remove_prefix(kBigMark.size());
  } else {
    encoding = Guess(bytes, hints);
  }
  if (encoding->encoding == LXB_ENCODING_UTF_8) return bytes;
  Decode(bytes, encoding, storage);
  return *storage;
}

}  // namespace lookalike
