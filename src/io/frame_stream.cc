#include "io/frame_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lookalike {
namespace {

// More would only wait for memory.
constexpr size_t kJobsForThread = 2;

}  // namespace

FrameStream::FrameStream(std::unique_ptr<DecodedStream> stream, InputBytes file, Codec codec,
                         double max_expansion, uint64_t ahead)
    : stream_(std::move(stream)),
      codec_(codec),
      max_expansion_(max_expansion),
      ahead_bytes_(ahead),
      most_ahead_(kJobsForThread * (ThreadsHere() - 1)),
      cutter_(std::move(file), codec, ahead) {}

Result<size_t> FrameStream::Read(char* out, size_t capacity) {
  size_t written = 0;
  while (written < capacity) {
    if (current_) {
      written += Deliver(out + written, capacity - written);
      if (delivered_ == current_->plain_size) LOOKALIKE_RETURN_IF_ERROR(EndCurrent());
      continue;
    }
    if (!streaming_) {
      LOOKALIKE_RETURN_IF_ERROR(StartNext());
      continue;
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got,
                               stream_->ReadFrame(out + written, capacity - written));
    written += got;
    if (stream_->ended()) break;
    if (!stream_->between_frames() || stream_->consumed() < stream_until_) continue;
    streaming_ = false;
    position_ = stream_->consumed();
    produced_ = stream_->produced();
  }
  return written;
}

size_t FrameStream::Deliver(char* out, size_t capacity) {
  const size_t size = std::min<uint64_t>(capacity, current_->plain_size - delivered_);
  if (size > 0) std::memcpy(out, current_->plain->data() + delivered_, size);
  delivered_ += size;
  return size;
}

// Moves past frames that were delivered; continues with `stream_` at one that could not be decoded.
Status FrameStream::EndCurrent() {
  const PackedFrames ended = *std::exchange(current_, std::nullopt);
  LetGo(ended);
  position_ = ended.begin + ended.decoded;
  produced_ += ended.plain_size;
  return position_ == ended.end() ? Status() : Stream(ended.end());
}

// Chooses who reads the frames at `position_`.
Status FrameStream::StartNext() {
  if (position_ != next_) Restart();
  std::optional<PackedFrames> frames;
  bool decoded = false;
  if (ahead_.size() == 0) {
    frames = Cut();
  } else {
    auto taken = ahead_.TakeFirst();
    frames = std::move(taken.job);
    decoded = taken.done && !MayBeABomb(*frames);
    if (!decoded) LetGo(*frames);
  }
  if (!frames) return Stream(position_ + 1);
  next_ = frames->end();
  if (decoded) {
    current_ = std::move(frames);
    delivered_ = 0;
  }
  LookAhead();
  return decoded ? Status() : Stream(next_);
}

// Starts over, because frames with an unknown end were read.
void FrameStream::Restart() {
  ahead_.Drop();
  held_ = 0;
  cut_.reset();
  cutter_.MoveTo(position_);
  next_ = position_;
}

std::optional<PackedFrames> FrameStream::Cut() {
  return cut_ ? std::exchange(cut_, std::nullopt) : cutter_.Cut();
}

// Starts decoding as many frames as memory allows.
void FrameStream::LookAhead() {
  while (ahead_.size() < most_ahead_) {
    cut_ = Cut();
    if (!cut_ || cut_->cost() > ahead_bytes_ - held_) return;
    if (decompressors_.empty()) {
      auto made = MakeDecompressor(codec_);
      if (!made.ok()) return;
      decompressors_.push_back(std::move(made).MoveValueUnsafe());
    }
    cut_->decompressor = std::move(decompressors_.back());
    decompressors_.pop_back();
    held_ += cut_->cost();
    ahead_.Add(*std::exchange(cut_, std::nullopt));
  }
}

// True if `stream_` might reject these frames because of their expansion.
bool FrameStream::MayBeABomb(const PackedFrames& frames) const {
  const uint64_t plain = produced_ + frames.plain_size;
  return plain > kBombGrace &&
         static_cast<double>(plain) > max_expansion_ * static_cast<double>(frames.begin);
}

void FrameStream::LetGo(const PackedFrames& frames) {
  held_ -= frames.cost();
  decompressors_.push_back(frames.decompressor);
}

// Lets `stream_` continue up to the first end of a frame at or after `until`.
Status FrameStream::Stream(uint64_t until) {
  streaming_ = true;
  stream_until_ = until;
  if (stream_->consumed() == position_) return {};
  return stream_->MoveTo(position_, produced_);
}

}  // namespace lookalike
