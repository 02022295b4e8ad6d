// Compression of a file in independent blocks.
#ifndef LOOKALIKE_IO_BLOCK_CODEC_H_
#define LOOKALIKE_IO_BLOCK_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// Plain bytes and their compressed form. The next block reuses the memory.
struct CodecBlock {
  std::string plain;
  std::unique_ptr<char[]> room;  ///< The compressed bytes are at its front.
  size_t capacity = 0;           ///< Size of `room`; only bytes that are written take memory.
  size_t size = 0;               ///< Number of compressed bytes.
  uint32_t crc = 0;              ///< CRC of the plain bytes, for gzip.

  [[nodiscard]] std::string_view compressed() const { return {room.get(), size}; }
};

/// A codec of files made up of a front, compressed blocks and an end, in this order.
class BlockCodec {
 public:
  virtual ~BlockCodec() = default;

  /// Returns the number of plain bytes of every block but the last.
  [[nodiscard]] virtual size_t block_bytes() const = 0;

  /// Fills in everything but `plain`. Thread-safe. `path` is for errors.
  virtual Status Compress(CodecBlock* block, const std::string& path) const = 0;

  /// Returns the bytes before the first block.
  [[nodiscard]] virtual std::string Front() const { return {}; }

  /// Counts the next block, in their order.
  virtual void Count(const CodecBlock& /*block*/) {}

  /// Returns the bytes after the last block that was counted.
  [[nodiscard]] virtual std::string Back() const { return {}; }
};

/// Returns the codec that writes `codec` in blocks; null if that cannot be done within one member
/// or frame: many programs stop reading after the first.
std::unique_ptr<BlockCodec> MakeBlockCodec(Codec codec);

/// Returns the level that the codec's own command line tool uses by default, so that output is
/// about as large as input that was made with it.
int UsualLevel(Codec codec);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_BLOCK_CODEC_H_
