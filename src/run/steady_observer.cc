#include "run/steady_observer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace lookalike {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenReports = std::chrono::milliseconds(100);

constexpr auto kBetweenQuestions = std::chrono::milliseconds(5);

/// Limits how often an observer is asked. Calls come often and from any thread, so usually the last
/// answer is reused; an answer to stop is final.
class CancelPoll {
 public:
  bool Ask(const Observer& observer) {
    if (stop_.load(std::memory_order_relaxed)) return true;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep next = next_.load(std::memory_order_relaxed);
    const Clock::rep after = now + Clock::duration(kBetweenQuestions).count();
    if (now < next || !next_.compare_exchange_strong(next, after)) return false;
    if (observer.cancelled()) stop_ = true;
    return stop_.load();
  }

  /// Makes the next call of Ask() ask: a caller may decide to stop a run because of a report.
  void AskNext() { next_ = 0; }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<Clock::rep> next_ = 0;  ///< When to ask again.
};

/// Returns the stages that find pairs. Weights come from mixed text in which a third of the
/// documents has a near-duplicate.
std::vector<StageShare> StagesOfSearch(const Choices& choices) {
  std::vector<StageShare> stages = {{"fingerprint", 1}};
  if (choices.method.kind != MethodOption::Kind::kExact) stages.push_back({"join", .1});
  stages.push_back({"sets", .4});
  if (choices.method.merges()) stages.push_back({"merge", .2});
  stages.push_back({"verify", .1});
  return stages;
}

/// Returns the share of all stages that is done when one is at `progress`; 0 if it is not among
/// them.
double ShareOfRun(const std::vector<StageShare>& stages, const Progress& progress) {
  double before = 0, all = 0, now = -1;
  for (const StageShare& stage : stages) {
    if (stage.stage == progress.stage) {
      const double total = std::max(1.0, static_cast<double>(progress.total));
      now = before + stage.weight * std::min(1.0, static_cast<double>(progress.done) / total);
    }
    before = all += stage.weight;
  }
  return now < 0 ? 0 : now / all;
}

struct Shared {
  CancelPoll question;
  std::mutex mutex;
  std::string stage;
  Clock::time_point last;
  double of_run = 0;  ///< The highest value so far.
};

}  // namespace

std::vector<StageShare> DedupStages(const Choices& choices) {
  std::vector<StageShare> stages = StagesOfSearch(choices);
  stages.push_back({"write", .5});
  if (choices.measures_containment()) stages.push_back({"evidence", .4});
  return stages;
}

std::vector<StageShare> SearchStages(const Choices& choices) {
  std::vector<StageShare> stages = StagesOfSearch(choices);
  stages.push_back({"names", .2});
  return stages;
}

Observer MakeSteady(const Observer& observer, std::vector<StageShare> stages) {
  const auto shared = std::make_shared<Shared>();
  Observer steady;
  if (observer.progress) {
    steady.progress = [shared, stages = std::move(stages), &observer](const Progress& progress) {
      const std::lock_guard lock(shared->mutex);
      const auto now = Clock::now();
      const bool edge = progress.stage != shared->stage || progress.done == progress.total;
      if (!edge && now - shared->last < kBetweenReports) return;
      shared->stage = progress.stage;
      shared->last = now;
      Progress told = progress;
      const double of_run = ShareOfRun(stages, progress);
      if (of_run > 0) told.of_run = shared->of_run = std::max(of_run, shared->of_run);
      observer.progress(told);
      shared->question.AskNext();
    };
  }
  if (observer.message) {
    steady.message = [shared, &observer](std::string_view line) {
      const std::lock_guard lock(shared->mutex);
      observer.message(line);
    };
  }
  if (observer.cancelled) {
    steady.cancelled = [shared, &observer] { return shared->question.Ask(observer); };
  }
  return steady;
}

}  // namespace lookalike
