// Objects that are used again, with the memory that they hold.
#ifndef LOOKALIKE_THREADS_SPARES_H_
#define LOOKALIKE_THREADS_SPARES_H_

#include <mutex>
#include <utility>
#include <vector>

namespace lookalike {

/// Keeps objects between uses. There are as many as were in use at a time. Safe from several
/// threads.
template <class T>
class Spares {
 public:
  /// Returns an object as its last user left it, or a new one.
  [[nodiscard]] T Take() {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return T();
    T taken = std::move(spares_.back());
    spares_.pop_back();
    return taken;
  }

  void Return(T used) {
    const std::lock_guard lock(mutex_);
    spares_.push_back(std::move(used));
  }

 private:
  std::mutex mutex_;
  std::vector<T> spares_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_THREADS_SPARES_H_
