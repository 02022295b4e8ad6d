// Sorting of more records than memory holds: sorted runs, then merging.
//
// For a total order the output is a function of the multiset of records: it depends neither on the
// memory nor on the order of Add().
#ifndef LOOKALIKE_SPILL_SORTER_H_
#define LOOKALIKE_SPILL_SORTER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "spill/record_reader.h"
#include "spill/run_store.h"
#include "threads/parallel.h"

namespace lookalike {

/// The treatment of equal records (neither is less).
enum class Repeats { kKeep, kDrop };

/// A merge of sorted runs of one stream, through a buffer each. Not thread-safe.
template <class T, class Less>
class SortedMerge {
 public:
  /// `memory_bytes` is divided among the buffers; each also holds at least one record. `starts`:
  /// the first record of each run that is read; by default 0.
  SortedMerge(std::vector<RunPointer> runs, uint64_t memory_bytes, Repeats repeats,
              std::span<const uint64_t> starts = {})
      : repeats_(repeats) {
    const uint64_t each = memory_bytes / std::max<size_t>(1, runs.size());
    for (size_t i = 0; i < runs.size(); ++i) {
      cursors_.push_back(
          Cursor{RecordReader<T>({std::move(runs[i])}, 0, std::min<uint64_t>(each, kMostBuffer))});
      if (!starts.empty()) cursors_.back().reader.StartAt(starts[i]);
    }
  }

  /// Returns the next record; null after the last one or an error. Valid until the next call.
  const T* Next() {
    if (!started_ && !Start()) return nullptr;
    while (status_) {
      if (given_) Advance();
      if (heap_.empty() || !status_) return nullptr;
      const T* head = Head(0);
      given_ = true;
      if (repeats_ == Repeats::kKeep) return head;
      if (last_ && !less_(*last_, *head)) continue;
      last_ = *head;
      return &*last_;
    }
    return nullptr;
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  struct Cursor {
    RecordReader<T> reader;
    const T* head = nullptr;
  };

  static constexpr uint64_t kMostBuffer = 1 << 20;  ///< More per run does not speed up reading.

  const T* Head(size_t slot) const { return cursors_[heap_[slot]].head; }

  /// Reads the next record of a cursor; false at its end.
  bool Pull(Cursor* cursor) {
    cursor->head = cursor->reader.Next();
    if (cursor->head == nullptr && !cursor->reader.status()) status_ = cursor->reader.status();
    return cursor->head != nullptr;
  }

  bool Start() {
    started_ = true;
    for (uint32_t i = 0; i < cursors_.size(); ++i) {
      if (Pull(&cursors_[i])) heap_.push_back(i);
    }
    for (size_t slot = heap_.size(); slot-- > 0;) SiftDown(slot);
    return status_.has_value();
  }

  /// Replaces the least record, which was returned, with the next one of its run.
  void Advance() {
    given_ = false;
    Cursor& cursor = cursors_[heap_[0]];
    if (!Pull(&cursor)) {
      cursor = Cursor{RecordReader<T>({}, 0)};  // frees its buffer and its run
      heap_[0] = heap_.back();
      heap_.pop_back();
    }
    SiftDown(0);
  }

  void SiftDown(size_t slot) {
    while (2 * slot + 1 < heap_.size()) {
      size_t child = 2 * slot + 1;
      if (child + 1 < heap_.size() && less_(*Head(child + 1), *Head(child))) ++child;
      if (!less_(*Head(child), *Head(slot))) return;
      std::swap(heap_[slot], heap_[child]);
      slot = child;
    }
  }

  Repeats repeats_;
  Less less_;
  std::vector<Cursor> cursors_;
  std::vector<uint32_t> heap_;  ///< Positions of cursors that have a head, the least on top.
  bool started_ = false;
  bool given_ = false;  ///< The head on top was returned or dropped.
  std::optional<T> last_;
  Status status_;
};

/// Sorted records, to be read once. Movable. Not thread-safe.
template <class T, class Less = std::less<T>>
class Sorted {
 public:
  Sorted() = default;
  explicit Sorted(std::vector<T> records) : records_(std::move(records)), size_(records_.size()) {}
  Sorted(std::unique_ptr<SortedMerge<T, Less>> merge, uint64_t size)
      : merge_(std::move(merge)), size_(size) {}

