#include "operations.h"

#include <utility>

namespace lookalike::server {

std::optional<Operation> Operations::Start(const std::string& kind, std::function<Status()> work) {
  const std::lock_guard lock(mutex_);
  if (running_) return std::nullopt;
  if (thread_.joinable()) thread_.join();  // it has ended, all but for returning
  running_ = true;
  const uint64_t number = ++last_;
  Operation& started = known_[number];
  started.number = number;
  started.kind = kind;
  if (known_.size() > kRemembered) known_.erase(known_.begin());
  thread_ = std::thread([this, number, work = std::move(work)] {
    const Status done = work();
    const std::lock_guard inside(mutex_);
    Operation& ended = known_[number];
    ended.state = done ? Operation::State::kDone : Operation::State::kFailed;
    if (!done) ended.error = done.error().what;
    running_ = false;
  });
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
