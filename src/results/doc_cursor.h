// Looks up records of documents that come in ascending order.
#ifndef LOOKALIKE_RESULTS_DOC_CURSOR_H_
#define LOOKALIKE_RESULTS_DOC_CURSOR_H_

#include <cstdint>
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
    if (first == 0) return 0;
    return CountBefore<T>(run, 0, [&](const T& record) { return record.doc < first; });
  }

  RecordReader<T> reader_;
  Status failed_;
  const T* next_ = nullptr;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DOC_CURSOR_H_