  /// Returns the next record in order; null after the last one or an error. Valid until the next
  /// call.
  const T* Next() {
    if (merge_ != nullptr) return merge_->Next();
    return at_ < records_.size() ? &records_[at_++] : nullptr;
  }

  /// Appends the next `most` records, or those that are left.
  void TakeSome(size_t most, std::vector<T>* some) {
    if (merge_ == nullptr) {
      const size_t count = std::min(most, records_.size() - at_);
      some->insert(some->end(), records_.begin() + at_, records_.begin() + at_ + count);
      at_ += count;
      return;
    }
    for (const T* next = nullptr; most > 0 && (next = merge_->Next()) != nullptr; --most) {
      some->push_back(*next);
    }
  }

  [[nodiscard]] const Status& status() const {
    return merge_ != nullptr ? merge_->status() : no_error_;
  }

  /// Returns the number of records; with Repeats::kDrop, an upper bound.
  [[nodiscard]] uint64_t size() const { return size_; }

 private:
  std::vector<T> records_;
  size_t at_ = 0;
  std::unique_ptr<SortedMerge<T, Less>> merge_;
  uint64_t size_ = 0;
  Status no_error_;
};

/// Appends all records, in order, to a stream of a run.
template <class T, class Less>
Status AppendSorted(Sorted<T, Less>* sorted, uint32_t stream, RunWriter* writer) {
  while (const T* record = sorted->Next()) {
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(stream, *record));
  }
  return sorted->status();
}

/// A sorter that takes records in any order and returns them sorted. Records that do not fit
/// `memory_bytes` go to temporary runs of the store. Not thread-safe.
template <class T, class Less = std::less<T>>
class Sorter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// `memory_bytes` bounds the records held, or the buffers of a merge; at least two records are
  /// held in any case. The writer of a run takes up to kChunkBytes more. `store` must outlive the
  /// sorter.
  Sorter(RunStore* store, uint64_t memory_bytes, Repeats repeats = Repeats::kKeep)
      : store_(store),
        memory_bytes_(memory_bytes),
        most_records_(std::clamp<uint64_t>(memory_bytes / sizeof(T), 2, kMostRecords)),
        repeats_(repeats) {}

  Status Add(const T& record) {
    if (records_.size() == records_.capacity()) LOOKALIKE_RETURN_IF_ERROR(MakeRoom());
    records_.push_back(record);
    return {};
  }

  Status Add(std::span<const T> records) {
    while (!records.empty()) {
      if (records_.size() == records_.capacity()) LOOKALIKE_RETURN_IF_ERROR(MakeRoom());
      const size_t count = std::min(records.size(), records_.capacity() - records_.size());
      records_.insert(records_.end(), records.begin(), records.begin() + count);
      records = records.subspan(count);
    }
    return {};
  }

  /// Returns an upper bound on the number of distinct records so far. For Repeats::kDrop.
  [[nodiscard]] uint64_t MostDistinct() const {
    return spilled_bytes_ / sizeof(T) + records_.size();
  }

  /// Returns the number of distinct records so far. For Repeats::kDrop. Merges all runs.
  Result<uint64_t> CountDistinct() {
    SortBuffer();
    if (!runs_.empty()) {
      LOOKALIKE_RETURN_IF_ERROR(SpillBuffer());
      records_ = {};
      LOOKALIKE_RETURN_IF_ERROR(MergeAll());
    }
    return MostDistinct();
  }

  /// Returns the sorted records. The sorter is empty afterwards.
  Result<Sorted<T, Less>> Finish() {
    if (runs_.empty()) {
      SortBuffer();
      return Sorted<T, Less>(std::exchange(records_, {}));
    }
    SortBuffer();
    LOOKALIKE_RETURN_IF_ERROR(SpillBuffer());
    records_ = {};
    LOOKALIKE_RETURN_IF_ERROR(MergeToFanIn());
    uint64_t size = 0;
    for (const RunPointer& run : runs_) size += run->bytes(0) / sizeof(T);
    return Sorted<T, Less>(
        std::make_unique<SortedMerge<T, Less>>(std::exchange(runs_, {}), memory_bytes_, repeats_),
        size);
  }

