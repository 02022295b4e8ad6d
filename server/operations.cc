#include "operations.h"

#include <exception>
#include <system_error>
#include <utility>

namespace lookalike::server {

std::optional<Operation> Operations::Start(const std::string& kind, std::function<Status()> work) {
  const std::lock_guard lock(mutex_);
  if (running_) return std::nullopt;
  if (thread_.joinable()) thread_.join();  // it has ended, all but for returning
  running_ = true;
  const uint64_t number = ++last_;
  Operation started;
  started.number = number;
  started.kind = kind;
  known_[number] = started;
  if (known_.size() > kRemembered) known_.erase(known_.begin());
  const auto run = [this, number, work = std::move(work)] {
    Status done;
    try {
      done = work();
    } catch (const std::exception& error) {
      done = tl::make_unexpected(Error{ErrorCode::kBug, {}, error.what(), {}});
    }
    const std::lock_guard inside(mutex_);
    Operation& ended = known_[number];
    ended.state = done ? Operation::State::kDone : Operation::State::kFailed;
    if (!done) ended.error = done.error().what;
    running_ = false;
  };
  try {
    thread_ = std::thread(run);
  } catch (const std::system_error&) {  // there are too many threads
    running_ = false;
    known_.erase(number);
    return std::nullopt;
  }
  return started;
}

std::optional<Operation> Operations::Find(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto at = known_.find(number);
  if (at == known_.end()) return std::nullopt;
  return at->second;
}

void Operations::Finish() {
  std::thread last;
  {
    const std::lock_guard lock(mutex_);
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

}  // namespace lookalike::server
