#include "io/frame_walker.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lookalike {
namespace {

using State = FrameWalker::State;

constexpr uint64_t kMostOfBlock = uint64_t{128} << 10;  // RFC 8878, section 3.1.1.2.4
constexpr uint64_t kMostOfMember = uint64_t{64} << 10;  // of `bgzip`, plain
constexpr uint64_t kMostWindow = uint64_t{128} << 20;   // `zstd` decodes more only if asked

uint64_t LittleEndian(std::string_view bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

}  // namespace

State FrameWalker::Walk(std::string_view bytes) {
  if (codec_ == Codec::kGzip) return WalkMember(bytes);
  if (codec_ != Codec::kZstd) return State::kUnknown;
  if (!begun_) {
    const State state = Begin(bytes);
    if (state != State::kMore || !begun_) return state;
  }
  return WalkBlocks(bytes);
}

// Handles a skippable frame as a whole, and the magic number of any other.
State FrameWalker::Begin(std::string_view bytes) {
  extent_.packed = 8;
  if (bytes.size() < 8) return State::kMore;
  const uint64_t magic = LittleEndian(bytes, 0, 4);
  if ((magic & 0xFFFFFFF0U) == 0x184D2A50U) {
    extent_.packed += LittleEndian(bytes, 4, 4);
    return State::kEnded;
  }
  return magic == 0xFD2FB528U ? BeginContent(bytes) : State::kUnknown;
}

// Reads the header of a frame (section 3.1.1.1). Frames with a dictionary are refused, because it
// would be missing for decoding.
State FrameWalker::BeginContent(std::string_view bytes) {
  const auto descriptor = static_cast<uint8_t>(bytes[4]);
  constexpr uint8_t kChecksum = 4, kReserved = 8, kSingleSegment = 32;
  if ((descriptor & kReserved) != 0 || (descriptor & 3) != 0) return State::kUnknown;
  const bool single = (descriptor & kSingleSegment) != 0;
  constexpr std::array<size_t, 4> kSizes = {0, 2, 4, 8};
  const size_t size = descriptor >> 6 == 0 && single ? 1 : kSizes[descriptor >> 6];
  const size_t end = 5 + (single ? 0 : 1) + size;
  extent_.packed = end;
  if (bytes.size() < end) return State::kMore;
  size_known_ = size > 0;
  if (size_known_) extent_.plain = LittleEndian(bytes, end - size, size) + (size == 2 ? 256 : 0);
  uint64_t window = extent_.plain;
  if (!single) {
    const auto exponent = static_cast<uint8_t>(bytes[5]);
    window = uint64_t{1} << (10 + (exponent >> 3));
    window += window / 8 * (exponent & 7);
  }
  if (window > kMostWindow) return State::kUnknown;
  // A decoder with room for all of the content needs no window.
  extent_.window = size_known_ ? 0 : window;
  block_most_ = std::min(window, kMostOfBlock);
  trailer_ = (descriptor & kChecksum) != 0 ? 4 : 0;
  begun_ = true;
  return State::kMore;
}

// Walks the headers of the blocks (section 3.1.1.2).
State FrameWalker::WalkBlocks(std::string_view bytes) {
  constexpr uint64_t kHeader = 3, kRepeated = 1, kCompressed = 2, kReserved = 3;
  while (bytes.size() >= extent_.packed + kHeader) {
    const uint64_t header = LittleEndian(bytes, extent_.packed, kHeader);
    const uint64_t type = header >> 1 & 3, size = header >> 3;
    if (type == kReserved || size > block_most_) return State::kUnknown;
    if (!size_known_) extent_.plain += type == kCompressed ? block_most_ : size;
    extent_.packed += kHeader + (type == kRepeated ? 1 : size);
    if ((header & 1) == 0) continue;
    extent_.packed += trailer_;
    return State::kEnded;
  }
  return State::kMore;
}

State FrameWalker::WalkMember(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr size_t kFields = 12;  // begin of the extra fields
  extent_ = {kFields, kMostOfMember, 0};
  if (bytes.size() < kFields) return State::kMore;
  if (!bytes.starts_with("\x1F\x8B\x08\x04"sv)) return State::kUnknown;
  const size_t end = kFields + LittleEndian(bytes, 10, 2);
  extent_.packed = end;
  if (bytes.size() < end) return State::kMore;
  for (size_t at = kFields; at + 4 <= end; at += 4 + LittleEndian(bytes, at + 2, 2)) {
    if (bytes.substr(at, 4) != "BC\x02\0"sv || at + 6 > end) continue;
    const uint64_t size = LittleEndian(bytes, at + 4, 2) + 1;
    extent_.packed = size;
    return size > end ? State::kEnded : State::kUnknown;
  }
  return State::kUnknown;
}

}  // namespace lookalike