 private:
  static constexpr uint32_t kChunkBytes = uint32_t{256} << 10;
  static constexpr size_t kMostRuns = 128;            ///< Runs merged at a time.
  static constexpr uint64_t kLeastBuffer = 32 << 10;  ///< With less, system calls dominate.
  static constexpr size_t kFirstRecords = 256;
  static constexpr uint64_t kBuffersBeforeMerge = 4;
  /// Records sorted at a time, in half a second: nobody waits longer for a run to stop.
  static constexpr uint64_t kMostRecords = uint64_t{1} << 23;
  static constexpr size_t kParallelRecords = size_t{1} << 16;

  /// Grows the buffer so that the old and the new one together stay within the bound: doubles far
  /// below it, then takes all the rest (memory that is not written to costs nothing).
  Status MakeRoom() {
    const size_t have = records_.capacity();
    if (have == 0) {
      records_.reserve(std::min<size_t>(kFirstRecords, most_records_));
    } else if (have <= most_records_ / 16) {
      records_.reserve(2 * have);
    } else if (have < most_records_ / 2) {
      records_.reserve(most_records_ - have);
    } else {
      SortBuffer();
      // If most were repetitions, there is room again.
      if (records_.size() > have / 2) LOOKALIKE_RETURN_IF_ERROR(SpillBuffer());
    }
    return {};
  }

  void SortBuffer() {
    if (records_.size() < kParallelRecords) {
      std::sort(records_.begin(), records_.end(), Less());
    } else {
      // Isolated, so that this thread does not run a task of its caller while it waits.
      RunIsolated([&] { ParallelSort(records_.begin(), records_.end(), Less()); });
    }
    if (repeats_ == Repeats::kKeep) return;
    const auto equal = [less = Less()](const T& a, const T& b) { return !less(a, b); };
    records_.erase(std::unique(records_.begin(), records_.end(), equal), records_.end());
  }

  Status SpillBuffer() {
    const auto writer = store_->Temporary(1, kChunkBytes);
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(0, std::as_bytes(std::span(records_))));
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, writer->Finish());
    spilled_bytes_ += run->bytes(0);
    runs_.push_back(std::move(run));
    records_.clear();
    return repeats_ == Repeats::kDrop ? DropRepeats() : Status();
  }

  /// Merges all runs once they have grown to twice the result of the last merge. So repetitions
  /// never take more room than the distinct records and some buffers, and each record is merged
  /// only a few times.
  Status DropRepeats() {
    const uint64_t least = std::max(merged_bytes_, kBuffersBeforeMerge * most_records_ * sizeof(T));
    if (spilled_bytes_ - merged_bytes_ < least) return {};
    records_ = {};  // the merge uses its room
    return MergeAll();
  }

  Status MergeAll() {
    if (runs_.size() < 2) return {};
    while (runs_.size() > 1) LOOKALIKE_RETURN_IF_ERROR(MergeOldest(runs_.size()));
    spilled_bytes_ = merged_bytes_ = runs_.front()->bytes(0);
    return {};
  }

  /// Merges the oldest runs until so few are left that one merge reads them all.
  Status MergeToFanIn() {
    const size_t fan_in = FanIn();
    while (runs_.size() > fan_in) {
      LOOKALIKE_RETURN_IF_ERROR(MergeOldest(runs_.size() - fan_in + 1));
    }
    return {};
  }

  [[nodiscard]] size_t FanIn() const {
    return std::clamp<size_t>(memory_bytes_ / kLeastBuffer, 2, kMostRuns);
  }

  /// Merges the oldest runs into one: `count` of them, or as many as can be merged at a time.
  Status MergeOldest(size_t count) {
    count = std::min(count, FanIn());
    std::vector<RunPointer> oldest(runs_.begin(), runs_.begin() + count);
    runs_.erase(runs_.begin(), runs_.begin() + count);
    SortedMerge<T, Less> merge(std::move(oldest), memory_bytes_, repeats_);
    const auto writer = store_->Temporary(1, kChunkBytes);
    while (const T* record = merge.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *record));
    }
    LOOKALIKE_RETURN_IF_ERROR(merge.status());
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, writer->Finish());
    runs_.push_back(std::move(run));
    return {};
  }

  RunStore* store_;
  uint64_t memory_bytes_;
  size_t most_records_;
  Repeats repeats_;
  std::vector<T> records_;
  std::vector<RunPointer> runs_;
  uint64_t spilled_bytes_ = 0;  // of runs, roughly: their sizes when they were spilled
  uint64_t merged_bytes_ = 0;   // of the run that DropRepeats() made
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_SORTER_H_
