#include "io/content_coding.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <cctype>
#include <cstddef>
#include <memory>
#include <vector>

namespace lookalike {
namespace {

enum class Coding { kUnknown, kGzip, kDeflate, kBrotli, kZstd };

Coding CodingOf(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == "gzip" || lower == "x-gzip") return Coding::kGzip;
  if (lower == "deflate") return Coding::kDeflate;
  if (lower == "br") return Coding::kBrotli;
  return lower == "zstd" ? Coding::kZstd : Coding::kUnknown;
}

constexpr std::string_view kGzipMagic = "\x1F\x8B";

bool HasZlibFrame(std::string_view content) {
  if (content.size() < 2) return false;
  const auto first = static_cast<unsigned char>(content[0]);
  const auto second = static_cast<unsigned char>(content[1]);
  return (first & 0x0F) == 8 && (first * 256 + second) % 31 == 0;
}

// True if the first bytes of the content show that it is not coded. For br and bare deflate no
// bytes do.
bool IsPlain(std::string_view content, Coding coding) {
  if (coding == Coding::kGzip) return !content.starts_with(kGzipMagic);
  if (coding == Coding::kZstd) return !content.starts_with("\x28\xB5\x2F\xFD");
  return content.empty();
}

arrow::Result<std::unique_ptr<arrow::util::Codec>> MakeCodec(std::string_view content,
                                                             Coding coding) {
  using Type = arrow::Compression;
  if (coding == Coding::kBrotli) return arrow::util::Codec::Create(Type::BROTLI);
  if (coding == Coding::kZstd) return arrow::util::Codec::Create(Type::ZSTD);
  arrow::util::GZipCodecOptions options;
  options.gzip_format = arrow::util::GZipFormat::GZIP;
  if (coding == Coding::kDeflate) {
    options.gzip_format =
        HasZlibFrame(content) ? arrow::util::GZipFormat::ZLIB : arrow::util::GZipFormat::DEFLATE;
  }
  return arrow::util::Codec::Create(Type::GZIP, options);
}

// Appends the decoded content, a piece at a time. Gzip may have several members (RFC 1952, 2.2).
arrow::Status Decompress(std::string_view content, Coding coding, uint64_t limit,
                         std::string* plain) {
  ARROW_ASSIGN_OR_RAISE(const auto codec, MakeCodec(content, coding));
  ARROW_ASSIGN_OR_RAISE(const auto decompressor, codec->MakeDecompressor());
  std::vector<uint8_t> piece(size_t{64} << 10);
  while (plain->size() <= limit) {
    ARROW_ASSIGN_OR_RAISE(const auto step, decompressor->Decompress(
                                               static_cast<int64_t>(content.size()),
                                               reinterpret_cast<const uint8_t*>(content.data()),
                                               static_cast<int64_t>(piece.size()), piece.data()));
    content.remove_prefix(static_cast<size_t>(step.bytes_read));
    plain->append(reinterpret_cast<const char*>(piece.data()),
                  static_cast<size_t>(step.bytes_written));
    if (decompressor->IsFinished()) {
      if (coding != Coding::kGzip || !content.starts_with(kGzipMagic)) break;
      ARROW_RETURN_NOT_OK(decompressor->Reset());
    } else if (step.bytes_written == 0 && (content.empty() || step.bytes_read == 0)) {
      break;
    }
  }
  return {};
}

}  // namespace

bool IsContentCoding(std::string_view name) { return CodingOf(name) != Coding::kUnknown; }

Result<std::string> DecodeContent(std::string_view content, std::string_view name, uint64_t limit) {
  const Coding coding = CodingOf(name);
  if (IsPlain(content, coding)) return std::string(content);
  std::string plain;
  const arrow::Status status = Decompress(content, coding, limit, &plain);
  if (plain.size() > limit) {
    return InputError("its content decodes to more than " + std::to_string(limit) +
                      " bytes, the limit ($<max-record>, or what $<memory> has room for)");
  }
  if (status.ok()) return plain;
  const bool may_be_plain = coding == Coding::kBrotli || coding == Coding::kDeflate;
  if (may_be_plain && !HasZlibFrame(content)) return std::string(content);
  return InputError("its content does not match its Content-Encoding: " + std::string(name));
}

}  // namespace lookalike
