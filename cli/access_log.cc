#include "access_log.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "terminal.h"

namespace lookalike::cli {

struct AccessLog::Waiting {
  static constexpr size_t kMostBytes = size_t{4} << 20;

  std::mutex mutex;
  std::condition_variable changed;
  std::string lines;
  uint64_t left_out = 0;
  bool ended = false;    ///< No more lines come.
  bool written = false;  ///< All lines are written, or nobody reads them.

  /// Returns the lines that wait; none after the last.
  std::string Take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ended || !lines.empty(); });
    std::string taken = std::exchange(lines, {});
    if (left_out > 0) taken += fmt::format("{{\"left_out\":{}}}\n", std::exchange(left_out, 0));
    return taken;
  }
};

AccessLog::AccessLog() : waiting_(std::make_shared<Waiting>()) {
  thread_ = std::thread([waiting = waiting_] {
    // A log whose reader is gone must not end the server.
    for (std::string lines = waiting->Take(); !lines.empty(); lines = waiting->Take()) {
      (void)WriteOut(lines);
    }
    const std::lock_guard lock(waiting->mutex);
    waiting->written = true;
    waiting->changed.notify_all();
  });
}

AccessLog::~AccessLog() {
  std::unique_lock lock(waiting_->mutex);
  waiting_->ended = true;
  waiting_->changed.notify_all();
  const bool written =
      waiting_->changed.wait_for(lock, std::chrono::seconds(2), [&] { return waiting_->written; });
  lock.unlock();
  if (written) {
    thread_.join();
  } else {
    thread_.detach();  // it waits for a reader that does not come
  }
}

void AccessLog::Add(std::string line) {
  const std::lock_guard lock(waiting_->mutex);
  if (waiting_->lines.size() + line.size() > Waiting::kMostBytes) {
    ++waiting_->left_out;
    return;
  }
  waiting_->lines += line;
  waiting_->changed.notify_all();
}

}  // namespace lookalike::cli
