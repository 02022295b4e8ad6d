// The number of documents over the time since a server began.
#ifndef LOOKALIKE_SERVER_GROWTH_H_
#define LOOKALIKE_SERVER_GROWTH_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace lookalike::server {

/// Samples in order of time: seconds since 1970, and documents. There are at most kMost: then every
/// second one is dropped, and from there on they are twice as far apart. Safe from several threads.
class Growth {
 public:
  using Sample = std::pair<int64_t, uint64_t>;
  static constexpr size_t kMost = 500;

  /// Returns true if it is time for a sample.
  [[nodiscard]] bool IsDue(int64_t now) const;

  /// Takes a sample if it is time for one.
  void Take(int64_t now, uint64_t documents);

  [[nodiscard]] std::vector<Sample> Samples() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Sample> samples_;
  int64_t apart_ = 1;  // seconds
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_GROWTH_H_
