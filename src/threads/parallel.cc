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
#include <atomic>
#include <cstdint>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
// Marks functions that oneTBB's templates call. They read their captures before the hand-over to
// their thread is reported, and are not covered by the suppressions for the templates, because they
// are not inlined into them (see tests/tsan.supp).
#define LOOKALIKE_TASK_ENTRY __attribute__((no_sanitize("thread")))
#else
#define LOOKALIKE_TASK_ENTRY
#endif

// Clang announces AddressSanitizer, which also looks for leaks, by a feature; GCC does so by a
// macro.
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

/// The hand-overs between a loop or pipeline and its tasks: the tasks see what the caller did
/// before starting them, and the caller sees afterwards what they did. There are two points because
/// with a single one, a task would count as ordered after all tasks that happened to end before it
/// began, and races between them would go unseen.
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

/// Nanoseconds of processor time.
using Nanos = int64_t;

/// Returns the processor time of this thread so far.
Nanos ThreadTime() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Nanos{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// The span of the task that this thread is in: what was added up, and since when the thread's time
/// has to be added.
struct Span {
  Nanos before = 0, since = 0;

  [[nodiscard]] Nanos At(Nanos time) const { return before + time - since; }
};

thread_local Span span_here;

/// Calls `body()` as a task and returns its span. A task around it on this thread waits for a loop
/// or pipeline, and goes on as if no time had passed.
template <class Body>
Nanos SpanOf(const Body& body) {
  const Nanos begin = ThreadTime();
  const Nanos around = span_here.At(begin);
  span_here = {0, begin};
  body();
  const Nanos end = ThreadTime();
  const Nanos span = span_here.At(end);
  span_here = {around, end};
  return span;
}

/// Calls `run() -> Nanos`, a loop or pipeline that returns its longest chain, and adds that to the
/// caller's span instead of the time that its thread spends meanwhile.
template <class Run>
void AddSpanOf(const Run& run) {
  const Nanos before = span_here.At(ThreadTime());
  const Nanos chain = run();
  span_here = {before + chain, ThreadTime()};
}

/// The longest of the spans of tasks that do not wait for each other.
class LongestSpan {
 public:
  void Add(Nanos span) {
    Nanos longest = longest_.load(std::memory_order_relaxed);
    while (longest < span &&
           !longest_.compare_exchange_weak(longest, span, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] Nanos get() const { return longest_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Nanos> longest_ = 0;
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
  AddSpanOf([&] {
    LongestSpan longest;
    TaskGroup group;
    tbb::parallel_for(tbb::blocked_range<size_t>(begin, end, grain),
                      [&](const tbb::blocked_range<size_t>& range) LOOKALIKE_TASK_ENTRY {
                        const size_t first = range.begin(), last = range.end();
                        group.Run([&] {
                          const Nanos span = SpanOf([&] { body(first, last); });
                          const size_t parts = std::max<size_t>(1, (last - first) / grain);
                          longest.Add(span / static_cast<Nanos>(parts));
                        });
                      });
    return longest.get();
  });
}

void RunPipeline(size_t in_flight, const PipelineStages& stages) {
  // Items leave in order, so a slot's previous item has left when the slot comes round.
  std::vector<HandOver> passed(in_flight);  // from stage to stage, and on to the next item
  // The ends of the longest chains: with the item of a slot, with the last one read and taken.
  std::vector<Nanos> worked(in_flight);
  Nanos read_end = 0, taken_end = 0;
  size_t next = 0;
  HandOver reading, taking;  // from call to call
  const auto run = [&] {
    TaskGroup group;
    const auto read = [&](tbb::flow_control& flow) LOOKALIKE_TASK_ENTRY -> size_t {
      const std::pair<size_t, bool> filled = group.Run([&] {
        const HandOverScope turn(reading);
        const size_t slot = next++ % in_flight;
        const HandOverScope stage(passed[slot]);
        bool more = false;
        read_end += SpanOf([&] { more = stages.read(slot); });
        worked[slot] = read_end;
        return std::pair(slot, more);
      });
      if (!filled.second) flow.stop();
      return filled.first;
    };
    const auto work = [&](size_t slot) LOOKALIKE_TASK_ENTRY {
      group.Run([&] {
        const HandOverScope stage(passed[slot]);
        worked[slot] += SpanOf([&] { stages.work(slot); });
      });
      return slot;
    };
    const auto take = [&](size_t slot) LOOKALIKE_TASK_ENTRY {
      group.Run([&] {
        const HandOverScope turn(taking), stage(passed[slot]);
        const Nanos span = SpanOf([&] { stages.take(slot); });
        taken_end = std::max(taken_end, worked[slot]) + span;
      });
    };
    using enum tbb::filter_mode;
    tbb::parallel_pipeline(in_flight, tbb::make_filter<void, size_t>(serial_in_order, read) &
                                          tbb::make_filter<size_t, size_t>(parallel, work) &
                                          tbb::make_filter<size_t, void>(serial_in_order, take));
  };
  AddSpanOf([&] {
    run();
    return std::max(read_end, taken_end);
  });
}

void EnqueueTask(std::unique_ptr<BackgroundTask> task) {
  auto passed = std::make_unique<PassedTask>(PassedTask{std::move(task), {}});
  passed->point.Leave();
  HeldByOneTbb(passed.get());
  tbb::task_arena(tbb::task_arena::attach())
      .enqueue([passed = passed.release()]() LOOKALIKE_TASK_ENTRY {
        const std::unique_ptr<PassedTask> owned(passed);
        owned->point.Take();
        SpanOf([&] { owned->task->Run(); });
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

double SpanSeconds() { return static_cast<double>(span_here.At(ThreadTime())) * 1e-9; }

double SpanBeside(FunctionRef<void()> body) {
  return static_cast<double>(SpanOf([&] { body(); })) * 1e-9;
}

void AddToSpan(double seconds) { span_here.before += static_cast<Nanos>(seconds * 1e9); }

size_t ThreadsHere() {
  return static_cast<size_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
}

}  // namespace lookalike
