#include "io/remote_input.h"

#include <algorithm>
#include <span>
#include <system_error>

namespace lookalike {
namespace {

constexpr uint64_t kFirstPiece = uint64_t{64} << 10;

/// Bytes of a request after the expected end, where a record that began before it may go on.
constexpr uint64_t kPieceAfterEnd = uint64_t{64} << 10;

/// Calls `read` on a thread of its own, or, where none can be started, when it is waited for.
template <class Function>
std::future<Result<std::string>> InBackground(Function read) {
  try {
    return std::async(std::launch::async, read);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, read);
  }
}

}  // namespace

void RemoteReader::Request(uint64_t until) {
  const uint64_t offset = requested_;
  requested_ = until;
  ahead_.push_back(InBackground([file = file_, offset, until]() -> Result<std::string> {
    std::string piece(until - offset, '\0');
    LOOKALIKE_RETURN_IF_ERROR(ReadFully(*file, offset, std::as_writable_bytes(std::span(piece))));
    return piece;
  }));
}

/// Returns the length of the next request; 0 if it is too early for one.
uint64_t RemoteReader::NextBytes() const {
  if (pieces_.whole) return pieces_.bytes;
  const uint64_t read = taken_ - begin_, early = requested_ - taken_;
  if (read == 0) return early == 0 ? std::min(kFirstPiece, pieces_.bytes) : 0;
  return early < read ? std::min(read - early, pieces_.bytes) : 0;
}

void RemoteReader::RequestAhead() {
  while (ahead_.size() < pieces_.ahead && requested_ < until_) {
    const uint64_t bytes = NextBytes();
    if (bytes == 0) break;
    Request(std::min(requested_ + bytes, until_));
  }
}

Result<std::string> RemoteReader::Next() {
  if (failed_) return tl::make_unexpected(*failed_);
  RequestAhead();
  const uint64_t size = file_->size();
  if (ahead_.empty() && requested_ < size) Request(std::min(requested_ + kPieceAfterEnd, size));
  if (ahead_.empty()) return std::string();
  std::future<Result<std::string>> next = std::move(ahead_.front());
  ahead_.pop_front();
  auto piece = next.get();
  if (!piece) {
    failed_ = piece.error();
    return piece;
  }
  taken_ += piece->size();
  RequestAhead();  // while the caller is busy with this one
  return piece;
}

Result<size_t> RemoteReader::Read(char* out, size_t capacity) {
  size_t filled = 0;
  while (filled < capacity) {
    if (used_ == piece_.size()) {
      piece_ = {};  // before the next is there
      used_ = 0;
      LOOKALIKE_ASSIGN_OR_RETURN(piece_, Next());
      if (piece_.empty()) break;
    }
    const size_t some = std::min(capacity - filled, piece_.size() - used_);
    std::copy_n(piece_.data() + used_, some, out + filled);
    filled += some;
    used_ += some;
  }
  return filled;
}

void RemoteReader::Seek(uint64_t offset) {
  ahead_.clear();
  piece_.clear();
  used_ = 0;
  begin_ = taken_ = requested_ = std::min(offset, file_->size());
}

void RemoteReader::ExpectUntil(uint64_t offset) { until_ = std::min(offset, file_->size()); }

}  // namespace lookalike
