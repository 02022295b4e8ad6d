#include "stages/input/block_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lookalike {

char* TextArena::Reserve(size_t size) {
  if (free_ == nullptr || size + kReadablePadding > left_) {
    const size_t wanted = std::max(size, pieces_.empty() ? expected_ : size * 2) + kReadablePadding;
    // A small separate allocation is cheaper than a block that is mostly unused.
    const bool pooled = pool_ != nullptr && wanted <= pool_->bytes() && wanted > pool_->bytes() / 4;
    left_ = pooled ? pool_->bytes() : wanted;
    pieces_.push_back(pooled ? pool_->Take() : std::make_shared_for_overwrite<char[]>(wanted));
    free_ = pieces_.back().get();
  }
  return free_;
}

std::string_view TextArena::Keep(size_t size) {
  const std::string_view kept(free_, size);
  free_ += size;
  left_ -= size;
  return kept;
}

std::string_view TextArena::Copy(std::string_view text) {
  if (text.empty()) return {};
  std::memcpy(Reserve(text.size()), text.data(), text.size());
  return Keep(text.size());
}

// Reads the bytes read ahead, then the stream. Returns fewer than `capacity` bytes only at its end.
Result<size_t> BlockBuffer::Read(char* out, size_t capacity) {
  const size_t copied = std::min(capacity, ahead_.size());
  if (copied > 0) std::memcpy(out, ahead_.owner.get() + ahead_.begin, copied);
  ahead_.begin += copied;
  if (ahead_.size() == 0) ahead_ = {};
  if (copied == capacity) return copied;
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t fresh, stream_->Read(out + copied, capacity - copied));
  return copied + fresh;
}

// Allocates memory for `capacity` bytes and the padding.
std::shared_ptr<char[]> BlockBuffer::Allocate(size_t capacity) {
  if (capacity == block_bytes_) return pool_.Take();
  return std::make_shared_for_overwrite<char[]>(capacity + kReadablePadding);
}

// Fills the block from size_ up to `capacity` bytes. REQUIRES: it was allocated for that many.
Status BlockBuffer::Fill(size_t capacity) {
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t more, Read(block_.get() + size_, capacity - size_));
  size_ += more;
  at_end_ = size_ < capacity;
  std::memset(block_.get() + size_, 0, kReadablePadding);
  return {};
}

Status BlockBuffer::Start(uint64_t until) {
  // The last record before `until` usually ends within these bytes after it.
  constexpr uint64_t kRestOfRecord = uint64_t{64} << 10;
  offset_ = next_;
  size_t capacity = block_bytes_;
  if (until - offset_ < block_bytes_) {
    capacity = std::min<uint64_t>(capacity, until - offset_ + kRestOfRecord);
  }
  if (ahead_.begin == 0 && ahead_.size() > 0 && ahead_.size() <= block_bytes_) {
    size_ = ahead_.size();  // the front of the block is already in place
    block_ = std::move(ahead_.owner);
    ahead_ = {};
  } else {
    block_.reset();
    block_ = Allocate(block_bytes_);
    size_ = 0;
  }
  return Fill(std::max(size_, capacity));
}

Status BlockBuffer::Extend(uint64_t most) {
  const uint64_t longer = std::min<uint64_t>(size_ * 2, most);
  const uint64_t capacity = std::max<uint64_t>(longer, size_ + 1);
  std::shared_ptr<char[]> block = Allocate(capacity);
  std::memcpy(block.get(), block_.get(), size_);
  block_ = std::move(block);
  return Fill(capacity);
}

// Copies the bytes, so that a long block is not kept only for its end. The usual block has room for
// what remains of the next block.
void BlockBuffer::SetAhead(std::string_view bytes) {
  ahead_ = {};
  if (bytes.empty()) return;
  ahead_.capacity = std::max(bytes.size(), block_bytes_);
  ahead_.owner = Allocate(ahead_.capacity);
  ahead_.end = bytes.size();
  std::memcpy(ahead_.owner.get(), bytes.data(), bytes.size());
}

// Returns the block, followed by the bytes read ahead.
std::string_view BlockBuffer::WithAhead() const {
  if (ahead_.size() == 0) return bytes();
  return {ahead_.owner.get() + ahead_.begin - size_, size_ + ahead_.size()};
}

// Allocates twice the space needed: after a copy, at least as many bytes pass before the next copy.
void BlockBuffer::MakeRoomAhead(size_t more) {
  if (ahead_.size() > 0 && ahead_.end + more <= ahead_.capacity) return;
  const std::string_view held = WithAhead();
  Ahead longer;
  longer.capacity = std::max(2 * (held.size() + more), block_bytes_);
  longer.owner = Allocate(longer.capacity);
  std::memcpy(longer.owner.get(), held.data(), held.size());
  longer.begin = size_;
  longer.end = held.size();
  ahead_ = std::move(longer);
}

// Extends ahead_ to `wanted` bytes, or fewer at the end of the input. Extends it step by step,
// because a small file may falsely claim a large size.
Status BlockBuffer::ReadAhead(uint64_t wanted) {
  bool ended = false;
  while (ahead_.size() < wanted && !ended) {
    const size_t more = std::min<uint64_t>(wanted - ahead_.size(), WithAhead().size());
    MakeRoomAhead(more);
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got,
                               stream_->Read(ahead_.owner.get() + ahead_.end, more));
    ahead_.end += got;
    ended = got < more;
  }
  if (ahead_.size() > 0) return {};
  ahead_ = {};
  at_end_ = true;
  return {};
}

Result<std::string_view> BlockBuffer::Peek(uint64_t from, size_t count) {
  if (!at_end_ && from + count > size_) {
    LOOKALIKE_RETURN_IF_ERROR(ReadAhead(from + count - size_));
  }
  const std::string_view held = WithAhead();
  return held.substr(std::min<uint64_t>(from, held.size()), count);
}

void BlockBuffer::Consume(size_t count) {
  next_ = offset_ + count;
  if (ahead_.size() > 0) {
    ahead_.begin -= size_ - count;
  } else {
    SetAhead(bytes().substr(count));
  }
}

Status BlockBuffer::ConsumeThrough(char end) {
  next_ = offset_ + size_;
  const std::shared_ptr<char[]> piece = pool_.Take();
  while (!at_end_) {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, Read(piece.get(), block_bytes_));
    at_end_ = got < block_bytes_;
    const std::string_view bytes(piece.get(), got);
    const size_t found = bytes.find(end);
    if (found != std::string_view::npos) {
      next_ += found + 1;
      if (ahead_.size() > 0) {
        ahead_.begin -= got - (found + 1);
      } else {
        SetAhead(bytes.substr(found + 1));
      }
      return {};
    }
    next_ += got;
  }
  return {};
}

}  // namespace lookalike
