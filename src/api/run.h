// Shared by all runs of the engine: threads, times, errors at the edge.
#ifndef LOOKALIKE_API_RUN_H_
#define LOOKALIKE_API_RUN_H_

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "batch/search.h"
#include "lookalike/status.h"

namespace lookalike {

/// Runs `body`, which returns a Status or Result, at the edge of the library: exceptions of
/// libraries (out of memory above all) end here as Errors.
template <class Body>
auto WithoutExceptions(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Fail("out of memory; free some, or give fewer inputs at a time");
  } catch (const std::exception& error) {
    return Fail(std::string("unexpected failure: ") + error.what() + "; please report this");
  }
}

/// Runs `body` like WithoutExceptions, on `threads` threads.
template <class Body>
auto RunWithThreads(size_t threads, Body&& body) -> decltype(body()) {
  return WithoutExceptions([&] {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    return arena.execute([&] { return body(); });
  });
}

/// A clock that starts when it is made.
class Stopwatch {
 public:
  [[nodiscard]] double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace lookalike

#endif  // LOOKALIKE_API_RUN_H_
