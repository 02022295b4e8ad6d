// A stream's bytes in blocks that outlive the next read, for the readers of delimited records.
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

/// Bytes that may be read, but mean nothing, after the end of every block and arena piece. SIMD
/// code behind the reader loads whole vectors.
inline constexpr size_t kReadablePadding = 64;

/// Usual size of a block.
inline constexpr size_t kBlockBytes = size_t{1} << 20;

/// Memory for values that do not stand in the input as they are. Pieces never move.
class TextArena {
 public:
  /// `expected` bytes in all are a good guess for how much will be asked for. Pieces come from
  /// the pool where there is one and they fit. REQUIRES: the pool outlives the last Reserve().
  explicit TextArena(size_t expected = size_t{64} << 10, BlockPool* pool = nullptr)
      : expected_(expected), pool_(pool) {}

  /// Room for `size` bytes and kReadablePadding more, until the next call here.
  char* Reserve(size_t size);

  /// The first `size` bytes of the room that was reserved last stay as long as the arena.
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

/// What the views of one batch point into.
struct BatchStorage {
  std::shared_ptr<char[]> block;
  std::shared_ptr<const std::string> header;
  TextArena arena;
};

/// A window over the stream. Each block begins where the last one was consumed to, and its bytes
/// depend on nothing but that place: a reader that begins there sees the same blocks. Not
/// thread-safe.
class BlockBuffer {
 public:
  /// `offset`: bytes before the stream's next one.
  BlockBuffer(std::unique_ptr<InputStream> stream, size_t block_bytes, uint64_t offset)
      : stream_(std::move(stream)),
        block_bytes_(block_bytes),
        pool_(block_bytes + kReadablePadding),
        next_(offset) {}

  /// Begins a new block of the usual size behind the bytes that were consumed.
  Status Start();

  /// Makes the block longer, to `most` bytes where it is shorter; its bytes move.
  Status Extend(uint64_t most);

  /// Up to `count` bytes from the block's byte `from` on, fewer at the end of the input. They may
  /// stand behind the block, which stays as it is; all bytes up to them are held in memory then.
  /// Valid until the next call here. REQUIRES: bytes() are not empty, count > 0.
  Result<std::string_view> Peek(uint64_t from, size_t count);

  /// The block's bytes; kReadablePadding bytes after them may be read.
  [[nodiscard]] std::string_view bytes() const { return {block_.get(), size_}; }

  /// Where the block begins.
  [[nodiscard]] uint64_t offset() const { return offset_; }

  /// Where the next block begins. REQUIRES: the block, if any, was consumed.
  [[nodiscard]] uint64_t next_offset() const { return next_; }

  /// Whether bytes() reaches to the end of the input.
  [[nodiscard]] bool at_end() const { return at_end_; }

  /// Keeps bytes() alive.
  [[nodiscard]] std::shared_ptr<char[]> block() const { return block_; }

  /// The first `count` bytes of the block are done with; the next Start() goes on after them.
  void Consume(size_t count);

  /// Done with the whole block and all after it up to and with the next `end` byte.
  Status ConsumeThrough(char end);

  [[nodiscard]] uint64_t file_bytes_used() const { return stream_->consumed(); }

  /// Where usual blocks come from.
  [[nodiscard]] BlockPool* pool() { return &pool_; }

 private:
  /// Bytes of the stream that were read already and stand behind the block. As long as there are
  /// some, all bytes of the block are a copy of what stands before them.
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
