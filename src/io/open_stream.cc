#include "io/open_stream.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "io/decoded_stream.h"
#include "io/frame_stream.h"
#include "io/open_file.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kMagicBytes = 16;
constexpr size_t kSmallRead = size_t{128} << 10;
constexpr size_t kDroppedChunk = size_t{1} << 20;

class PlainStream final : public InputStream {
 public:
  PlainStream(OpenFile file, std::string place)
      : file_(std::move(file)), place_(std::move(place)) {}

  Result<size_t> Read(char* out, size_t capacity) override {
    // Advice costs as much as opening the file, and a small file is read in one piece.
    const bool is_large = capacity > kSmallRead || consumed_ > 0;
    if (is_large && !std::exchange(advised_, true)) {
      posix_fadvise(file_.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, file_.Read(out, capacity, place_));
    consumed_ += got;
    return got;
  }

  [[nodiscard]] uint64_t consumed() const override { return consumed_; }

  // Continues after the first `offset` bytes.
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
  bool advised_ = false;
};

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
  // A text may begin with "BZh1", but not with the 48 bits of pi that begin a block, or those of
  // the square root of pi that end the file.
  if (bytes.size() >= 10 && bytes.starts_with("BZh"sv) && bytes[3] >= '1' && bytes[3] <= '9' &&
      (bytes.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv ||
       bytes.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv)) {
    return Codec::kBzip2;
  }
  return Codec::kNone;
}

}  // namespace

tl::unexpected<Error> EndsTooEarly(uint64_t wanted, const char* unit, const std::string& place) {
  return CorruptError(fmt::format("has fewer than the {} {} that an earlier pass read: the input "
                                  "has changed; start the run again from the beginning",
                                  wanted, unit),
                      place);
}

Result<std::unique_ptr<InputStream>> OpenInputStream(const std::string& path, Codec codec,
                                                     double max_expansion, const std::string& place,
                                                     uint64_t offset, uint64_t ahead) {
  LOOKALIKE_ASSIGN_OR_RETURN(OpenFile file, OpenForReading(path, place));
  if (codec == Codec::kNone) {
    auto plain = std::make_unique<PlainStream>(std::move(file), place);
    if (offset > 0) LOOKALIKE_RETURN_IF_ERROR(plain->Seek(offset));
    return plain;
  }
  auto decompressor = MakeDecompressor(codec);
  if (!decompressor.ok()) {
    return MemoryError(fmt::format("{} data cannot be decoded: there is not enough memory for the "
                                   "decoder; free some memory",
                                   CodecName(codec)),
                       place);
  }
  auto decoded = std::make_unique<DecodedStream>(std::move(file), place, codec, max_expansion,
                                                 std::move(decompressor).MoveValueUnsafe());
  std::unique_ptr<InputStream> stream;
  const bool has_frames = codec == Codec::kZstd || codec == Codec::kGzip;
  if (has_frames && ahead > 0 && ThreadsHere() > 1) {
    LOOKALIKE_ASSIGN_OR_RETURN(OpenFile again, OpenForReading(path, place));
    stream = std::make_unique<FrameStream>(std::move(decoded), std::move(again), codec,
                                           max_expansion, ahead);
  } else {
    stream = std::move(decoded);
  }
  LOOKALIKE_RETURN_IF_ERROR(Drop(offset, stream.get(), place));
  return stream;
}

Result<std::string> ReadRawFront(const std::string& path, size_t most) {
  LOOKALIKE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path, path));
  std::string front(most, '\0');
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t size, file.Read(front.data(), most, path));
  front.resize(size);
  return front;
}

Result<Codec> DetectCodec(const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string front, ReadRawFront(path, kMagicBytes));
  return DetectCodec(path, front);
}

Result<Codec> DetectCodec(const std::string& path, std::string_view bytes) {
  if (!IsSkippableFrame(bytes)) return CodecOfMagic(bytes);
  // A file of frames may begin with empty frames.
  LOOKALIKE_ASSIGN_OR_RETURN(const OpenFile file, OpenForReading(path, path));
  std::array<char, kMagicBytes> front;
  LOOKALIKE_ASSIGN_OR_RETURN(size_t size, file.Read(front.data(), front.size(), path));
  while (IsSkippableFrame({front.data(), size})) {
    const off_t next =
        static_cast<off_t>(LittleEndian32({front.data() + 4, 4})) - static_cast<off_t>(size) + 8;
    if (lseek(file.descriptor(), next, SEEK_CUR) < 0) break;
    LOOKALIKE_ASSIGN_OR_RETURN(size, file.Read(front.data(), front.size(), path));
  }
  const Codec codec = CodecOfMagic({front.data(), size});
  return codec != Codec::kLz4 ? Codec::kZstd : codec;
}

}  // namespace lookalike
