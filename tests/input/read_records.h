// The records of one input, copied out of its batches: for tests and fuzz targets of the readers.
#ifndef LOOKALIKE_TESTS_INPUT_READ_RECORDS_H_
#define LOOKALIKE_TESTS_INPUT_READ_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "records/document_batch.h"
#include "records/input_file.h"
#include "stages/input/format_readers.h"

namespace lookalike::testing {

/// A document or a rejection, with its own memory.
struct Record {
  uint64_t row = 0;
  bool rejected = false;
  std::string text, id, raw, reason;
  bool has_id = false, null_text = false, repaired = false;
  FieldValue keep_field;
  TextKind kind = TextKind::kUnknown;
  bool operator==(const Record&) const = default;
};

struct ReadResult {
  std::vector<Record> records;  ///< By row.
  /// Other bytes, and the number of documents before them.
  std::vector<std::pair<size_t, std::string>> pass_through;
  std::string header;
  size_t batches = 0;
  uint64_t bytes_read = 0;
  /// Before the first batch and after each: a position at which reading can continue, and the
  /// number of records before it.
  std::vector<std::pair<ReadPosition, size_t>> positions;
  std::string error;  ///< Empty, or the Error that ended the reading.
};

/// Reads all records of one input, from `setup.from` on.
ReadResult ReadAll(const ReaderSetup& setup);

/// Reads the input in parts, cut at `places` (ascending), each with a separate reader. Rows are
/// numbered on from part to part.
ReadResult ReadInParts(ReaderSetup setup, const std::vector<uint64_t>& places);

}  // namespace lookalike::testing

#endif  // LOOKALIKE_TESTS_INPUT_READ_RECORDS_H_
