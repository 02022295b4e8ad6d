// Writes records back into files with the format, codec and columns of their input.
#ifndef LOOKALIKE_STAGES_OUTPUT_WRITER_H_
#define LOOKALIKE_STAGES_OUTPUT_WRITER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "io/file_system.h"
#include "lookalike/status.h"
#include "records/document_batch.h"
#include "records/input_file.h"
#include "records/passage_span.h"

namespace lookalike {

/// Limits on what a writer uses. They do not change what is written.
struct WriteLimits {
  /// Bytes of memory for rows of Parquet that other threads of the caller's task arena encode, row
  /// group by row group; 0: nothing is handed to them.
  uint64_t waiting = 0;
};

/// Writes a selection of one input's records, by one of the four Append functions for all of its
/// batches; mixing them is an Error if the columns differ. Not thread-safe. Files are complete only
/// after Close(); parent folders are created as needed.
class RecordWriter {
 public:
  virtual ~RecordWriter() = default;

  /// Appends those documents of `batch` whose flag is 1, bytes or values unchanged, in order.
  /// REQUIRES: keep.size() == batch.documents.size().
  virtual Status AppendKept(const DocumentBatch& batch, std::span<const uint8_t> keep) = 0;

  /// Appends every document of `batch` with la_keep, la_cluster, la_copies, la_duplicate_of and
  /// la_resemblance added. REQUIRES: annotations.size() == batch.documents.size().
  virtual Status AppendAnnotated(const DocumentBatch& batch,
                                 std::span<const Annotation> annotations) = 0;

  /// Appends every document of `batch` with la_passages added. REQUIRES: passages.size() ==
  /// batch.documents.size().
  virtual Status AppendWithPassages(const DocumentBatch& batch,
                                    std::span<const PassageSpans> passages) = 0;

  /// Appends the raw bytes (or rows) of the batch's rejections.
  virtual Status AppendRejected(const DocumentBatch& batch) = 0;

  virtual Status Close() = 0;
};

/// Makes a writer with the format, codec and columns of `like`. For columnar formats, they are read
/// from like.path. The file of a text input is created only once one of its documents is written,
/// or on Close() if there was no document at all.
Result<std::unique_ptr<RecordWriter>> CreateWriter(const InputFile& like, const std::string& path,
                                                   FileSystem& files = RealFileSystem(),
                                                   const WriteLimits& limits = {});

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_WRITER_H_
