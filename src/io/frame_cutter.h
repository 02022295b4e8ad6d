// Whole frames of a compressed file, cut off to be decoded on any thread.
#ifndef LOOKALIKE_IO_FRAME_CUTTER_H_
#define LOOKALIKE_IO_FRAME_CUTTER_H_

#include <arrow/buffer.h>
#include <arrow/util/compression.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/frame_walker.h"
#include "io/input_bytes.h"
#include "records/input_file.h"

namespace lookalike {

/// Consecutive frames, enough of them to be worth handing over. Movable.
struct PackedFrames {
  uint64_t begin = 0;  ///< Offset in the file.
  std::string packed;
  std::vector<FrameExtent> frames;
  uint64_t plain_most = 0;
  uint64_t window = 0;  ///< Window of the frame that needs the largest.

  std::shared_ptr<arrow::util::Decompressor> decompressor;  ///< Needed to run it.
  std::unique_ptr<arrow::Buffer> plain;
  uint64_t plain_size = 0;
  uint64_t decoded = 0;  ///< Bytes of `packed` that were decoded; all of them if nothing is wrong.

  [[nodiscard]] uint64_t end() const { return begin + packed.size(); }

  /// Returns the bytes needed to hold and decode them.
  [[nodiscard]] uint64_t cost() const { return packed.size() + plain_most + window; }

  /// Decodes up to the end or to the first damaged frame.
  void Run();

 private:
  bool Decode(const FrameExtent& frame);
};

/// A reader of a file from front to back in pieces. Not thread-safe.
class FrameCutter {
 public:
  /// Frames that cost more than `most` are not cut off.
  FrameCutter(InputBytes file, Codec codec, uint64_t most)
      : file_(std::move(file)), codec_(codec), most_(most) {}

  /// Returns the frames at position(), and moves past them. Returns nothing at the end of the file,
  /// or at a frame that must be decoded from its front.
  std::optional<PackedFrames> Cut();

  /// Continues at another place.
  void MoveTo(uint64_t offset);

  [[nodiscard]] uint64_t position() const { return position_; }

 private:
  std::optional<FrameExtent> Measure(size_t begin, uint64_t most);
  bool ReadMore();

  InputBytes file_;
  Codec codec_;
  uint64_t most_;
  uint64_t position_ = 0;
  std::string ahead_;  ///< Bytes of the file from `position_` on.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FRAME_CUTTER_H_
