#include "api/steady_observer.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace lookalike {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenReports = std::chrono::milliseconds(100);

constexpr auto kBetweenQuestions = std::chrono::milliseconds(5);

/// What observers are asked is asked from any thread, and often: most times the last answer will
/// do, and one that says stop is final.
std::function<bool()> AskSometimes(const Observer& observer) {
  struct Answer {
    std::atomic<bool> stop = false;
    std::atomic<Clock::rep> next = 0;  // when to ask again
  };
  return [&observer, answer = std::make_shared<Answer>()] {
    if (answer->stop.load(std::memory_order_relaxed)) return true;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep next = answer->next.load(std::memory_order_relaxed);
    const Clock::rep after = now + Clock::duration(kBetweenQuestions).count();
    if (now < next || !answer->next.compare_exchange_strong(next, after)) return false;
    if (observer.cancelled()) answer->stop = true;
    return answer->stop.load();
  };
}

struct Shared {
  std::mutex mutex;
  std::string stage;
  Clock::time_point last;
};

}  // namespace

Observer MakeSteady(const Observer& observer) {
  const auto shared = std::make_shared<Shared>();
  Observer steady;
  if (observer.progress) {
    steady.progress = [shared, &observer](const Progress& progress) {
      const std::lock_guard lock(shared->mutex);
      const auto now = Clock::now();
      const bool edge = progress.stage != shared->stage || progress.done == progress.total;
      if (!edge && now - shared->last < kBetweenReports) return;
      shared->stage = progress.stage;
      shared->last = now;
      observer.progress(progress);
    };
  }
  if (observer.message) {
    steady.message = [shared, &observer](std::string_view line) {
      const std::lock_guard lock(shared->mutex);
      observer.message(line);
    };
  }
  if (observer.cancelled) steady.cancelled = AskSometimes(observer);
  return steady;
}

}  // namespace lookalike
