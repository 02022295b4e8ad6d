// Plain records in sequence from one stream of each of several runs.
#ifndef LOOKALIKE_SPILL_RECORD_READER_H_
#define LOOKALIKE_SPILL_RECORD_READER_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "spill/ended_early.h"
#include "spill/run.h"

namespace lookalike {

/// Returns the number of records before the first one that is not before a place; the records for
/// which `is_before(record)` holds come first. `read(number, &record)` reads one of `size`.
template <class T, class Read, class IsBefore>
Result<uint64_t> CountBefore(uint64_t size, Read&& read, IsBefore&& is_before) {
  uint64_t low = 0, high = size;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    T record;
    LOOKALIKE_RETURN_IF_ERROR(read(middle, &record));
    if (is_before(record)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Does the same for the records of a stream.
template <class T, class IsBefore>
Result<uint64_t> CountBefore(const Run& run, uint32_t stream, IsBefore&& is_before) {
  return CountBefore<T>(
      run.bytes(stream) / sizeof(T),
      [&](uint64_t number, T* record) {
        return run.Read(stream, number * sizeof(T), std::as_writable_bytes(std::span(record, 1)));
      },
      is_before);
}

/// A reader of the records of `stream` of every run, run after run, through one buffer. Not
/// thread-safe.
template <class T>
class RecordReader {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr size_t kBufferBytes = size_t{64} << 10;

  RecordReader(std::vector<RunPointer> runs, uint32_t stream, size_t buffer_bytes = kBufferBytes)
      : runs_(std::move(runs)),
        stream_(stream),
        capacity_(std::max<size_t>(1, buffer_bytes / sizeof(T))) {}

  /// Returns the next records, all from one run; empty after the last one or an error (see
  /// status()). Valid until the next call. `run()` tells which run they are from.
  std::span<const T> NextBlock() {
    while (status_ && run_ < runs_.size()) {
      if (runs_[run_]->bytes(stream_) % sizeof(T) != 0) {
        status_ = EndedEarly({}, "a record");
        break;
      }
      const uint64_t left = runs_[run_]->bytes(stream_) / sizeof(T) - next_;
      if (left == 0) {
        ++run_;
        next_ = 0;
        continue;
      }
      buffer_.resize(std::min<uint64_t>(left, capacity_));
      status_ =
          runs_[run_]->Read(stream_, next_ * sizeof(T), std::as_writable_bytes(std::span(buffer_)));
      if (!status_) break;
      block_run_ = run_;
      next_ += buffer_.size();
      return buffer_;
    }
    return {};
  }

  /// Returns the next record, or null after the last one or an error. Do not mix with NextBlock().
  const T* Next() {
    if (at_ == block_.size()) {
      block_ = NextBlock();
      at_ = 0;
      if (block_.empty()) return nullptr;
    }
    return &block_[at_++];
  }

  /// Starts at a record of the first run. REQUIRES: nothing was read.
  void StartAt(uint64_t record) { next_ = record; }

  /// Returns the position, among the runs, of the run that the last block came from.
  [[nodiscard]] size_t run() const { return block_run_; }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  std::vector<RunPointer> runs_;
  uint32_t stream_;
  size_t capacity_;
  std::vector<T> buffer_;
  std::span<const T> block_;
  size_t at_ = 0;
  size_t run_ = 0, block_run_ = 0;
  uint64_t next_ = 0;
  Status status_;
};

/// Reads all records of a stream. Only for small streams.
template <class T>
Result<std::vector<T>> ReadRecords(const Run& run, uint32_t stream) {
  if (run.bytes(stream) % sizeof(T) != 0) return EndedEarly({}, "a record");
  std::vector<T> records(run.bytes(stream) / sizeof(T));
  LOOKALIKE_RETURN_IF_ERROR(run.Read(stream, 0, std::as_writable_bytes(std::span(records))));
  return records;
}

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RECORD_READER_H_
