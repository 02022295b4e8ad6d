// Helpers for all runs of the engine: threads, times, and exceptions turned into Errors.
#ifndef LOOKALIKE_RUN_NO_EXCEPTIONS_H_
#define LOOKALIKE_RUN_NO_EXCEPTIONS_H_

#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "lookalike/status.h"
#include "threads/parallel.h"

namespace lookalike {

/// Runs `body`, which returns a Status or Result, at the edge of the library: exceptions of
/// libraries (mostly for lack of memory) become Errors here.
template <class Body>
auto WithoutExceptions(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return MemoryError("out of memory; free some memory, or pass fewer inputs at a time");
  } catch (const std::exception& error) {
    return BugError(std::string("unexpected failure: ") + error.what() + "; please report this");
  }
}

/// Runs `body` like WithoutExceptions, on `threads` threads.
template <class Body>
auto RunWithThreads(size_t threads, Body&& body) -> decltype(body()) {
  return WithoutExceptions([&] {
    std::optional<decltype(body())> result;
    RunOnThreads(threads, [&] { result.emplace(body()); });
    return *std::move(result);
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

#endif  // LOOKALIKE_RUN_NO_EXCEPTIONS_H_
