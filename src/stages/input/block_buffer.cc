#include "stages/input/block_buffer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lookalike {

std::string_view TextArena::Copy(std::string_view text, size_t expected) {
  if (text.empty()) return {};
  if (text.size() + kReadablePadding > left_) {
    const size_t size = std::max(text.size(), pieces_.empty() ? expected : text.size() * 2);
    pieces_.push_back(std::make_unique_for_overwrite<char[]>(size + kReadablePadding));
    free_ = pieces_.back().get();
    left_ = size + kReadablePadding;
  }
  char* const begin = free_;
  std::memcpy(begin, text.data(), text.size());
  free_ += text.size();
  left_ -= text.size();
  return {begin, text.size()};
}

// What was carried over, then the stream. Fewer than `capacity` bytes only at its end.
Result<size_t> BlockBuffer::Read(char* out, size_t capacity) {
  const size_t carried = carry_.copy(out, capacity, carried_);
  carried_ += carried;
  if (carried_ == carry_.size()) {
    carry_.clear();
    carried_ = 0;
  }
  if (carried == capacity) return carried;
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t fresh, stream_->Read(out + carried, capacity - carried));
  return carried + fresh;
}

Status BlockBuffer::Allocate(size_t capacity, std::string_view front) {
  auto block = std::make_shared_for_overwrite<char[]>(capacity + kReadablePadding);
  front.copy(block.get(), front.size());
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t fresh,
                             Read(block.get() + front.size(), capacity - front.size()));
  size_ = front.size() + fresh;
  at_end_ = size_ < capacity;
  std::memset(block.get() + size_, 0, kReadablePadding);
  block_ = std::move(block);
  return {};
}

Status BlockBuffer::Start() {
  offset_ = next_;
  return Allocate(block_bytes_, {});
}

Status BlockBuffer::Extend(uint64_t most) {
  const std::shared_ptr<char[]> old = block_;
  const uint64_t longer = std::min<uint64_t>(size_ * 2, most);
  return Allocate(std::max<uint64_t>(longer, size_ + 1), {old.get(), size_});
}

void BlockBuffer::Consume(size_t count) {
  next_ = offset_ + count;
  std::string carry(block_.get() + count, size_ - count);
  carry.append(carry_, carried_);
  carry_ = std::move(carry);
  carried_ = 0;
}

Status BlockBuffer::ConsumeThrough(char end) {
  next_ = offset_ + size_;
  std::vector<char> piece(block_bytes_);
  while (!at_end_) {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, Read(piece.data(), piece.size()));
    at_end_ = got < piece.size();
    const std::string_view bytes(piece.data(), got);
    const size_t found = bytes.find(end);
    if (found != std::string_view::npos) {
      next_ += found + 1;
      carry_ = std::string(bytes.substr(found + 1)).append(carry_, carried_);
      carried_ = 0;
      return {};
    }
    next_ += got;
  }
  return {};
}

}  // namespace lookalike
