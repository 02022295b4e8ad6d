// The rows of a collection, written again: kept/, rejected/ and rejected.jsonl of a result.
#ifndef LOOKALIKE_USES_PASSAGES_KEPT_RECORDS_H_
#define LOOKALIKE_USES_PASSAGES_KEPT_RECORDS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "io/output_stream.h"
#include "lookalike/status.h"
#include "run/input_pass.h"
#include "run/job.h"
#include "stages/output/writer.h"

namespace lookalike {

/// Takes the items of a pass in order. Not thread-safe.
class KeptRecords {
 public:
  /// Makes the files below `folder`, which exists.
  static Result<KeptRecords> Begin(const Job& job, std::string folder);

  /// Writes those documents of an item whose flag is 1, and what could not be read.
  Status Take(const PassItem& item, std::span<const uint8_t> keep);

  /// Writes all documents of an item with these passages, in place of that.
  Status TakeWithPassages(const PassItem& item, std::span<const PassageSpans> passages);

  Status End();

 private:
  KeptRecords(const Job& job, std::string folder) : job_(&job), folder_(std::move(folder)) {}
  [[nodiscard]] Result<std::unique_ptr<RecordWriter>> Create(const char* below,
                                                             uint32_t source) const;
  /// Opens the file of an item's input below `folder_`/`below`, unless it is open.
  Status Open(const char* below, const PassItem& item);
  Status CloseFiles();
  Status Reject(const DocumentBatch& batch);

  const Job* job_;
  std::string folder_;
  std::unique_ptr<OutputStream> reasons_;
  std::unique_ptr<RecordWriter> kept_, rejected_;  ///< Those of the input that is read.
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_KEPT_RECORDS_H_
