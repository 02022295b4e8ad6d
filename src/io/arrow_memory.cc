#include "io/arrow_memory.h"

#include <arrow/memory_pool.h>
#include <arrow/status.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace lookalike {
namespace {

constexpr int64_t kAlignment = 64;
constexpr int64_t kLeast = int64_t{256} << 10;  // the C library caches smaller blocks
constexpr int64_t kLeastRoom = int64_t{2} << 20;
constexpr int64_t kMostDoubled = int64_t{16} << 20;  // sizes up to here are powers of two,
constexpr int64_t kStep = int64_t{8} << 20;          // larger ones multiples of this
constexpr int64_t kLeastIdle = int64_t{32} << 20;
constexpr int64_t kMostIdle = int64_t{192} << 20;

// A header before each block of kLeast or more bytes.
struct Header {
  alignas(kAlignment) int64_t room;  // capacity of the block
  int64_t touched;                   // bytes of it that were written to, as far as is known
};

class Reused final : public arrow::MemoryPool {
 public:
  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;

  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override {
    if (!IsOurs(size, alignment)) return small_->Allocate(size, alignment, out);
    const int64_t room = RoomFor(size);
    Header* header = Pop(room);
    if (header == nullptr) header = Make(room);
    if (header == nullptr) return arrow::Status::OutOfMemory("malloc of size ", size, " failed");
    *out = reinterpret_cast<uint8_t*>(header + 1);
    stats_.DidAllocateBytes(size);
    return arrow::Status::OK();
  }

  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                           uint8_t** ptr) override {
    const bool was_ours = IsOurs(old_size, alignment), is_ours = IsOurs(new_size, alignment);
    if (!was_ours && !is_ours) return small_->Reallocate(old_size, new_size, alignment, ptr);
    const int64_t written = std::min(old_size, new_size);
    const bool stays = was_ours && is_ours && !IsMuchTooLarge(*HeaderOf(*ptr), new_size);
    if (stays && (new_size <= HeaderOf(*ptr)->room || Grow(new_size, ptr))) {
      Touch(HeaderOf(*ptr), written);
      stats_.DidReallocateBytes(old_size, new_size);
      return arrow::Status::OK();
    }
    uint8_t* moved = nullptr;
    ARROW_RETURN_NOT_OK(Allocate(new_size, alignment, &moved));
    std::memcpy(moved, *ptr, static_cast<size_t>(written));
    if (was_ours) {
      GiveBack(*ptr, old_size, written);
    } else {
      small_->Free(*ptr, old_size, alignment);
    }
    *ptr = moved;
    return arrow::Status::OK();
  }

  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override {
    if (!IsOurs(size, alignment)) return small_->Free(buffer, size, alignment);
    GiveBack(buffer, size, size);
  }

  void ReleaseUnused() override {
    const std::scoped_lock lock(mutex_);
    for (Header* header : idle_) Drop(header);
    idle_.clear();
    idle_bytes_ = 0;
  }

  void KeepIdle(int64_t most) { most_idle_ = most; }

  [[nodiscard]] int64_t idle_bytes() {
    const std::scoped_lock lock(mutex_);
    return idle_bytes_;
  }

  int64_t bytes_allocated() const override { return stats_.bytes_allocated(); }
  int64_t max_memory() const override { return stats_.max_memory(); }
  int64_t total_bytes_allocated() const override { return stats_.total_bytes_allocated(); }
  int64_t num_allocations() const override { return stats_.num_allocations(); }
  std::string backend_name() const override { return "reused"; }

 private:
  static bool IsOurs(int64_t size, int64_t alignment) {
    return size >= kLeast && alignment <= kAlignment;
  }

  // There are few sizes, so that blocks can be reused, and they are generous, so that buffers can
  // grow without being copied. Bytes that are never written take no memory.
  static int64_t RoomFor(int64_t size) {
    if (size > kMostDoubled) return (size + kStep - 1) / kStep * kStep;
    const auto least = static_cast<uint64_t>(std::max(size, kLeastRoom));
    return static_cast<int64_t>(std::bit_ceil(least));
  }

  // A block may be half as large again as what is wanted, so that the pages of one row group can
  // hold those of the next.
  static bool Fits(const Header& idle, int64_t room) {
    return idle.room >= room && idle.room <= room + room / 2;
  }

  // True if a buffer should move to a smaller block. The reader of Parquet reserves as much for
  // each batch as the rest of a page holds; who keeps such a batch would keep many times its
  // memory.
  static bool IsMuchTooLarge(const Header& header, int64_t size) {
    return RoomFor(size) <= header.room / 4;
  }

  // Ends the use of a buffer of `size` bytes, of which so many were written to.
  void GiveBack(uint8_t* buffer, int64_t size, int64_t written) {
    stats_.DidFreeBytes(size);
    Touch(HeaderOf(buffer), written);
    Push(HeaderOf(buffer));
  }

  static void Touch(Header* header, int64_t size) {
    header->touched = std::max(header->touched, size);
  }

  static Header* HeaderOf(uint8_t* buffer) { return reinterpret_cast<Header*>(buffer) - 1; }

  static size_t BytesOf(int64_t room) { return static_cast<size_t>(room) + sizeof(Header); }

