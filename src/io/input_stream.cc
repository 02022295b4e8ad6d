#include "io/input_stream.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "io/arrow_compression.h"

namespace lookalike {
namespace {

constexpr size_t kCompressedChunk = size_t{256} << 10;
constexpr size_t kDroppedChunk = size_t{1} << 20;
constexpr uint64_t kBombGrace = uint64_t{64} << 20;
// ZSTD_d_windowLogMax, and the largest window that `zstd --long` writes.
constexpr int kZstdWindowLogMaxParameter = 100;
constexpr int kZstdWindowLogMax = 31;

class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&&) = delete;
  OpenFile(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Fills `out` unless the file ends.
  Result<size_t> Read(char* out, size_t capacity, const std::string& place) const {
    size_t filled = 0;
    while (filled < capacity) {
      const ssize_t got = read(descriptor_, out + filled, capacity - filled);
      if (got == 0) break;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        return Fail(fmt::format("cannot be read: {}; check the disk or pass --skip-bad-inputs",
                                std::strerror(errno)),
                    place);
      }
      filled += static_cast<size_t>(got);
    }
    return filled;
  }

 private:
  int descriptor_;
};

Result<OpenFile> OpenForReading(const std::string& path, const std::string& place) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const int reason = errno;
    return Fail(fmt::format("cannot be opened: {}; {}", std::strerror(reason),
                            reason == EACCES ? "check its permissions" : "check the path"),
                place);
  }
  return OpenFile(descriptor);
}

class PlainStream final : public InputStream {
 public:
  PlainStream(OpenFile file, std::string place) : file_(std::move(file)), place_(std::move(place)) {
    posix_fadvise(file_.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  Result<size_t> Read(char* out, size_t capacity) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, file_.Read(out, capacity, place_));
    consumed_ += got;
    return got;
  }

  [[nodiscard]] uint64_t consumed() const override { return consumed_; }

  // Goes on behind the first `offset` bytes.
  Status Seek(uint64_t offset) {
    const off_t size = lseek(file_.descriptor(), 0, SEEK_END);
    if (size < 0 || static_cast<uint64_t>(size) < offset) {
      return EndsTooEarly(offset, "bytes", place_);
    }
    lseek(file_.descriptor(), static_cast<off_t>(offset), SEEK_SET);
    consumed_ = offset;
    return {};
  }

 private:
  OpenFile file_;
  std::string place_;
  uint64_t consumed_ = 0;
};

