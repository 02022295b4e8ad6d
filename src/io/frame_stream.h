// The plain bytes of a file of many frames, decoded several at a time.
#ifndef LOOKALIKE_IO_FRAME_STREAM_H_
#define LOOKALIKE_IO_FRAME_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "io/decoded_stream.h"
#include "io/frame_cutter.h"
#include "io/input_stream.h"
#include "threads/work_ahead.h"

namespace lookalike {

/// A stream that decodes frames ahead if their end can be found, in `ahead` bytes of memory, on
/// threads of the caller's task arena that have nothing else to do. `stream` reads the other
/// frames: frames that no thread began in time, that have no known end, that cost too much memory,
/// or that are damaged. Only `stream` reports errors. So bytes and errors are the same as from
/// `stream` alone.
class FrameStream final : public InputStream {
 public:
  /// `stream` and `file` are the same file from its front. `max_expansion` is the same as for
  /// `stream`.
  FrameStream(std::unique_ptr<DecodedStream> stream, InputBytes file, Codec codec,
              double max_expansion, uint64_t ahead);

  Result<size_t> Read(char* out, size_t capacity) override;

  [[nodiscard]] uint64_t consumed() const override {
    return streaming_ ? stream_->consumed() : position_;
  }

 private:
  Status StartNext();
  Status EndCurrent();
  Status Stream(uint64_t until);
  void Restart();
  void LookAhead();
  std::optional<PackedFrames> Cut();
  [[nodiscard]] bool MayBeABomb(const PackedFrames& frames) const;
  void LetGo(const PackedFrames& frames);
  size_t Deliver(char* out, size_t capacity);

  std::unique_ptr<DecodedStream> stream_;
  Codec codec_;
  double max_expansion_;
  uint64_t ahead_bytes_;
  size_t most_ahead_;
  FrameCutter cutter_;
  std::vector<std::shared_ptr<arrow::util::Decompressor>> decompressors_;  ///< Unused ones.

  uint64_t position_ = 0;                ///< Offset in the file after the frames fully read.
  uint64_t produced_ = 0;                ///< Plain bytes of those frames.
  bool streaming_ = false;               ///< `stream_` reads the next bytes,
  uint64_t stream_until_ = 0;            ///< up to a frame that ends here or later.
  std::optional<PackedFrames> current_;  ///< Decoded, and being read.
  uint64_t delivered_ = 0;               ///< Plain bytes of `current_` that were read.
  uint64_t next_ = 0;                    ///< Offset of the frames that follow.
  std::optional<PackedFrames> cut_;      ///< Waits for memory.
  uint64_t held_ = 0;                    ///< Memory of `ahead_`, and of `current_`.
  WorkAhead<PackedFrames> ahead_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FRAME_STREAM_H_
