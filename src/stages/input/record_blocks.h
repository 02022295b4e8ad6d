// Cuts a stream into blocks of whole JSON records. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_RECORD_BLOCKS_H_
#define LOOKALIKE_STAGES_INPUT_RECORD_BLOCKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stages/input/block_buffer.h"
#include "stages/input/format_readers.h"

namespace lookalike {

/// Whole consecutive records, with their separators.
struct RecordCut {
  std::string_view bytes;
  std::vector<uint32_t> ends;  ///< End of each record in `bytes`.
  bool too_long = false;       ///< `bytes` is the front of one record longer than the limit.
};

/// A source of blocks of whole records. Not thread-safe.
class RecordBlocks {
 public:
  RecordBlocks(std::unique_ptr<InputStream> stream, const ReaderSetup& setup)
      : buffer_(std::move(stream), setup.from.offset, setup.Blocks()),
        limit_(setup.limits.max_record),
        place_(PlaceOf(setup.file)),
        at_front_(setup.from.offset == 0),
        next_(setup.from.offset),
        until_(setup.until),
        ended_(setup.from.offset >= setup.until) {}
  virtual ~RecordBlocks() = default;
  RecordBlocks(const RecordBlocks&) = delete;
  RecordBlocks& operator=(const RecordBlocks&) = delete;

  /// Returns the next records; they live as long as `block`. REQUIRES: not ended().
  virtual Result<RecordCut> Next(std::shared_ptr<char[]>* block) = 0;

  /// Returns the source of the blocks' memory.
  [[nodiscard]] BlockPool* pool() { return buffer_.pool(); }

  [[nodiscard]] bool ended() const { return ended_; }

  /// Returns the offset after the records so far.
  [[nodiscard]] uint64_t next_offset() const { return next_; }
  [[nodiscard]] uint64_t file_bytes_used() const { return buffer_.file_bytes_used(); }

 protected:
  /// Returns the length of the byte order mark at the front of the input; an Error for UTF-16. The
  /// block must have been started.
  Result<size_t> SkipByteOrderMark();

  BlockBuffer buffer_;
  uint64_t limit_;
  std::string place_;
  bool at_front_;
  uint64_t next_;
  uint64_t until_;  // records that begin here or later are not read
  bool ended_;
};

/// Cuts JSON Lines into lines, and a JSON array into its elements. In an array, each position is
/// after an element, or at the start of the file.
std::unique_ptr<RecordBlocks> CutRecords(std::unique_ptr<InputStream> stream,
                                         const ReaderSetup& setup);

/// Returns an element without the separator before it.
std::string_view WithoutSeparator(std::string_view element);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_RECORD_BLOCKS_H_