// Decodes frame after frame. Arrow's CompressedInputStream is not used because it can tell
// neither how much was consumed nor a padded end from a corrupt one.
class DecodedStream final : public InputStream {
 public:
  DecodedStream(OpenFile file, std::string place, Codec codec, double max_expansion,
                std::shared_ptr<arrow::util::Decompressor> decompressor)
      : file_(std::move(file)),
        place_(std::move(place)),
        codec_(codec),
        max_expansion_(max_expansion),
        decompressor_(std::move(decompressor)),
        chunk_(kCompressedChunk) {
    posix_fadvise(file_.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  Result<size_t> Read(char* out, size_t capacity) override {
    size_t written = 0;
    while (written < capacity) {
      LOOKALIKE_RETURN_IF_ERROR(Refill());
      if (frame_done_) {
        LOOKALIKE_ASSIGN_OR_RETURN(const bool more, StartFrame());
        if (!more) break;
        continue;
      }
      LOOKALIKE_ASSIGN_OR_RETURN(const size_t step, Decode(out + written, capacity - written));
      written += step;
    }
    return written;
  }

  [[nodiscard]] uint64_t consumed() const override { return consumed_; }

 private:
  // Reads the next compressed chunk when the last one is used up.
  Status Refill() {
    if (used_ < filled_ || file_ended_) return {};
    LOOKALIKE_ASSIGN_OR_RETURN(filled_, file_.Read(chunk_.data(), chunk_.size(), place_));
    used_ = 0;
    file_ended_ = filled_ < chunk_.size();
    return {};
  }

  // Begins the frame after a finished one; false at the end of the file. Zero bytes between and
  // after frames are padding (tape blocks), as gzip has it.
  Result<bool> StartFrame() {
    while (used_ < filled_ && chunk_[used_] == '\0') Use(1);
    if (used_ == filled_) return !file_ended_;
    if (const arrow::Status reset = decompressor_->Reset(); !reset.ok()) return Corrupt(reset);
    frame_done_ = false;
    return true;
  }

  Result<size_t> Decode(char* out, size_t capacity) {
    const size_t available = filled_ - used_;
    auto result = decompressor_->Decompress(
        static_cast<int64_t>(available), reinterpret_cast<const uint8_t*>(chunk_.data() + used_),
        static_cast<int64_t>(capacity), reinterpret_cast<uint8_t*>(out));
    if (!result.ok()) return Corrupt(result.status());
    Use(static_cast<size_t>(result->bytes_read));
    const auto written = static_cast<size_t>(result->bytes_written);
    produced_ += written;
    frame_done_ = decompressor_->IsFinished();
    if (!frame_done_ && result->bytes_read == 0 && written == 0) {
      if (file_ended_ && available == 0) return Truncated();
      return Corrupt(arrow::Status::IOError("the decoder makes no progress"));
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckExpansion());
    return written;
  }

  void Use(size_t bytes) {
    used_ += bytes;
    consumed_ += bytes;
  }

  [[nodiscard]] Status CheckExpansion() const {
    if (produced_ <= kBombGrace) return {};
    if (static_cast<double>(produced_) <= max_expansion_ * static_cast<double>(consumed_)) {
      return {};
    }
    return Fail(
        fmt::format("{} bytes of {} data grow to more than {} bytes, over {} times as much: "
                    "this looks like a decompression bomb; decompress it yourself first if "
                    "it is not, or pass --skip-bad-inputs",
                    consumed_, CodecName(codec_), produced_, max_expansion_),
        place_);
  }

  [[nodiscard]] tl::unexpected<Error> Truncated() const {
    return Fail(fmt::format("the {} data is truncated after {} bytes; get a complete copy or pass "
                            "--skip-bad-inputs",
                            CodecName(codec_), consumed_),
                place_);
  }

  [[nodiscard]] tl::unexpected<Error> Corrupt(const arrow::Status& status) const {
    return Fail(fmt::format("the {} data is corrupt near byte {} ({}); get a good copy or pass "
                            "--skip-bad-inputs",
                            CodecName(codec_), consumed_, status.message()),
                place_);
  }

  OpenFile file_;
  std::string place_;
  Codec codec_;
  double max_expansion_;
  std::shared_ptr<arrow::util::Decompressor> decompressor_;
  std::vector<char> chunk_;
  size_t used_ = 0;
  size_t filled_ = 0;
  bool file_ended_ = false;
  bool frame_done_ = false;
  uint64_t consumed_ = 0;
  uint64_t produced_ = 0;
};

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

Status Drop(uint64_t bytes, InputStream* stream, const std::string& place) {
  std::vector<char> dropped(std::min<uint64_t>(bytes, kDroppedChunk));
  for (uint64_t left = bytes; left > 0;) {
    const size_t wanted = std::min<uint64_t>(left, dropped.size());
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream->Read(dropped.data(), wanted));
    if (got < wanted) return EndsTooEarly(bytes, "plain bytes", place);
    left -= got;
  }
  return {};
}

uint32_t LittleEndian32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

// zstd and lz4 share this magic for frames without content.
bool IsSkippableFrame(std::string_view bytes) {
  return bytes.size() >= 8 && (LittleEndian32(bytes) & 0xFFFFFFF0U) == 0x184D2A50U;
}

Codec CodecOfMagic(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x1F\x8B\x08"sv)) return Codec::kGzip;
  if (bytes.starts_with("\x28\xB5\x2F\xFD"sv)) return Codec::kZstd;
  if (bytes.starts_with("\x04\x22\x4D\x18"sv)) return Codec::kLz4;
  // "BZh1" may begin a text; a block's or the end's 48 bits of pi or its root may not.
  if (bytes.size() >= 10 && bytes.starts_with("BZh"sv) && bytes[3] >= '1' && bytes[3] <= '9' &&
      (bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv ||
       bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv)) {
    return Codec::kBzip2;
  }
  return Codec::kNone;
}

}  // namespace

tl::unexpected<Error> EndsTooEarly(uint64_t wanted, const char* unit, const std::string& place) {
  return Fail(fmt::format("ends before its first {} {}, which were read before: the input has "
                          "changed; start the run again from its beginning",
                          wanted, unit),
              place);
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

Result<std::unique_ptr<InputStream>> OpenInputStream(const std::string& path, Codec codec,
                                                     double max_expansion, const std::string& place,
                                                     uint64_t offset) {
  LOOKALIKE_ASSIGN_OR_RETURN(OpenFile file, OpenForReading(path, place));
  if (codec == Codec::kNone) {
    auto plain = std::make_unique<PlainStream>(std::move(file), place);
    if (offset > 0) LOOKALIKE_RETURN_IF_ERROR(plain->Seek(offset));
    return plain;
  }
  auto decompressor = MakeDecompressor(codec);
  if (!decompressor.ok()) {
    return Fail(fmt::format("{} data cannot be decoded: {}", CodecName(codec),
                            decompressor.status().message()),
                place);
  }
  auto decoded = std::make_unique<DecodedStream>(std::move(file), place, codec, max_expansion,
                                                 std::move(decompressor).MoveValueUnsafe());
  LOOKALIKE_RETURN_IF_ERROR(Drop(offset, decoded.get(), place));
  return decoded;
}

Result<Codec> DetectCodec(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path, path));
  std::array<char, 16> front;
  LOOKALIKE_ASSIGN_OR_RETURN(size_t size, file.Read(front.data(), front.size(), path));
  bool skipped = false;
  // A file of frames may begin with some that have no content.
  while (IsSkippableFrame({front.data(), size})) {
    skipped = true;
    const off_t next =
        static_cast<off_t>(LittleEndian32({front.data() + 4, 4})) - static_cast<off_t>(size) + 8;
    if (lseek(file.descriptor(), next, SEEK_CUR) < 0) break;
    LOOKALIKE_ASSIGN_OR_RETURN(size, file.Read(front.data(), front.size(), path));
  }
  const Codec codec = CodecOfMagic({front.data(), size});
  return skipped && codec != Codec::kLz4 ? Codec::kZstd : codec;
}

}  // namespace lookalike
