// Parallel loops, sorting and the ordered pipeline, on oneTBB's threads. All of src/ uses these
// instead of oneTBB's own.
//
// The generic part is thin: the loops themselves are compiled once, in parallel.cc, and call the
// bodies through references. A call for each range or item costs nothing compared with its work,
// and oneTBB's templates took up most of the compile time of a file with a loop (decision 43).
#ifndef LOOKALIKE_THREADS_PARALLEL_H_
#define LOOKALIKE_THREADS_PARALLEL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lookalike {

template <class Signature>
class FunctionRef;

/// A reference to something that can be called. Never null; what it refers to must outlive it.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function>
  FunctionRef(const Function& function)  // NOLINT: implicit
      : function_(&function), call_([](const void* what, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(what))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(function_, arguments...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

/// Calls `body(first, last)` for ranges that make up [begin, end), in parallel and in any order.
/// Ranges of up to `grain` are not divided.
void RunRanges(size_t begin, size_t end, size_t grain, FunctionRef<void(size_t, size_t)> body);

/// The stages of a pipeline. They pass on the numbers of slots, which are below `in_flight`.
struct PipelineStages {
  FunctionRef<bool(size_t)> read;  ///< In order; returns false at the end. Fills the slot.
  FunctionRef<void(size_t)> work;  ///< In parallel.
  FunctionRef<void(size_t)> take;  ///< In the order of reading. The slot is free afterwards.
};

/// Runs the stages until `read` returns false, with at most `in_flight` (> 0) slots in use.
void RunPipeline(size_t in_flight, const PipelineStages& stages);

/// A task to run at some later time. See RunInBackground().
class BackgroundTask {
 public:
  BackgroundTask() = default;
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;
  virtual ~BackgroundTask() = default;
  virtual void Run() = 0;
};

/// Hands the task to the caller's task arena.
void EnqueueTask(std::unique_ptr<BackgroundTask> task);

/// Calls `body()`; while this thread waits inside it, it does not run other tasks of its caller.
void RunIsolated(FunctionRef<void()> body);

/// Calls `body()` in an arena of `threads` threads, the caller included.
void RunInArena(size_t threads, FunctionRef<void()> body);

/// Does the same, and lets the whole process use no more threads meanwhile.
void RunOnThreads(size_t threads, FunctionRef<void()> body);

/// Returns the number of threads that may work in the caller's task arena, the caller included.
size_t ThreadsHere();

/// Returns the span of the work that the caller has done so far, in seconds of processor time: its
/// own time, and for each loop or pipeline that it called the longest chain of calls that must
/// follow one another, which is what more threads cannot shorten. A range of a loop counts as if it
/// had been divided evenly down to its grain. Background tasks are not on the chain, unless
/// AddToSpan() says so. Only
/// differences between two calls on one thread, outside of loops, mean something. (He, Leiserson
/// and Leiserson, "The Cilkview scalability analyzer", SPAA 2010, section 2.)
double SpanSeconds();

/// Calls `body()`, and returns its span. The caller's span goes on as if no time had passed:
/// another thread could have made the call.
double SpanBeside(FunctionRef<void()> body);

/// Adds work of another thread, which the caller had to wait for, to the caller's span.
void AddToSpan(double seconds);

/// Calls `body(i)` for every i of [begin, end), in parallel and in any order.
template <class Index, class Body>
void ParallelFor(Index begin, Index end, const Body& body) {
  RunRanges(static_cast<size_t>(begin), static_cast<size_t>(end), 1, [&](size_t i, size_t last) {
    for (; i < last; ++i) body(static_cast<Index>(i));
  });
}

/// Calls `body(first, last)` for ranges that make up [begin, end), in parallel and in any order.
/// Ranges of up to `grain` are not divided.
template <class Index, class Body>
void ParallelForRanges(Index begin, Index end, size_t grain, const Body& body) {
  RunRanges(static_cast<size_t>(begin), static_cast<size_t>(end), grain,
            [&](size_t first, size_t last) {
              body(static_cast<Index>(first), static_cast<Index>(last));
            });
}

/// Sorts in parallel, not stably: a quicksort whose parts are split, and in the end sorted, side by
/// side.
template <class Iterator, class Less = std::less<>>
void ParallelSort(Iterator begin, Iterator end, const Less& less = {}) {
  if (std::is_sorted(begin, end, less)) return;  // as records often are
  using Part = std::pair<Iterator, Iterator>;
  constexpr std::ptrdiff_t kLeastSplit = 1 << 14;
  const size_t wanted = 8 * ThreadsHere();
  // Splits a part at the median of a few of its values. Values equal to the median go to the upper
  // side. If it is the least value, they are in place already, and only the greater values remain.
  const auto split = [&](const Part& part, Part* low, Part* high) {
    const auto [first, last] = part;
    if (last - first < kLeastSplit) {
      *low = part;
      *high = {last, last};
      return;
    }
    constexpr std::ptrdiff_t kSamples = 63;
    std::vector<typename std::iterator_traits<Iterator>::value_type> samples;
    for (std::ptrdiff_t i = 0; i < kSamples; ++i) {
      samples.push_back(first[(last - first) / kSamples * i]);
    }
    std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end(), less);
    const auto& pivot = samples[kSamples / 2];
    const auto middle =
        std::partition(first, last, [&](const auto& value) { return less(value, pivot); });
    *low = {first, middle};
    *high = {
        middle != first
            ? middle
            : std::partition(first, last, [&](const auto& value) { return !less(pivot, value); }),
        last};
  };
  const auto is_large = [](const Part& part) { return part.second - part.first >= kLeastSplit; };
  std::vector<Part> parts = {{begin, end}};
  while (parts.size() < wanted && std::any_of(parts.begin(), parts.end(), is_large)) {
    std::vector<Part> halves(2 * parts.size());
    ParallelFor(size_t{0}, parts.size(),
                [&](size_t i) { split(parts[i], &halves[2 * i], &halves[2 * i + 1]); });
    std::erase_if(halves, [](const Part& part) { return part.first == part.second; });
    parts = std::move(halves);
  }
  ParallelFor(size_t{0}, parts.size(),
              [&](size_t i) { std::sort(parts[i].first, parts[i].second, less); });
}

/// Lets a thread of the caller's task arena call `task()` when it has nothing else to do, even
/// after the caller is gone; the task sees all writes made before this call. Nothing can wait for
/// it; `task` must not throw.
template <class Task>
void RunInBackground(Task task) {
  class Owned : public BackgroundTask {
   public:
    explicit Owned(Task task) : task_(std::move(task)) {}
    void Run() override { task_(); }

   private:
    Task task_;
  };
  EnqueueTask(std::make_unique<Owned>(std::move(task)));
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
  };
  std::vector<Slot> slots(in_flight);
  std::atomic<bool> stop = false;  // set when results are taken, seen when items are read
  const auto read_next = [&](size_t at) {
    if (!stop) slots[at].item = read();
    return slots[at].item.has_value();
  };
  const auto work_on = [&](size_t at) {
    slots[at].out.emplace(work(*std::move(slots[at].item)));
    slots[at].item.reset();
  };
  const auto take_out = [&](size_t at) {
    if (!stop && !take(*std::move(slots[at].out))) stop = true;
    slots[at].out.reset();
  };
  RunPipeline(in_flight, {read_next, work_on, take_out});
}

}  // namespace lookalike

#endif  // LOOKALIKE_THREADS_PARALLEL_H_
