// Jobs that are done before they are needed, by whichever thread comes first, and taken in order.
#ifndef LOOKALIKE_THREADS_WORK_AHEAD_H_
#define LOOKALIKE_THREADS_WORK_AHEAD_H_

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "threads/parallel.h"

namespace lookalike {

/// A queue of jobs, each of which is claimed once: by a thread of the caller's task arena that has
/// nothing else to do, or by the caller when it needs the job or would have to wait for another. So
/// nobody waits for a job that no thread has begun. With one thread nothing is handed over. `Job`
/// is movable; its `void Run()` runs on any thread, must not throw and waits for nobody. Not
/// thread-safe itself.
template <class Job>
class WorkAhead {
 public:
  /// The result of TakeFirst().
  struct Taken {
    Job job;
    bool done;  ///< True if Run() was called. If not, the caller must call it.
  };

  WorkAhead() = default;
  ~WorkAhead() { Drop(); }
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  void Add(Job job) {
    slots_.push_back(std::make_shared<Slot>(std::move(job)));
    if (ThreadsHere() == 1) return;
    RunInBackground([slot = slots_.back()] {
      if (slot->Claim()) slot->Run();
    });
  }

  [[nodiscard]] size_t size() const { return slots_.size(); }

  /// True if TakeFirst() would neither wait nor return a job that is not done.
  [[nodiscard]] bool FirstIsDone() const {
    return !slots_.empty() && slots_.front()->state == Slot::kDone;
  }

  /// Returns the job that was added first. While another thread is running it, this thread works on
  /// later jobs. REQUIRES: the queue is not empty.
  Taken TakeFirst() { return TakeFirst(/*runs=*/false); }

  /// Does the same, and runs the job if no thread has.
  Job TakeFirstDone() { return TakeFirst(/*runs=*/true).job; }

  /// Forgets the jobs that have not begun, then those under way, when they are done.
  void Drop() {
    for (const auto& slot : slots_) {
      if (!slot->Claim()) continue;
      slot->state = Slot::kDone;
    }
    for (const auto& slot : slots_) {
      slot->Wait();
      slot->job.reset();
    }
    slots_.clear();
  }

 private:
  Taken TakeFirst(bool runs) {
    const std::shared_ptr<Slot> first = std::move(slots_.front());
    slots_.pop_front();
    const bool claimed = first->Claim();
    if (claimed && runs) first->Run();
    if (!claimed) {
      for (const auto& slot : slots_) {
        if (first->state == Slot::kDone) break;
        if (slot->Claim()) slot->Run();
      }
      first->Wait();
    }
    // Whoever runs a job, others could have run it meanwhile, unless it is the only one.
    if (slots_.empty()) AddToSpan(first->span);
    Taken taken = {*std::move(first->job), !claimed || runs};
    first->job.reset();  // a task that starts too late may still hold the slot
    return taken;
  }

  struct Slot {
    enum State : int { kWaiting, kClaimed, kDone };

    explicit Slot(Job given) : job(std::move(given)) {}

    [[nodiscard]] bool Claim() {
      int waiting = kWaiting;
      return state.compare_exchange_strong(waiting, kClaimed);
    }

    // REQUIRES: claimed.
    void Run() {
      span = SpanBeside([this] { job->Run(); });
      state = kDone;
      state.notify_all();
    }

    // REQUIRES: claimed.
    void Wait() const {
      while (state != kDone) state.wait(kClaimed);
    }

    std::optional<Job> job;
    double span = 0;  // of Run(), in seconds
    std::atomic<int> state = kWaiting;
  };

  std::deque<std::shared_ptr<Slot>> slots_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_THREADS_WORK_AHEAD_H_
