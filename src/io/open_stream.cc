#include "io/open_stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "io/decoded_stream.h"
#include "io/frame_stream.h"
#include "io/input_bytes.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

constexpr size_t kMagicBytes = 16;
constexpr size_t kSmallRead = size_t{128} << 10;
constexpr size_t kDroppedChunk = size_t{1} << 20;

class PlainStream final : public InputStream {
 public:
  explicit PlainStream(InputBytes file) : file_(std::move(file)) {}

  Result<size_t> Read(char* out, size_t capacity) override {
    // Advice costs as much as opening the file, and a small file is read in one piece.
    const bool is_large = capacity > kSmallRead || consumed_ > 0;
    if (is_large && !std::exchange(advised_, true)) file_.ExpectInOrder(until_);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, file_.Read(out, capacity));
    consumed_ += got;
    return got;
  }

  [[nodiscard]] uint64_t consumed() const override { return consumed_; }

  // Continues after the first `offset` bytes, and is expected to be read up to `until`.
  Status MoveTo(uint64_t offset, uint64_t until) {
    until_ = until;
    if (offset == 0) return {};
    if (file_.size() < offset) return EndsTooEarly(offset, "bytes", file_.place());
    file_.Seek(offset);
    consumed_ = offset;
    return {};
  }

 private:
  InputBytes file_;
  uint64_t until_ = UINT64_MAX;
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

Result<std::unique_ptr<InputStream>> OpenInputStream(const InputFile& file, double max_expansion,
                                                     const StreamPart& part) {
  LOOKALIKE_ASSIGN_OR_RETURN(InputBytes bytes, OpenInputBytes(file));
  if (file.codec == Codec::kNone) {
    auto plain = std::make_unique<PlainStream>(std::move(bytes));
    LOOKALIKE_RETURN_IF_ERROR(plain->MoveTo(part.offset, part.until));
    return plain;
  }
  auto decompressor = MakeDecompressor(file.codec);
  if (!decompressor.ok()) {
    return MemoryError(fmt::format("{} data cannot be decoded: there is not enough memory for the "
                                   "decoder; free some memory",
                                   CodecName(file.codec)),
                       file.place());
  }
  auto decoded = std::make_unique<DecodedStream>(std::move(bytes), file.codec, max_expansion,
                                                 std::move(decompressor).MoveValueUnsafe());
  std::unique_ptr<InputStream> stream;
  // Looking for the ends of frames would request the bytes of a remote input twice.
  const bool has_frames = file.codec == Codec::kZstd || file.codec == Codec::kGzip;
  if (has_frames && part.ahead > 0 && !file.remote && ThreadsHere() > 1) {
    LOOKALIKE_ASSIGN_OR_RETURN(InputBytes again, OpenInputBytes(file));
    stream = std::make_unique<FrameStream>(std::move(decoded), std::move(again), file.codec,
                                           max_expansion, part.ahead);
  } else {
    stream = std::move(decoded);
  }
  LOOKALIKE_RETURN_IF_ERROR(Drop(part.offset, stream.get(), file.place()));
  return stream;
}

Result<std::string> ReadRawFront(const InputFile& file, size_t most) {
  LOOKALIKE_ASSIGN_OR_RETURN(const InputBytes bytes, OpenInputBytes(file));
  std::string front(most, '\0');
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t size, bytes.ReadAt(0, front.data(), most));
  front.resize(size);
  return front;
}

InputFile FileAt(const std::string& path, Codec codec) {
  InputFile file;
  file.path = file.name = path;
  file.codec = codec;
  return file;
}

Result<Codec> DetectCodec(const std::string& path) {
  const InputFile file = FileAt(path, Codec::kNone);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string front, ReadRawFront(file, kMagicBytes));
  return DetectCodec(file, front);
}

Result<Codec> DetectCodec(const InputFile& file, std::string_view bytes) {
  if (!IsSkippableFrame(bytes)) return CodecOfMagic(bytes);
  // A file of frames may begin with empty frames.
  LOOKALIKE_ASSIGN_OR_RETURN(const InputBytes stored, OpenInputBytes(file));
  std::array<char, kMagicBytes> front;
  std::string_view seen = bytes.substr(0, front.size());
  for (uint64_t at = 0; IsSkippableFrame(seen);) {
    at += uint64_t{8} + LittleEndian32(seen.substr(4, 4));
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t size, stored.ReadAt(at, front.data(), front.size()));
    seen = {front.data(), size};
  }
  const Codec codec = CodecOfMagic(seen);
  return codec != Codec::kLz4 ? Codec::kZstd : codec;
}

}  // namespace lookalike
