// What the tests of the readers share: files of every codec, and records copied out of batches.
#ifndef LOOKALIKE_TESTS_INPUT_READER_TESTING_H_
#define LOOKALIKE_TESTS_INPUT_READER_TESTING_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flow/input_file.h"
#include "lookalike/status.h"
#include "stages/input/format_readers.h"

namespace lookalike::testing {

/// A document or a rejection, with its own memory.
struct Record {
  uint64_t row = 0;
  bool rejected = false;
  std::string text, id, raw, reason;
  bool has_id = false, null_text = false, repaired = false;
  FieldValue keep_field;
  bool operator==(const Record&) const = default;
};

struct ReadResult {
  std::vector<Record> records;  ///< By row.
  std::string header;
  size_t batches = 0;
  uint64_t bytes_read = 0;
  /// Before the first batch and after each: where reading can go on, and the records before it.
  std::vector<std::pair<ReadPosition, size_t>> positions;
  std::string error;  ///< Empty, or the Error that ended the reading.
};

/// A new empty folder below the tests' temporary one.
std::string FreshFolder();

/// Writes a file below a fresh folder and describes it. The codec is found by content.
InputFile MakeInput(const std::string& name, std::string_view bytes, Format format);

/// Writes `bytes` to `path`.
void WriteFile(const std::string& path, std::string_view bytes);

/// Reads all records of one input, from `setup.from` on.
ReadResult ReadAll(const ReaderSetup& setup);
ReadResult ReadAll(const InputFile& file);

/// Reads the input, then what is left from each position that was met: it must be the same as at
/// the first time. Returns the first reading.
ReadResult ExpectSameFromEveryPosition(ReaderSetup setup);

}  // namespace lookalike::testing

#endif  // LOOKALIKE_TESTS_INPUT_READER_TESTING_H_
