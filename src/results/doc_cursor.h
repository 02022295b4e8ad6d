// Looks up records of documents that come in ascending order.
#ifndef LOOKALIKE_RESULTS_DOC_CURSOR_H_
#define LOOKALIKE_RESULTS_DOC_CURSOR_H_

#include <cstdint>
#include <span>
#include <utility>

#include "lookalike/status.h"
#include "records/records.h"
#include "spill/record_reader.h"

namespace lookalike {

/// Walks along a run of records that are sorted by their member `doc`, each document at most once.
template <class T>
class DocCursor {
 public:
  /// `first`: no earlier document is looked up.
  explicit DocCursor(const RunPointer& run, DocNumber first = 0) : reader_({run}, 0) {
    Result<uint64_t> begin = FirstFrom(*run, first);
    if (!begin) {
      failed_ = tl::make_unexpected(std::move(begin).error());
      return;
    }
    reader_.StartAt(*begin);
    next_ = reader_.Next();
  }

  /// Returns the record of a document, or null. REQUIRES: calls come with ascending documents.
  const T* Find(DocNumber doc) {
    while (next_ != nullptr && next_->doc < doc) next_ = reader_.Next();
    return next_ != nullptr && next_->doc == doc ? next_ : nullptr;
  }

  [[nodiscard]] const Status& status() const { return failed_ ? reader_.status() : failed_; }

 private:
  /// Returns the position of the first record of `first` or a later document.
  static Result<uint64_t> FirstFrom(const Run& run, DocNumber first) {
    uint64_t low = 0, high = first == 0 ? 0 : run.bytes(0) / sizeof(T);
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      T record;
      LOOKALIKE_RETURN_IF_ERROR(
          run.Read(0, middle * sizeof(T), std::as_writable_bytes(std::span(&record, 1))));
      if (record.doc < first) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  RecordReader<T> reader_;
  Status failed_;
  const T* next_ = nullptr;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DOC_CURSOR_H_
