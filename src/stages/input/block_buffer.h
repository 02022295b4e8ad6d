// Splits a stream into blocks that outlive the next read, for the readers of delimited records.
#ifndef LOOKALIKE_STAGES_INPUT_BLOCK_BUFFER_H_
#define LOOKALIKE_STAGES_INPUT_BLOCK_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/input_stream.h"
#include "lookalike/status.h"
#include "stages/input/block_pool.h"

namespace lookalike {

/// Memory for values that differ from their form in the input. Pieces never move.
class TextArena {
 public:
  /// `expected`: a good guess for the total number of bytes. Pieces come from the pool if there is
  /// one and they fit. REQUIRES: the pool outlives the last Reserve().
  explicit TextArena(size_t expected = size_t{64} << 10, BlockPool* pool = nullptr)
      : expected_(expected), pool_(pool) {}

  /// Returns room for `size` bytes and kReadablePadding more, valid until the next call here.
  char* Reserve(size_t size);

  /// Keeps the first `size` bytes of the last reserved room as long as the arena lives.
  std::string_view Keep(size_t size);

  /// Copies `text`; the result lives as long as the arena.
  std::string_view Copy(std::string_view text);

 private:
  size_t expected_;
  BlockPool* pool_;
  std::vector<std::shared_ptr<char[]>> pieces_;
  char* free_ = nullptr;
  size_t left_ = 0;
};

/// The memory that the views of one batch point into.
struct BatchStorage {
  std::shared_ptr<char[]> block;
  std::shared_ptr<const std::string> header;
  TextArena arena;
};

/// A window over the stream. Each block begins after the last consumed byte, and its bytes depend
/// only on that place: a reader that begins there sees the same blocks. Not thread-safe.
class BlockBuffer {
 public:
  /// `offset`: number of bytes before the stream's next byte. `blocks`: its memory,
  /// kReadablePadding bytes larger than a block.
  BlockBuffer(std::unique_ptr<InputStream> stream, uint64_t offset, BlockPool blocks)
      : stream_(std::move(stream)),
        block_bytes_(blocks.bytes() - kReadablePadding),
        pool_(std::move(blocks)),
        next_(offset) {}

  /// Begins a new block after the consumed bytes: of the usual size, or a smaller one that ends
  /// soon after the offset `until`.
  Status Start(uint64_t until = UINT64_MAX);

  /// Doubles the block's size, up to `most` bytes, but adds at least one byte; its bytes move.
  Status Extend(uint64_t most);

  /// Returns up to `count` bytes from the block's byte `from` on, fewer at the end of the input.
  /// These bytes may lie after the block; the block does not change, and all bytes up to them are
  /// then held in memory. Valid until the next call here. REQUIRES: bytes() are not empty, count >
  /// 0.
  Result<std::string_view> Peek(uint64_t from, size_t count);

  /// Returns the block's bytes; kReadablePadding bytes after them may be read.
  [[nodiscard]] std::string_view bytes() const { return {block_.get(), size_}; }

  /// Returns where the block begins.
  [[nodiscard]] uint64_t offset() const { return offset_; }

  /// Returns where the next block begins. REQUIRES: the block, if any, was consumed.
  [[nodiscard]] uint64_t next_offset() const { return next_; }

  /// True if bytes() reaches to the end of the input.
  [[nodiscard]] bool at_end() const { return at_end_; }

  /// Returns the owner that keeps bytes() alive.
  [[nodiscard]] std::shared_ptr<char[]> block() const { return block_; }

  /// Consumes the first `count` bytes of the block; the next Start() continues after them.
  void Consume(size_t count);

  /// Consumes the whole block and everything after it through the next `end` byte.
  Status ConsumeThrough(char end);

  [[nodiscard]] uint64_t file_bytes_used() const { return stream_->consumed(); }

  /// Returns the source of blocks of the usual size.
  [[nodiscard]] BlockPool* pool() { return &pool_; }

 private:
  /// Bytes of the stream that were read already and come after the block. As long as there are any,
  /// all bytes of the block also precede them in this memory.
  struct Ahead {
    std::shared_ptr<char[]> owner;
    size_t begin = 0, end = 0, capacity = 0;

    [[nodiscard]] size_t size() const { return end - begin; }
  };

  [[nodiscard]] std::shared_ptr<char[]> Allocate(size_t capacity);
  [[nodiscard]] std::string_view WithAhead() const;
  void SetAhead(std::string_view bytes);
  void MakeRoomAhead(size_t more);
  Status ReadAhead(uint64_t wanted);
  Status Fill(size_t capacity);
  Result<size_t> Read(char* out, size_t capacity);

  std::unique_ptr<InputStream> stream_;
  size_t block_bytes_;
  BlockPool pool_;
  std::shared_ptr<char[]> block_;
  size_t size_ = 0;
  bool at_end_ = false;
  Ahead ahead_;
  uint64_t offset_ = 0;
  uint64_t next_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_BLOCK_BUFFER_H_
