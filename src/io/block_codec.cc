#include "io/block_codec.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <new>

#include "io/arrow_compression.h"
#include "io/crc32.h"

namespace lookalike {
namespace {

const uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

uint8_t* Room(const CodecBlock& block) { return reinterpret_cast<uint8_t*>(block.room.get()); }

// Makes room for the longest possible compressed block.
void MakeRoom(arrow::util::Codec* codec, CodecBlock* block) {
  constexpr size_t kMarker = 64;  // for a flush, beyond the codec's own estimate
  const auto longest = static_cast<size_t>(codec->MaxCompressedLen(
                           static_cast<int64_t>(block->plain.size()), Bytes(block->plain))) +
                       kMarker;
  if (block->capacity >= longest) return;
  block->capacity = 0;
  block->room = std::make_unique_for_overwrite<char[]>(longest);
  block->capacity = longest;
}

// Runs code of the codec, which may run out of memory.
template <class Operation>
Status Guard(const std::string& path, Operation operation) {
  try {
    const arrow::Status status = operation();
    return status.ok() ? Status() : FailCompression(path);
  } catch (const std::bad_alloc&) {
    return FailCompression(path);
  }
}

// One member of deflate blocks, each part ended at a byte, as written by `pigz -i`. Many programs
// stop reading after the first member of a file.
class GzipParts final : public BlockCodec {
 public:
  // The first 32 KiB of a block are compressed without the text before them, which costs .2 %.
  [[nodiscard]] size_t block_bytes() const override { return size_t{1} << 20; }

  Status Compress(CodecBlock* block, const std::string& path) const override {
    return Guard(path, [block] { return Deflate(block); });
  }

  // The header has no name, time or flags, and says that it was written on Unix.
  [[nodiscard]] std::string Front() const override { return {"\x1F\x8B\x08\0\0\0\0\0\0\x03", 10}; }

  void Count(const CodecBlock& block) override {
    crc_ = JoinCrc32(crc_, block.crc, block.plain.size());
    bytes_ += block.plain.size();
  }

  // An empty last block is followed by the checksum and the size.
  [[nodiscard]] std::string Back() const override {
    std::string back("\x03\0", 2);
    for (const uint32_t value : {crc_, static_cast<uint32_t>(bytes_)}) {
      for (int shift = 0; shift < 32; shift += 8) back += static_cast<char>(value >> shift & 0xFF);
    }
    return back;
  }

 private:
  static arrow::Status Deflate(CodecBlock* block) {
    arrow::util::GZipCodecOptions options;
    options.gzip_format = arrow::util::GZipFormat::DEFLATE;
    options.compression_level = UsualLevel(Codec::kGzip);
    ARROW_ASSIGN_OR_RAISE(const auto codec,
                          arrow::util::Codec::Create(arrow::Compression::GZIP, options));
    ARROW_ASSIGN_OR_RAISE(const auto compressor, codec->MakeCompressor());
    MakeRoom(codec.get(), block);
    const auto plain = static_cast<int64_t>(block->plain.size());
    const auto capacity = static_cast<int64_t>(block->capacity);
    ARROW_ASSIGN_OR_RAISE(const auto step,
                          compressor->Compress(plain, Bytes(block->plain), capacity, Room(*block)));
    ARROW_ASSIGN_OR_RAISE(const auto flush, compressor->Flush(capacity - step.bytes_written,
                                                              Room(*block) + step.bytes_written));
    if (step.bytes_read < plain || flush.should_retry) {
      return arrow::Status::CapacityError("a block is longer than the format allows");
    }
    block->size = static_cast<size_t>(step.bytes_written + flush.bytes_written);
    block->crc = Crc32(block->plain);
    return arrow::Status::OK();
  }

  uint32_t crc_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<BlockCodec> MakeBlockCodec(Codec codec) {
  if (codec == Codec::kGzip) return std::make_unique<GzipParts>();
  return nullptr;
}

int UsualLevel(Codec codec) {
  switch (codec) {
    case Codec::kGzip:
      return 6;
    case Codec::kZstd:
      return 3;
    case Codec::kBzip2:
      return 9;
    case Codec::kLz4:
      return 1;
    case Codec::kNone:
      break;
  }
  return 0;
}

}  // namespace lookalike