  // Pages of the system, which it can move when a block grows.
  static Header* Make(int64_t room) {
    void* const pages =
        mmap(nullptr, BytesOf(room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    auto* const header = static_cast<Header*>(pages);
    header->room = room;
    header->touched = 0;
    return header;
  }

  static void Drop(Header* header) { munmap(header, BytesOf(header->room)); }

  // Makes a block larger if no idle one is large enough: the system moves its pages instead of
  // copying them into fresh ones. Returns false if another block is needed, and *ptr is as it was.
  bool Grow(int64_t size, uint8_t** ptr) {
    Header* const header = HeaderOf(*ptr);
    const int64_t room = RoomFor(size);
    if (HasIdle(room)) return false;
    void* const grown = mremap(header, BytesOf(header->room), BytesOf(room), MREMAP_MAYMOVE);
    if (grown == MAP_FAILED) return false;
    auto* const moved = static_cast<Header*>(grown);
    moved->room = room;
    *ptr = reinterpret_cast<uint8_t*>(moved + 1);
    return true;
  }

  bool HasIdle(int64_t room) {
    const std::scoped_lock lock(mutex_);
    return std::any_of(idle_.begin(), idle_.end(),
                       [room](const Header* idle) { return Fits(*idle, room); });
  }

  // Prefers the block that was returned last, which is the likeliest to be in the cache.
  Header* Pop(int64_t room) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(idle_.rbegin(), idle_.rend(),
                                    [room](const Header* idle) { return Fits(*idle, room); });
    if (found == idle_.rend()) return nullptr;
    Header* const header = *found;
    idle_.erase(std::next(found).base());
    idle_bytes_ -= header->touched;
    return header;
  }

  // The blocks that were idle longest are freed first. A block of an unusual size would hardly be
  // requested again.
  void Push(Header* header) {
    // A block of more than half of what may be idle would displace the others.
    if (header->touched > most_idle_ / 2) return Drop(header);
    const std::scoped_lock lock(mutex_);
    idle_.push_back(header);
    idle_bytes_ += header->touched;
    while (idle_bytes_ > most_idle_) {
      idle_bytes_ -= idle_.front()->touched;
      Drop(idle_.front());
      idle_.pop_front();
    }
  }

  arrow::MemoryPool* const small_ = arrow::system_memory_pool();
  arrow::internal::MemoryPoolStats stats_;
  std::mutex mutex_;
  std::deque<Header*> idle_;  // the block that was returned last is at the end
  std::atomic<int64_t> most_idle_ = kLeastIdle;
  int64_t idle_bytes_ = 0;
};

// Never destroyed: other objects that live as long may return buffers later.
Reused& ThePool() {
  static auto* const pool = new Reused;
  return *pool;
}

/// The size of a buffer that was refused.
class TooLargeBuffer : public arrow::StatusDetail {
 public:
  static constexpr const char* kTypeId = "lookalike::TooLargeBuffer";

  explicit TooLargeBuffer(int64_t size) : size_(size) {}
  const char* type_id() const override { return kTypeId; }
  std::string ToString() const override { return {}; }
  [[nodiscard]] int64_t size() const { return size_; }

 private:
  int64_t size_;
};

class UpTo final : public arrow::MemoryPool {
 public:
  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;

  explicit UpTo(int64_t most) : most_(most) {}

  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override {
    if (size > most_) return Refuse(size);
    return ThePool().Allocate(size, alignment, out);
  }
  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                           uint8_t** ptr) override {
    if (new_size > most_) return Refuse(new_size);
    return ThePool().Reallocate(old_size, new_size, alignment, ptr);
  }
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override {
    ThePool().Free(buffer, size, alignment);
  }
  int64_t bytes_allocated() const override { return ThePool().bytes_allocated(); }
  int64_t max_memory() const override { return ThePool().max_memory(); }
  int64_t total_bytes_allocated() const override { return ThePool().total_bytes_allocated(); }
  int64_t num_allocations() const override { return ThePool().num_allocations(); }
  std::string backend_name() const override { return ThePool().backend_name(); }

 private:
  static arrow::Status Refuse(int64_t size) {
    return arrow::Status::OutOfMemory("a buffer of ", size, " bytes is too large")
        .WithDetail(std::make_shared<TooLargeBuffer>(size));
  }

  int64_t most_;
};

}  // namespace

arrow::MemoryPool* ReusedMemory() { return &ThePool(); }

void KeepIdleMemoryFor(uint64_t memory) {
  constexpr uint64_t kShare = 8;
  ThePool().KeepIdle(std::clamp(static_cast<int64_t>(memory / kShare), kLeastIdle, kMostIdle));
}

arrow::MemoryPool* ReusedMemoryUpTo(int64_t most) {
  static std::mutex mutex;
  static auto* const pools = new std::map<int64_t, UpTo>;
  const std::scoped_lock lock(mutex);
  return &pools->try_emplace(most, most).first->second;
}

int64_t RefusedBytes(const arrow::Status& status) {
  const auto& detail = status.detail();
  if (detail == nullptr || detail->type_id() != std::string_view(TooLargeBuffer::kTypeId)) return 0;
  return static_cast<const TooLargeBuffer&>(*detail).size();
}

int64_t IdleReusedMemory() { return ThePool().idle_bytes(); }

}  // namespace lookalike
