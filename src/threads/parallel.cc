// Every hand-over between oneTBB's threads is reported to ThreadSanitizer: the libtbb of
// distributions is not instrumented, and without this the sanitizer sees no order between a loop
// and the code before and after it.
#include "threads/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
// For functions that oneTBB's templates call: they read their captures before the hand-over to
// their thread is reported, and as they are not inlined into the templates, they are not frames of
// them (see tests/tsan.supp).
#define LOOKALIKE_TASK_ENTRY __attribute__((no_sanitize("thread")))
#else
#define LOOKALIKE_TASK_ENTRY
#endif

// Clang tells of AddressSanitizer, which looks for leaks too, by a feature, GCC by a macro.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOKALIKE_LEAKS_ARE_SOUGHT
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LOOKALIKE_LEAKS_ARE_SOUGHT
#endif
#ifdef LOOKALIKE_LEAKS_ARE_SOUGHT
#include <sanitizer/lsan_interface.h>
#endif

namespace lookalike {
namespace {

/// A point where one thread hands its writes to another. It orders nothing by itself: it reports to
/// ThreadSanitizer an order that oneTBB keeps. Does nothing in other builds.
class HandOver {
 public:
#ifdef __SANITIZE_THREAD__
  void Leave() { __tsan_release(this); }
  void Take() { __tsan_acquire(this); }
#else
  void Leave() {}
  void Take() {}
#endif
};

/// A scope on one thread that takes at one point and leaves at another.
class HandOverScope {
 public:
  HandOverScope(HandOver& taken, HandOver& left) : left_(left) { taken.Take(); }
  explicit HandOverScope(HandOver& point) : HandOverScope(point, point) {}
  ~HandOverScope() { left_.Leave(); }
  HandOverScope(const HandOverScope&) = delete;
  HandOverScope& operator=(const HandOverScope&) = delete;

 private:
  HandOver& left_;
};

/// The hand-overs between a loop or pipeline and its tasks: the tasks see what came before it, and
/// code after it sees what they did. There are two points because with one, a task would count as
/// ordered after those that happened to end before it began, and races between them would go
/// unseen.
class TaskGroup {
 public:
  TaskGroup() { begin_.Leave(); }
  ~TaskGroup() { end_.Take(); }
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Runs `body` as a task of this group, on any thread.
  template <class Body>
  decltype(auto) Run(Body&& body) {
    const HandOverScope task(begin_, end_);
    return body();
  }

 private:
  HandOver begin_, end_;
};

/// A task on its way to the thread that runs it.
struct PassedTask {
  std::unique_ptr<BackgroundTask> task;
  HandOver point;
};

/// Says that oneTBB holds `task` now. The leak checker cannot see into oneTBB's queues, and would
/// report a task that has not begun, with everything it holds.
void HeldByOneTbb([[maybe_unused]] const PassedTask* task) {
#ifdef LOOKALIKE_LEAKS_ARE_SOUGHT
  __lsan_ignore_object(task);
#endif
}

}  // namespace

void RunRanges(size_t begin, size_t end, size_t grain, FunctionRef<void(size_t, size_t)> body) {
  TaskGroup group;
  tbb::parallel_for(tbb::blocked_range<size_t>(begin, end, grain),
                    [&](const tbb::blocked_range<size_t>& range) LOOKALIKE_TASK_ENTRY {
                      const size_t first = range.begin(), last = range.end();
                      group.Run([&] { body(first, last); });
                    });
}

void RunPipeline(size_t in_flight, const PipelineStages& stages) {
  // Items leave in order, so a slot's previous item has left when the slot comes round.
  std::vector<HandOver> passed(in_flight);  // from stage to stage, and on to the next item
  size_t next = 0;
  HandOver reading, taking;  // from call to call
  TaskGroup group;
  const auto read = [&](tbb::flow_control& flow) LOOKALIKE_TASK_ENTRY -> size_t {
    const std::pair<size_t, bool> filled = group.Run([&] {
      const HandOverScope turn(reading);
      const size_t slot = next++ % in_flight;
      const HandOverScope stage(passed[slot]);
      return std::pair(slot, stages.read(slot));
    });
    if (!filled.second) flow.stop();
    return filled.first;
  };
  const auto work = [&](size_t slot) LOOKALIKE_TASK_ENTRY {
    group.Run([&] {
      const HandOverScope stage(passed[slot]);
      stages.work(slot);
    });
    return slot;
  };
  const auto take = [&](size_t slot) LOOKALIKE_TASK_ENTRY {
    group.Run([&] {
      const HandOverScope turn(taking), stage(passed[slot]);
      stages.take(slot);
    });
  };
  using enum tbb::filter_mode;
  tbb::parallel_pipeline(in_flight, tbb::make_filter<void, size_t>(serial_in_order, read) &
                                        tbb::make_filter<size_t, size_t>(parallel, work) &
                                        tbb::make_filter<size_t, void>(serial_in_order, take));
}

void EnqueueTask(std::unique_ptr<BackgroundTask> task) {
  auto passed = std::make_unique<PassedTask>(PassedTask{std::move(task), {}});
  passed->point.Leave();
  HeldByOneTbb(passed.get());
  tbb::task_arena(tbb::task_arena::attach())
      .enqueue([passed = passed.release()]() LOOKALIKE_TASK_ENTRY {
        const std::unique_ptr<PassedTask> owned(passed);
        owned->point.Take();
        owned->task->Run();
      });
}

void RunIsolated(FunctionRef<void()> body) {
  tbb::this_task_arena::isolate([&] { body(); });
}

void RunInArena(size_t threads, FunctionRef<void()> body) {
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] { body(); });
}

void RunOnThreads(size_t threads, FunctionRef<void()> body) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  RunInArena(threads, body);
}

size_t ThreadsHere() {
  return static_cast<size_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
}

}  // namespace lookalike
