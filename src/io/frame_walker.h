// The end of a compressed frame, found without decoding it.
#ifndef LOOKALIKE_IO_FRAME_WALKER_H_
#define LOOKALIKE_IO_FRAME_WALKER_H_

#include <cstdint>
#include <string_view>

#include "records/input_file.h"

namespace lookalike {

/// Sizes of one frame, in bytes.
struct FrameExtent {
  uint64_t packed = 0;  ///< Its size in the file.
  uint64_t plain = 0;   ///< Its content, at most.
  uint64_t window = 0;  ///< Memory that a decoder may need in addition.
};

/// A walker from header to header. zstd frames store the length of each of their blocks (RFC 8878),
/// and so do gzip members in the manner of `bgzip` (SAM specification, section 4.1). The end of an
/// ordinary gzip member cannot be found without decoding it.
class FrameWalker {
 public:
  enum class State {
    kMore,    ///< `extent` is known so far, and more bytes are needed.
    kEnded,   ///< `extent` is the whole frame, though its last block may not have been seen.
    kUnknown  ///< The frame is broken, or its end cannot be found.
  };

  explicit FrameWalker(Codec codec) : codec_(codec) {}

  /// Walks on. `bytes` is the frame's front and perhaps more, and includes all bytes passed before.
  State Walk(std::string_view bytes);

  [[nodiscard]] const FrameExtent& extent() const { return extent_; }

 private:
  State WalkMember(std::string_view bytes);
  State WalkBlocks(std::string_view bytes);
  State Begin(std::string_view bytes);
  State BeginContent(std::string_view bytes);

  Codec codec_;
  FrameExtent extent_;
  bool begun_ = false;
  bool size_known_ = false;
  uint64_t block_most_ = 0;
  uint64_t trailer_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FRAME_WALKER_H_
