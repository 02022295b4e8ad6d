// An index as Python holds it: it may be closed, or its process may fork, while others use it.
#ifndef LOOKALIKE_PYTHON_BINDINGS_OPEN_INDEX_H_
#define LOOKALIKE_PYTHON_BINDINGS_OPEN_INDEX_H_

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lookalike/index.h"
#include "lookalike/status.h"

namespace lookalike::python {

/// Documents on their way from a thread that reads them to one that asks for them.
class DocumentQueue {
 public:
  /// Waits for room. Returns false if nobody wants more.
  bool Put(const IndexedDocument& document);

  /// Says that no more will come, and why.
  void End(Status status);

  /// Ends the reading early.
  void Stop();

  /// Waits for the next documents; there are none at the end. Returns an Error after Stop().
  Result<std::vector<IndexedDocument>> Take();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<IndexedDocument> held_;
  size_t bytes_ = 0;
  bool ended_ = false, stopped_ = false;
  Status status_;
};

/// Safe to use from several threads. No function takes the GIL, so that it may be held or not.
class OpenIndex {
 public:
  static Result<std::unique_ptr<OpenIndex>> Open(const std::string& folder, IndexMode mode,
                                                 uint64_t memory);
  /// Returns the index as it is now, to be read only.
  [[nodiscard]] Result<std::unique_ptr<OpenIndex>> Snapshot() const;
  OpenIndex(const OpenIndex&) = delete;
  OpenIndex& operator=(const OpenIndex&) = delete;
  ~OpenIndex();

  /// Returns the result of `run(index)`, which Close() waits for, or an Error after Close().
  template <class Run>
  auto Use(Run run) const -> decltype(run(std::declval<Index&>())) {
    if (IsForked()) return UsageError("it was opened by another process; open it again");
    if (closing_) return ClosedError();  // or new uses would keep Close() waiting
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    if (!index_) return ClosedError();
    return run(*index_);
  }

  /// Ends all listings, waits for other uses, and closes the index.
  void Close();

  [[nodiscard]] bool closed() const { return closing_; }

  /// Registers a queue that Close() stops; one that is registered later is stopped at once.
  void StopWhenClosed(const std::shared_ptr<DocumentQueue>& queue);

  /// True in a process that was forked: it has a copy of the memory, but no threads and no locks.
  [[nodiscard]] bool IsForked() const { return getpid() != process_; }

  static Failure ClosedError() { return UsageError("the index is closed"); }

 private:
  explicit OpenIndex(Index index) : index_(std::make_unique<Index>(std::move(index))) {}

  std::unique_ptr<Index> index_;
  const pid_t process_ = getpid();
  std::atomic<bool> closing_ = false;
  mutable std::shared_mutex mutex_;  // guards index_
  std::mutex listings_mutex_;        // guards listings_
  std::vector<std::weak_ptr<DocumentQueue>> listings_;
};

/// Reads all documents of an index, some at a time, on a thread of its own. The index must outlive
/// it.
class IndexListing {
 public:
  explicit IndexListing(OpenIndex* index);
  IndexListing(const IndexListing&) = delete;
  IndexListing& operator=(const IndexListing&) = delete;
  ~IndexListing();

  /// Returns the next documents; there are none at the end.
  Result<std::vector<IndexedDocument>> Next();

 private:
  OpenIndex* index_;
  std::shared_ptr<DocumentQueue> queue_ = std::make_shared<DocumentQueue>();
  std::unique_ptr<std::thread> reader_;
};

}  // namespace lookalike::python

#endif  // LOOKALIKE_PYTHON_BINDINGS_OPEN_INDEX_H_
