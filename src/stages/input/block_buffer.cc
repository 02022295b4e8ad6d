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

Status BlockBuffer::Allocate(size_t capacity, std::string_view front) {
  auto block = std::make_shared_for_overwrite<char[]>(capacity + kReadablePadding);
  std::memcpy(block.get(), front.data(), front.size());
  LOOKALIKE_ASSIGN_OR_RETURN(const size_t fresh,
                             stream_->Read(block.get() + front.size(), capacity - front.size()));
  size_ = front.size() + fresh;
  at_end_ = size_ < capacity;
  std::memset(block.get() + size_, 0, kReadablePadding);
  block_ = std::move(block);
  return {};
}

Status BlockBuffer::Start() {
  const std::string front = std::exchange(carry_, {});
  return Allocate(front.size() + block_bytes_, front);
}

Status BlockBuffer::Extend(uint64_t most) {
  const std::shared_ptr<char[]> old = block_;
  const uint64_t longer = std::min<uint64_t>(size_ * 2, most);
  return Allocate(std::max<uint64_t>(longer, size_ + 1), {old.get(), size_});
}

void BlockBuffer::Consume(size_t count) { carry_.assign(block_.get() + count, size_ - count); }

Result<uint64_t> BlockBuffer::ConsumeThrough(char end) {
  carry_.clear();
  uint64_t dropped = 0;
  std::vector<char> piece(block_bytes_);
  while (!at_end_) {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t got, stream_->Read(piece.data(), piece.size()));
    at_end_ = got < piece.size();
    const std::string_view bytes(piece.data(), got);
    const size_t found = bytes.find(end);
    if (found != std::string_view::npos) {
      carry_ = bytes.substr(found + 1);
      return dropped + found + 1;
    }
    dropped += got;
  }
  return dropped;
}

}  // namespace lookalike
