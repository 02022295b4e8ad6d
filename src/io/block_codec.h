// Compression of a file in blocks that do not depend on one another.
#ifndef LOOKALIKE_IO_BLOCK_CODEC_H_
#define LOOKALIKE_IO_BLOCK_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "flow/input_file.h"
#include "lookalike/status.h"

namespace lookalike {

/// Plain bytes and what they are compressed to. Memory is used again by the next block.
struct CodecBlock {
  std::string plain;
  std::unique_ptr<char[]> room;  ///< The compressed bytes are at its front.
  size_t capacity = 0;           ///< Of `room`; only what is written to takes memory.
  size_t size = 0;               ///< Of the compressed bytes.
  uint32_t crc = 0;              ///< Of the plain bytes, in gzip.

  [[nodiscard]] std::string_view compressed() const { return {room.get(), size}; }
};

/// The front of a file, its compressed blocks and its end make it up, one behind the other.
class BlockCodec {
 public:
  virtual ~BlockCodec() = default;

  /// Plain bytes of every block but the last.
  [[nodiscard]] virtual size_t block_bytes() const = 0;

  /// Fills in all but `plain`. Thread-safe. `path` is for errors.
  virtual Status Compress(CodecBlock* block, const std::string& path) const = 0;

  /// What stands before the first block.
  [[nodiscard]] virtual std::string Front() const { return {}; }

  /// Goes on to the next block, in their order.
  virtual void Count(const CodecBlock& /*block*/) {}

  /// What stands behind the last block that was counted.
  [[nodiscard]] virtual std::string Back() const { return {}; }
};

/// The codec that writes `codec` in blocks; null where it cannot be done within one member or
/// frame: many programs stop reading behind the first.
std::unique_ptr<BlockCodec> MakeBlockCodec(Codec codec);

/// The level that the codec's own command line tool has when none is asked for, so that output is
/// about as large as input that was made with it.
int UsualLevel(Codec codec);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_BLOCK_CODEC_H_
