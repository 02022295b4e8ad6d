// The plain bytes of a compressed file, decoded from its front.
#ifndef LOOKALIKE_IO_DECODED_STREAM_H_
#define LOOKALIKE_IO_DECODED_STREAM_H_

#include <arrow/result.h>
#include <arrow/util/compression.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/input_bytes.h"
#include "io/input_stream.h"
#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// Plain bytes of a file that are exempt from the limit on expansion.
inline constexpr uint64_t kBombGrace = uint64_t{64} << 20;

arrow::Result<std::shared_ptr<arrow::util::Decompressor>> MakeDecompressor(Codec codec);

/// A decoder of frame after frame. Arrow's CompressedInputStream is not used because it does not
/// report how much was consumed, and cannot tell a padded end from a corrupt end.
class DecodedStream final : public InputStream {
 public:
  DecodedStream(InputBytes file, Codec codec, double max_expansion,
                std::shared_ptr<arrow::util::Decompressor> decompressor);

  Result<size_t> Read(char* out, size_t capacity) override;

  /// Reads like Read(), but also stops after a frame.
  Result<size_t> ReadFrame(char* out, size_t capacity);

  /// Continues at the byte `offset` of the file, after a frame, as if `produced` plain bytes had
  /// been decoded before: from there on, errors and their places are the same.
  Status MoveTo(uint64_t offset, uint64_t produced);

  [[nodiscard]] uint64_t consumed() const override { return consumed_; }

  /// Returns the number of plain bytes so far.
  [[nodiscard]] uint64_t produced() const { return produced_; }

  /// True if a frame has ended, and nothing was decoded after it.
  [[nodiscard]] bool between_frames() const { return frame_done_; }

  /// True if there is no more.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  Status Refill();
  Result<bool> StartFrame();
  Result<size_t> Decode(char* out, size_t capacity);
  void Use(size_t bytes);
  [[nodiscard]] Status CheckExpansion() const;
  [[nodiscard]] tl::unexpected<Error> Truncated() const;
  [[nodiscard]] tl::unexpected<Error> Corrupt() const;

  InputBytes file_;
  Codec codec_;
  double max_expansion_;
  std::shared_ptr<arrow::util::Decompressor> decompressor_;
  std::vector<char> chunk_;
  size_t used_ = 0;
  size_t filled_ = 0;
  bool file_ended_ = false;
  bool frame_done_ = false;
  bool ended_ = false;
  uint64_t consumed_ = 0;
  uint64_t produced_ = 0;
};

/// Returns "gzip", "zstd", "bzip2", "lz4" or "none".
const char* CodecName(Codec codec);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_DECODED_STREAM_H_
