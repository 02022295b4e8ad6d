// Long calls of the library, made without holding the GIL.
#ifndef LOOKALIKE_PYTHON_BINDINGS_RUN_H_
#define LOOKALIKE_PYTHON_BINDINGS_RUN_H_

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.h"
#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/summary_json.h"

namespace lookalike::python {

/// The callbacks during a run, called on the thread that started it; None: not called.
struct Callbacks {
  nanobind::object progress;  ///< (stage: str, done: int, total: int, unit: str) -> None
  nanobind::object message;   ///< (line: str) -> None
};

/// Calls `run` on a separate thread, without the GIL. Meanwhile this thread calls the callbacks and
/// checks for signals about twenty times a second: an exception from either (KeyboardInterrupt)
/// cancels the run, and is raised once it has ended. REQUIRES: the GIL is held.
void RunOnWorkerThread(const Callbacks& callbacks, const std::function<void(const Observer&)>& run);

/// Cancels all current runs and waits for them to end, at most two seconds; later runs, on threads
/// other than this, never return. Called when the interpreter ends: a thread that asks for the GIL
/// after that is ended by Python in the middle of C++, which aborts the process. REQUIRES: the GIL
/// is held.
void CloseRuns();

/// Returns the value of `run(observer)`, or raises its Error as RunError.
template <class Run>
auto RunToEnd(const Callbacks& callbacks, Run run) {
  using Outcome = decltype(run(std::declval<const Observer&>()));
  std::optional<Outcome> outcome;
  RunOnWorkerThread(callbacks, [&](const Observer& observer) { outcome.emplace(run(observer)); });
  return Unwrap(*std::move(outcome));
}

/// Returns the value of `run(inputs, observer)`, or raises its Error as RunError.
template <class Run>
auto RunOver(std::vector<std::string> names, Tables tables, nanobind::object progress,
             nanobind::object message, Run run) {
  const Inputs inputs(std::move(names), std::move(tables));
  return RunToEnd({std::move(progress), std::move(message)},
                  [&](const Observer& observer) { return run(inputs, observer); });
}

/// Returns a message as a text, in which bytes that are not UTF-8 are replaced.
nanobind::object MessageText(const std::string& line);

/// Returns the object that a JSON text describes.
nanobind::dict FromJson(const std::string& text);

/// Returns a summary as `--json` prints it, without the names of outputs.
template <class Summary>
nanobind::dict SummaryDict(const Summary& summary) {
  return FromJson(SummaryJson(summary));
}

/// Returns the value of `run()`, during which other threads may take the GIL. REQUIRES: the GIL is
/// held.
template <class Run>
auto WithoutGil(Run run) {
  const nanobind::gil_scoped_release release;
  return run();
}

/// Returns the bytes of a text, which need not be valid UTF-8; valid as long as the object lives.
inline std::string_view TextOf(const nanobind::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_RUN_H_
