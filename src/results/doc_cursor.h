// Looks up records of documents that come in ascending order.
#ifndef LOOKALIKE_RESULTS_DOC_CURSOR_H_
#define LOOKALIKE_RESULTS_DOC_CURSOR_H_

#include "records/records.h"
#include "spill/record_reader.h"

namespace lookalike {

/// Walks along a run of records that are sorted by their member `doc`, each document at most once.
template <class T>
class DocCursor {
 public:
  explicit DocCursor(RunPointer run) : reader_({std::move(run)}, 0), next_(reader_.Next()) {}

  /// Returns the record of a document, or null. REQUIRES: calls come with ascending documents.
  const T* Find(DocNumber doc) {
    while (next_ != nullptr && next_->doc < doc) next_ = reader_.Next();
    return next_ != nullptr && next_->doc == doc ? next_ : nullptr;
  }

  [[nodiscard]] const Status& status() const { return reader_.status(); }

 private:
  RecordReader<T> reader_;
  const T* next_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_DOC_CURSOR_H_
