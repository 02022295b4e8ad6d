// Records that are appended, and read again by their number at any time.
#ifndef LOOKALIKE_SPILL_PAGED_RECORDS_H_
#define LOOKALIKE_SPILL_PAGED_RECORDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "spill/record_reader.h"
#include "spill/run_store.h"

namespace lookalike {

/// A growing sequence of plain records, of which only the last page is sure to be in memory: full
/// pages are temporary runs of a store. Reading is safe from several threads while nothing is
/// added. Movable.
template <class T>
class PagedRecords {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr uint64_t kPageBytes = uint64_t{1} << 20;

  /// `store` must outlive this.
  explicit PagedRecords(RunStore* store, uint64_t page_bytes = kPageBytes)
      : store_(store), page_records_(std::max<uint64_t>(1, page_bytes / sizeof(T))) {}

  [[nodiscard]] uint64_t size() const { return pages_.size() * page_records_ + last_.size(); }

  Status Add(const T& record) {
    last_.push_back(record);
    return last_.size() < page_records_ ? Status() : EndPage();
  }

  Status Add(std::span<const T> records) {
    while (!records.empty()) {
      const size_t count = std::min<uint64_t>(records.size(), page_records_ - last_.size());
      last_.insert(last_.end(), records.begin(), records.begin() + static_cast<ptrdiff_t>(count));
      records = records.subspan(count);
      if (last_.size() == page_records_) LOOKALIKE_RETURN_IF_ERROR(EndPage());
    }
    return {};
  }

  /// Copies the records from number `first` on. REQUIRES: there are so many.
  Status Read(uint64_t first, std::span<T> out) const {
    while (!out.empty()) {
      const uint64_t page = first / page_records_, at = first % page_records_;
      const size_t count = std::min<uint64_t>(out.size(), page_records_ - at);
      if (page == pages_.size()) {
        std::copy_n(last_.begin() + static_cast<ptrdiff_t>(at), count, out.begin());
      } else {
        LOOKALIKE_RETURN_IF_ERROR(
            pages_[page]->Read(0, at * sizeof(T), std::as_writable_bytes(out.subspan(0, count))));
      }
      first += count;
      out = out.subspan(count);
    }
    return {};
  }

  /// Returns one record. REQUIRES: number < size().
  Result<T> At(uint64_t number) const {
    T record;
    LOOKALIKE_RETURN_IF_ERROR(Read(number, std::span(&record, 1)));
    return record;
  }

 private:
  Status EndPage() {
    const auto writer = store_->Temporary(1);
    LOOKALIKE_RETURN_IF_ERROR(writer->Append(0, std::as_bytes(std::span(last_))));
    LOOKALIKE_ASSIGN_OR_RETURN(RunPointer page, writer->Finish());
    pages_.push_back(std::move(page));
    last_.clear();
    return {};
  }

  RunStore* store_;
  uint64_t page_records_;
  std::vector<RunPointer> pages_;
  std::vector<T> last_;
};

/// Reads paged records from the first to the last through a buffer. Not thread-safe.
template <class T>
class PagedScan {
 public:
  /// `records` must outlive this, and not grow.
  explicit PagedScan(const PagedRecords<T>& records) : records_(records) {}

  /// Returns the next record; null after the last one or an error. Valid until the next call.
  const T* Next() {
    if (at_ == buffer_.size() && !Fill()) return nullptr;
    return &buffer_[at_++];
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  static constexpr uint64_t kBufferBytes = uint64_t{64} << 10;

  bool Fill() {
    const uint64_t most = std::max<uint64_t>(1, kBufferBytes / sizeof(T));
    buffer_.resize(std::min(most, records_.size() - next_));
    at_ = 0;
    if (buffer_.empty() || !status_) return false;
    status_ = records_.Read(next_, buffer_);
    next_ += buffer_.size();
    return status_.has_value();
  }

  const PagedRecords<T>& records_;
  uint64_t next_ = 0;
  std::vector<T> buffer_;
  size_t at_ = 0;
  Status status_;
};

/// Records with consecutive numbers.
template <class T>
struct PagedRange {
  uint64_t first = 0;  ///< The number of the first one.
  std::vector<T> records;
};

/// Reads the records of the documents from `begin` to before `end`, in an order by document.
template <class T, class DocOf>
Result<PagedRange<T>> ReadDocuments(const PagedRecords<T>& records, uint64_t begin, uint64_t end,
                                    DocOf doc_of) {
  const auto count_before = [&](uint64_t doc) {
    return CountBefore<T>(
        records.size(),
        [&](uint64_t number, T* record) { return records.Read(number, std::span(record, 1)); },
        [&](const T& one) { return doc_of(one) < doc; });
  };
  PagedRange<T> range;
  LOOKALIKE_ASSIGN_OR_RETURN(range.first, count_before(begin));
  LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t last, count_before(end));
  range.records.resize(last - range.first);
  LOOKALIKE_RETURN_IF_ERROR(records.Read(range.first, range.records));
  return range;
}

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_PAGED_RECORDS_H_
