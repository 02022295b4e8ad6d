#include "io/decoded_stream.h"

#include <fmt/core.h>

#include <utility>

#include "io/arrow_compression.h"

namespace lookalike {
namespace {

constexpr size_t kCompressedChunk = size_t{256} << 10;
// ZSTD_d_windowLogMax, and the largest window that `zstd --long` writes.
constexpr int kZstdWindowLogMaxParameter = 100;
constexpr int kZstdWindowLogMax = 31;

}  // namespace

arrow::Result<std::shared_ptr<arrow::util::Decompressor>> MakeDecompressor(Codec codec) {
  arrow::util::CodecOptions plain_options;
  arrow::util::ZstdCodecOptions zstd_options;
  zstd_options.decompression_context_params = {{kZstdWindowLogMaxParameter, kZstdWindowLogMax}};
  const arrow::util::CodecOptions& options =
      codec == Codec::kZstd ? static_cast<const arrow::util::CodecOptions&>(zstd_options)
                            : plain_options;
  ARROW_ASSIGN_OR_RAISE(auto made, arrow::util::Codec::Create(ArrowCompression(codec), options));
  return made->MakeDecompressor();
}

DecodedStream::DecodedStream(InputBytes file, Codec codec, double max_expansion,
                             std::shared_ptr<arrow::util::Decompressor> decompressor)
    : file_(std::move(file)),
      codec_(codec),
      max_expansion_(max_expansion),
      decompressor_(std::move(decompressor)),
      chunk_(kCompressedChunk) {
  file_.ExpectInOrder();
}

Result<size_t> DecodedStream::Read(char* out, size_t capacity) {
  size_t written = 0;
  while (written < capacity) {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, ReadFrame(out + written, capacity - written));
    written += got;
    if (ended_) break;
  }
  return written;
}

Result<size_t> DecodedStream::ReadFrame(char* out, size_t capacity) {
  size_t written = 0;
  while (written < capacity) {
    LOOKALIKE_RETURN_IF_ERROR(Refill());
    if (frame_done_) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool more, StartFrame());
      ended_ = !more;
      if (ended_) break;
      continue;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t step, Decode(out + written, capacity - written));
    written += step;
    if (frame_done_) break;
  }
  return written;
}

// Chunks begin where they would have begun without the move: otherwise the decoder might take its
// input in other steps, and report an error at another position.
Status DecodedStream::MoveTo(uint64_t offset, uint64_t produced) {
  const uint64_t chunk = offset / chunk_.size() * chunk_.size();
  LOOKALIKE_ASSIGN_OR_RETURN(filled_, file_.ReadAt(chunk, chunk_.data(), chunk_.size()));
  file_.Seek(chunk + filled_);
  file_ended_ = filled_ < chunk_.size();
  consumed_ = offset;
  produced_ = produced;
  used_ = offset - chunk;
  if (used_ > filled_) return Truncated();  // the file was changed
  frame_done_ = true;
  return {};
}

// Reads the next compressed chunk if the last one is used up.
Status DecodedStream::Refill() {
  if (used_ < filled_ || file_ended_) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(filled_, file_.Read(chunk_.data(), chunk_.size()));
  used_ = 0;
  file_ended_ = filled_ < chunk_.size();
  return {};
}

// Begins the frame after a finished one; false at the end of the file. Zero bytes between and after
// frames are treated as padding (tape blocks), as in gzip.
Result<bool> DecodedStream::StartFrame() {
  while (used_ < filled_ && chunk_[used_] == '\0') Use(1);
  if (used_ == filled_) return !file_ended_;
  if (!decompressor_->Reset().ok()) return Corrupt();
  frame_done_ = false;
  return true;
}

Result<size_t> DecodedStream::Decode(char* out, size_t capacity) {
  const size_t available = filled_ - used_;
  auto result = decompressor_->Decompress(
      static_cast<int64_t>(available), reinterpret_cast<const uint8_t*>(chunk_.data() + used_),
      static_cast<int64_t>(capacity), reinterpret_cast<uint8_t*>(out));
  if (!result.ok()) return Corrupt();
  Use(static_cast<size_t>(result->bytes_read));
  const auto written = static_cast<size_t>(result->bytes_written);
  produced_ += written;
  frame_done_ = decompressor_->IsFinished();
  if (!frame_done_ && result->bytes_read == 0 && written == 0) {
    if (file_ended_ && available == 0) return Truncated();
    return Corrupt();
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckExpansion());
  return written;
}

void DecodedStream::Use(size_t bytes) {
  used_ += bytes;
  consumed_ += bytes;
}

Status DecodedStream::CheckExpansion() const {
  if (produced_ <= kBombGrace) return {};
  if (static_cast<double>(produced_) <= max_expansion_ * static_cast<double>(consumed_)) {
    return {};
  }
  return InputError(
      fmt::format("{} bytes of {} data grow to more than {} bytes, over {} times as much: "
                  "this looks like a decompression bomb; decompress it yourself first if "
                  "it is not, or pass $<skip-bad-inputs>",
                  consumed_, CodecName(codec_), produced_, max_expansion_),
      file_.place());
}

tl::unexpected<Error> DecodedStream::Truncated() const {
  return CorruptError(
      fmt::format("the {} data is truncated after {} bytes; get a complete copy or pass "
                  "$<skip-bad-inputs>",
                  CodecName(codec_), consumed_),
      file_.place());
}

tl::unexpected<Error> DecodedStream::Corrupt() const {
  return CorruptError(fmt::format("the {} data is corrupt near byte {}; get a good copy or pass "
                                  "$<skip-bad-inputs>",
                                  CodecName(codec_), consumed_),
                      file_.place());
}

const char* CodecName(Codec codec) {
  switch (codec) {
    case Codec::kGzip:
      return "gzip";
    case Codec::kZstd:
      return "zstd";
    case Codec::kBzip2:
      return "bzip2";
    case Codec::kLz4:
      return "lz4";
    case Codec::kNone:
      break;
  }
  return "none";
}

}  // namespace lookalike
