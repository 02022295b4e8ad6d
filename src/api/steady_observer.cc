#include "api/steady_observer.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace lookalike {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenReports = std::chrono::milliseconds(100);

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
  steady.cancelled = observer.cancelled;
  return steady;
}

}  // namespace lookalike
