#include "run.h"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "keyword_words.h"

namespace lookalike::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kPause{50};

/// Reports from a run that have not been delivered to Python yet.
class CallbackQueue {
 public:
  Observer MakeObserver() {
    return {.progress = [this](const Progress& progress) { Put(progress); },
            .message = [this](std::string_view line) { Put(line); },
            .cancelled = [this] { return cancelled_.load(std::memory_order_relaxed); }};
  }

  void Cancel() { cancelled_ = true; }
  [[nodiscard]] bool cancelled() const { return cancelled_; }

  void End() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    news_.notify_all();
  }

  /// Waits for the end, for a limited time. Returns true if the run has ended.
  bool WaitForEnd() {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, kPause, [this] { return ended_; });
  }

  /// REQUIRES: the GIL is held.
  void Deliver(const Callbacks& callbacks) {
    std::optional<Latest> progress;
    std::vector<std::string> lines;
    {
      const std::lock_guard lock(mutex_);
      progress.swap(progress_);
      lines.swap(lines_);
    }
    for (const std::string& line : lines) {
      if (!callbacks.message.is_none()) callbacks.message(MessageText(InKeywords(line)));
    }
    if (progress && !callbacks.progress.is_none()) {
      callbacks.progress(progress->stage, progress->done, progress->total, progress->unit);
    }
  }

 private:
  struct Latest {
    std::string stage, unit;
    uint64_t done, total;
  };

  void Put(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    progress_ = Latest{std::string(progress.stage), std::string(progress.unit), progress.done,
                       progress.total};
  }

  void Put(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
  }

  std::mutex mutex_;
  std::condition_variable news_;
  bool ended_ = false;
  std::atomic<bool> cancelled_ = false;
  std::optional<Latest> progress_;
  std::vector<std::string> lines_;
};

/// The runs of this process. They are notified when the interpreter ends.
class Runs {
 public:
  /// Never destroyed: threads may wait in it while the process ends.
  static Runs& Get() {
    static Runs& runs = *new Runs;
    return runs;
  }

  void Begin() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }

  void End() {
    const std::lock_guard lock(mutex_);
    --count_;
    left_.notify_all();
  }

  /// True if this thread may no longer ask for the GIL.
  [[nodiscard]] bool closed() {
    const std::lock_guard lock(mutex_);
    return closed_ && closer_ != std::this_thread::get_id();
  }

  /// REQUIRES: the GIL is not held, as runs may be waiting for it.
  void Close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    closer_ = std::this_thread::get_id();
    left_.wait_for(lock, kLongestEnd, [this] { return count_ == 0; });
  }

  /// Waits until the process ends.
  [[noreturn]] static void Park() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }

 private:
  static constexpr std::chrono::seconds kLongestEnd{2};

  std::mutex mutex_;
  std::condition_variable left_;
  size_t count_ = 0;
  bool closed_ = false;
  std::thread::id closer_;
};

/// Delivers reports and checks for signals; an exception from either is kept.
void PollCallbacks(const Callbacks& callbacks, CallbackQueue* queue, std::exception_ptr* failure) {
  try {
    queue->Deliver(callbacks);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  } catch (...) {
    if (!*failure) *failure = std::current_exception();
    queue->Cancel();
  }
}

}  // namespace

nb::object MessageText(const std::string& line) {
  return nb::steal(
      PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), "replace"));
}

void CloseRuns() {
  const nb::gil_scoped_release release;
  Runs::Get().Close();
}

void RunOnWorkerThread(const Callbacks& callbacks,
                       const std::function<void(const Observer&)>& run) {
  Runs& runs = Runs::Get();
  if (runs.closed()) {
    const nb::gil_scoped_release release;
    Runs::Park();
  }
  CallbackQueue queue;
  const Observer observer = queue.MakeObserver();
  std::exception_ptr failure, thrown;
  std::thread worker([&] {
    try {
      run(observer);
    } catch (...) {
      thrown = std::current_exception();
    }
    queue.End();
  });
  runs.Begin();
  {
    const nb::gil_scoped_release release;
    while (!queue.WaitForEnd()) {
      if (runs.closed()) {
        queue.Cancel();
        continue;
      }
      const nb::gil_scoped_acquire acquire;
      if (!queue.cancelled()) PollCallbacks(callbacks, &queue, &failure);
    }
    worker.join();
    if (runs.closed()) {
      runs.End();
      Runs::Park();
    }
  }
  runs.End();
  if (!failure) PollCallbacks(callbacks, &queue, &failure);
  if (failure) std::rethrow_exception(failure);
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace lookalike::python
