#include "io/frame_cutter.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "io/arrow_memory.h"

namespace lookalike {
namespace {

constexpr size_t kPiece = size_t{256} << 10;

// It is not worthwhile to hand over less than this.
constexpr uint64_t kPlainBytes = uint64_t{1} << 20;

// Some decoders report the end only if there is room for more output.
constexpr uint64_t kSpare = 64;

}  // namespace

void PackedFrames::Run() {
  try {
    auto room = arrow::AllocateBuffer(static_cast<int64_t>(plain_most + kSpare), ReusedMemory());
    if (!room.ok()) return;
    plain = std::move(room).MoveValueUnsafe();
    for (const FrameExtent& frame : frames) {
      if (!Decode(frame)) return;
    }
  } catch (const std::bad_alloc&) {
    // The caller decodes the rest.
  }
}

bool PackedFrames::Decode(const FrameExtent& frame) {
  if (!decompressor->Reset().ok()) return false;
  uint64_t used = 0, written = 0;
  while (true) {
    const auto step =
        decompressor->Decompress(static_cast<int64_t>(frame.packed - used),
                                 reinterpret_cast<const uint8_t*>(packed.data() + decoded + used),
                                 static_cast<int64_t>(plain_most + kSpare - plain_size - written),
                                 plain->mutable_data() + plain_size + written);
    if (!step.ok()) return false;
    used += static_cast<uint64_t>(step->bytes_read);
    written += static_cast<uint64_t>(step->bytes_written);
    if (decompressor->IsFinished()) break;
    if (step->bytes_read == 0 && step->bytes_written == 0) return false;
  }
  if (used != frame.packed || plain_size + written > plain_most) return false;
  decoded += used;
  plain_size += written;
  return true;
}

std::optional<PackedFrames> FrameCutter::Cut() {
  PackedFrames cut;
  cut.begin = position_;
  uint64_t packed = 0;
  while (cut.plain_most < kPlainBytes) {
    const uint64_t cost = packed + cut.plain_most + cut.window;
    const auto frame = Measure(packed, most_ - cost);
    if (!frame) break;
    packed += frame->packed;
    cut.plain_most += frame->plain;
    cut.window = std::max(cut.window, frame->window);
    cut.frames.push_back(*frame);
  }
  if (cut.frames.empty()) {
    if (ahead_.size() > 2 * kPiece) ahead_ = {};  // after a long frame
    return std::nullopt;
  }
  cut.packed.assign(ahead_, 0, packed);
  ahead_.erase(0, packed);
  position_ += packed;
  return cut;
}

// Returns the frame that begins `begin` bytes ahead, if it is whole and costs no more than `most`.
std::optional<FrameExtent> FrameCutter::Measure(size_t begin, uint64_t most) {
  FrameWalker walker(codec_);
  while (true) {
    const auto bytes = std::string_view(ahead_).substr(std::min(begin, ahead_.size()));
    const FrameWalker::State state = walker.Walk(bytes);
    const FrameExtent& extent = walker.extent();
    if (state == FrameWalker::State::kUnknown) return std::nullopt;
    // Sizes are compared one by one, because a header may claim any size.
    if (extent.plain > most || extent.packed + extent.window > most - extent.plain) {
      return std::nullopt;
    }
    if (state == FrameWalker::State::kEnded && bytes.size() >= extent.packed) return extent;
    if (!ReadMore()) return std::nullopt;
  }
}

// Returns false if there is no more, or if it cannot be read: decoding will then report why.
bool FrameCutter::ReadMore() {
  const size_t had = ahead_.size();
  ahead_.resize(had + kPiece);
  const auto got = file_.ReadAt(position_ + had, ahead_.data() + had, kPiece);
  ahead_.resize(had + (got ? *got : 0));
  return got && *got > 0;
}

void FrameCutter::MoveTo(uint64_t offset) {
  const bool seen = offset >= position_ && offset - position_ <= ahead_.size();
  if (seen) {
    ahead_.erase(0, offset - position_);
  } else {
    ahead_.clear();
  }
  position_ = offset;
}

}  // namespace lookalike
