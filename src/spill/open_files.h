// The files that runs keep open between reads.
#ifndef LOOKALIKE_SPILL_OPEN_FILES_H_
#define LOOKALIKE_SPILL_OPEN_FILES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "io/file_system.h"

namespace lookalike {

/// Keeps some files open, to stay below the limit of a process (1024 in most places). Where there
/// are more, a file takes the place of any other, so that files that are no longer read stand in
/// nobody's way. It does not take that of the file that was read longest ago: where more files are
/// read in turn, that one is needed next. Safe from several threads.
class OpenFiles {
 public:
  using File = std::shared_ptr<const RandomAccessFile>;
  static constexpr size_t kMost = 512;

  /// The file of one run while it is open.
  class Slot {
   public:
    /// Returns the file; null if it is not open.
    [[nodiscard]] File Get() const {
      const std::lock_guard lock(mutex_);
      return file_;
    }

   private:
    friend class OpenFiles;

    /// Returns the file that was there.
    File Set(File file) {
      const std::lock_guard lock(mutex_);
      return std::exchange(file_, std::move(file));
    }

    mutable std::mutex mutex_;
    File file_;
  };

  /// Keeps the file of a slot open until the slot ends, or another file takes its place.
  void Keep(const std::shared_ptr<Slot>& slot, File file) {
    File closed;  // without the lock
    const std::lock_guard lock(mutex_);
    const std::shared_ptr<Slot> before = std::exchange(places_[NextPlace()], slot).lock();
    if (before != nullptr && before != slot) closed = before->Set(nullptr);
    slot->Set(std::move(file));
  }

 private:
  /// Returns a place that was never used, or that of a slot that has ended if a few looks find one,
  /// or else any.
  size_t NextPlace() {
    constexpr int kLooks = 4;
    if (used_ < kMost) return used_++;
    size_t place = 0;
    for (int look = 0; look < kLooks; ++look) {
      random_ = random_ * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019;  // its upper bits are good
      place = (random_ >> 32) % kMost;
      if (places_[place].expired()) break;
    }
    return place;
  }

  std::mutex mutex_;  // guards the members below
  std::array<std::weak_ptr<Slot>, kMost> places_;
  size_t used_ = 0;  // of the places
  uint64_t random_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_OPEN_FILES_H_
