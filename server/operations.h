// Work that takes longer than a request should: started by one, and looked at by others.
#ifndef LOOKALIKE_SERVER_OPERATIONS_H_
#define LOOKALIKE_SERVER_OPERATIONS_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "lookalike/status.h"

namespace lookalike::server {

struct Operation {
  enum class State : uint8_t { kRunning, kDone, kFailed };
  uint64_t number = 0;
  std::string kind;  ///< "compact".
  State state = State::kRunning;
  std::string error;  ///< For kFailed.
};

/// Runs one operation at a time, and remembers the last hundred. Safe from several threads.
class Operations {
 public:
  Operations() = default;
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;
  ~Operations() { Finish(); }

  /// Starts work on a thread of its own. Returns none, and starts nothing, while another operation
  /// runs, or if there can be no thread.
  std::optional<Operation> Start(const std::string& kind, std::function<Status()> work);

  [[nodiscard]] std::optional<Operation> Find(uint64_t number) const;

  /// Waits for the operation that runs.
  void Finish();

 private:
  static constexpr size_t kRemembered = 100;

  mutable std::mutex mutex_;
  std::thread thread_;
  bool running_ = false;
  uint64_t last_ = 0;
  std::map<uint64_t, Operation> known_;
};

}  // namespace lookalike::server

#endif  // LOOKALIKE_SERVER_OPERATIONS_H_
