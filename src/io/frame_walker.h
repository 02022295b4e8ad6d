// Where a compressed frame ends, without decoding it.
#ifndef LOOKALIKE_IO_FRAME_WALKER_H_
#define LOOKALIKE_IO_FRAME_WALKER_H_

#include <cstdint>
#include <string_view>

#include "flow/input_file.h"

namespace lookalike {

/// Of one frame, in bytes.
struct FrameExtent {
  uint64_t packed = 0;  ///< As it stands in the file.
  uint64_t plain = 0;   ///< Of what it holds, at most.
  uint64_t window = 0;  ///< That a decoder may need beside it.
};

/// Hops from header to header. zstd frames say how long each of their blocks is (RFC 8878), and so
/// do gzip members in the manner of `bgzip` (SAM specification, section 4.1). The end of an
/// ordinary gzip member cannot be found without decoding it.
class FrameWalker {
 public:
  enum class State {
    kMore,    ///< `extent` is what is known so far, and bytes behind it must be seen.
    kEnded,   ///< `extent` is all of the frame, of which the last block was perhaps not seen.
    kUnknown  ///< Not such a frame, or a broken one.
  };

  explicit FrameWalker(Codec codec) : codec_(codec) {}

  /// `bytes` is the frame's front and perhaps more behind it, at least what was given before.
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
