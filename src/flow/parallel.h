// Parallel loops, sorting and the ordered pipeline: oneTBB's, with every hand-over between its
// threads reported to ThreadSanitizer. The libtbb of distributions is not instrumented: without
// this the sanitizer sees no order between a loop and the code before and after it.
//
// In other builds these are just tbb::parallel_for, tbb::parallel_sort and tbb::parallel_pipeline.
// All of src/ uses them instead of oneTBB's own.
#ifndef LOOKALIKE_FLOW_PARALLEL_H_
#define LOOKALIKE_FLOW_PARALLEL_H_

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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

namespace lookalike {

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

/// Calls `body(i)` for every i of [begin, end), in parallel and in any order.
template <class Index, class Body>
void ParallelFor(Index begin, Index end, const Body& body) {
  TaskGroup group;
  tbb::parallel_for(begin, end, [&](Index i) LOOKALIKE_TASK_ENTRY { group.Run([&] { body(i); }); });
}

/// Calls `body(first, last)` for ranges that make up [begin, end), in parallel and in any order.
/// Ranges of up to `grain` are not divided.
template <class Index, class Body>
void ParallelForRanges(Index begin, Index end, size_t grain, const Body& body) {
  TaskGroup group;
  tbb::parallel_for(tbb::blocked_range<Index>(begin, end, grain),
                    [&](const tbb::blocked_range<Index>& range) LOOKALIKE_TASK_ENTRY {
                      const Index first = range.begin(), last = range.end();
                      group.Run([&] { body(first, last); });
                    });
}

/// Sorts in parallel, not stably. Uses one thread under ThreadSanitizer: the elements are moved
/// about within oneTBB's templates, where no hand-over can be reported.
template <class Iterator, class Less = std::less<>>
void ParallelSort(Iterator begin, Iterator end, const Less& less = {}) {
#ifdef __SANITIZE_THREAD__
  std::sort(begin, end, less);
#else
  tbb::parallel_sort(begin, end, less);
#endif
}

/// Returns the number of threads that may work in the caller's task arena, the caller included.
inline size_t ThreadsHere() {
  return static_cast<size_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
}

/// Has a thread of the caller's task arena call `task()` when it has nothing else to do, even after
/// the caller is gone; the task sees what came before. Nothing can wait for it; `task` must not
/// throw.
template <class Task>
void RunSometime(Task task) {
  struct Passed {
    Task task;
    HandOver point;
  };
  auto passed = std::make_unique<Passed>(Passed{std::move(task), {}});
  passed->point.Leave();
  tbb::task_arena(tbb::task_arena::attach())
      .enqueue([passed = passed.release()]() LOOKALIKE_TASK_ENTRY {
        const std::unique_ptr<Passed> owned(passed);
        owned->point.Take();
        owned->task();
      });
}

/// Calls `read() -> std::optional<Item>` in order until it returns nothing, `work(Item) -> Out` in
/// parallel, and `take(Out) -> bool` in the order of reading. After `take` returned false it is not
/// called again, and reading stops. At most `in_flight` (> 0) items are under way.
template <class Read, class Work, class Take>
void ParallelPipeline(size_t in_flight, Read read, Work work, Take take) {
  using Item = typename decltype(read())::value_type;
  struct Slot {
    std::optional<Item> item;
    std::optional<decltype(work(std::declval<Item>()))> out;
    HandOver passed;  // from stage to stage, and on to the slot's next item
  };
  // Items leave in order, so a slot's previous item has left when the slot comes round.
  std::vector<Slot> slots(in_flight);
  size_t next = 0;
  std::atomic<bool> stop = false;  // set when results are taken, seen when items are read
  HandOver reading, taking;        // from call to call
  TaskGroup group;
  const auto read_next = [&](tbb::flow_control& flow) LOOKALIKE_TASK_ENTRY -> Slot* {
    Slot* const filled = group.Run([&]() -> Slot* {
      const HandOverScope turn(reading);
      Slot& slot = slots[next++ % slots.size()];
      const HandOverScope stage(slot.passed);
      if (!stop) slot.item = read();
      return slot.item ? &slot : nullptr;
    });
    if (filled == nullptr) flow.stop();
    return filled;
  };
  const auto work_on = [&](Slot* slot) LOOKALIKE_TASK_ENTRY {
    group.Run([&] {
      const HandOverScope stage(slot->passed);
      slot->out.emplace(work(*std::move(slot->item)));
      slot->item.reset();
    });
    return slot;
  };
  const auto take_out = [&](Slot* slot) LOOKALIKE_TASK_ENTRY {
    group.Run([&] {
      const HandOverScope turn(taking), stage(slot->passed);
      if (!stop && !take(*std::move(slot->out))) stop = true;
      slot->out.reset();
    });
  };
  using enum tbb::filter_mode;
  tbb::parallel_pipeline(in_flight, tbb::make_filter<void, Slot*>(serial_in_order, read_next) &
                                        tbb::make_filter<Slot*, Slot*>(parallel, work_on) &
                                        tbb::make_filter<Slot*, void>(serial_in_order, take_out));
}

}  // namespace lookalike

#undef LOOKALIKE_TASK_ENTRY

#endif  // LOOKALIKE_FLOW_PARALLEL_H_
