#include "stages/input/content_kind.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>

#include "text/utf8.h"

namespace lookalike {
namespace {

using namespace std::string_view_literals;

/// A kind of file, recognized by these bytes at `offset`.
struct Magic {
  size_t offset;
  std::string_view bytes, what;
  std::string_view tool;  ///< Advice to make it readable, before the path; empty: none.
};

constexpr std::array<Magic, 21> kMagics = {{
    {0,
     "\xFD"
     "7zXZ\0"sv,
     "xz data", "decompress it first: xz -dk"},
    {257, "ustar\0"sv, "a tar archive", "unpack it and name the folder: tar -xf"},
    {257, "ustar  \0"sv, "a tar archive", "unpack it and name the folder: tar -xf"},
    {0, "PK\x03\x04"sv, "a zip archive", "unpack it and name the folder: unzip"},
    {0, "PK\x05\x06"sv, "a zip archive", "unpack it and name the folder: unzip"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive", "unpack it and name the folder: 7z x"},
    {0, "Rar!\x1A\x07"sv, "a RAR archive", "unpack it and name the folder: unrar x"},
    {0, "LZIP\x01"sv, "lzip data", "decompress it first: lzip -dk"},
    {0, "\x1F\x9D"sv, "compress (.Z) data", "decompress it first: gzip -dk"},
    {0, "\x5D\0\0\x80\0"sv, "LZMA data", "decompress it first: xz -dk"},
    {0, "\x89PNG\r\n\x1A\n"sv, "a PNG image", ""},
    {0, "\xFF\xD8\xFF"sv, "a JPEG image", ""},
    {0, "GIF87a"sv, "a GIF image", ""},
    {0, "GIF89a"sv, "a GIF image", ""},
    {0, "%PDF-"sv, "a PDF document", "extract its text first: pdftotext"},
    {0,
     "\x7F"
     "ELF"sv,
     "an ELF program or library", ""},
    {0, "\xCA\xFE\xBA\xBE"sv, "a compiled program", ""},
    {0, "\0asm"sv, "a WebAssembly module", ""},
    {0, "SQLite format 3\0"sv, "an SQLite database", ""},
    {0, "\x93NUMPY"sv, "a NumPy array", ""},
    {0, "Obj\x01"sv, "an Avro file", "convert it to Parquet or JSON Lines:"},
}};

constexpr std::string_view kLeaveOut = "leave it out ($<exclude>), or pass $<skip-bad-inputs>";

/// Counts of bytes that are rare in text.
struct OddBytes {
  size_t nul = 0, control = 0, not_utf8 = 0;
};

OddBytes CountOddBytes(std::string_view front) {
  OddBytes odd;
  while (!front.empty()) {
    const auto byte = static_cast<unsigned char>(front.front());
    const size_t length = ReadCodePoint(front).length;
    // The last character may be cut off.
    if (length == 0 && front.size() >= 4) ++odd.not_utf8;
    odd.nul += byte == 0;
    odd.control += byte > 0 && byte < ' ' &&
                   "\t\n\v\f\r\b\x1A\x1B"sv.find(front.front()) == std::string_view::npos;
    front.remove_prefix(length == 0 ? 1 : length);
  }
  return odd;
}

std::string WhyNotPlainText(std::string_view front) {
  if (front.starts_with("\xFF\xFE") || front.starts_with("\xFE\xFF")) return {};  // UTF-16
  const OddBytes odd = CountOddBytes(front);
  // A stray NUL does not make a text binary, however short it is, and an old encoding of a Latin
  // script leaves most bytes ASCII.
  const size_t all = odd.nul + odd.control + odd.not_utf8;
  if (odd.nul > 0 && all >= 4 && all * 10 > front.size()) {
    return fmt::format("is binary data, expected text; {}", kLeaveOut);
  }
  if (all * 10 <= front.size() * 3) return {};
  return fmt::format(
      "is not UTF-8 text ({} of its first {} bytes are not), expected UTF-8; convert it: iconv -f "
      "ENCODING -t UTF-8; or {}",
      all, front.size(), kLeaveOut);
}

}  // namespace

std::string WhyNoText(std::string_view front, Format format, std::string_view path) {
  for (const Magic& magic : kMagics) {
    if (front.size() < magic.offset || !front.substr(magic.offset).starts_with(magic.bytes)) {
      continue;
    }
    if (magic.tool.empty()) {
      return fmt::format("is {}, expected text; {}", magic.what, kLeaveOut);
    }
    return fmt::format("is {}, which is not supported; {} {}; or {}", magic.what, magic.tool, path,
                       kLeaveOut);
  }
  return format == Format::kText ? WhyNotPlainText(front) : std::string();
}

}  // namespace lookalike
