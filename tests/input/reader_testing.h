// Functions shared by the tests of the readers.
#ifndef LOOKALIKE_TESTS_INPUT_READER_TESTING_H_
#define LOOKALIKE_TESTS_INPUT_READER_TESTING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/read_records.h"
#include "records/input_file.h"
#include "stages/input/format_readers.h"

namespace lookalike::testing {

/// Returns a new empty folder below the tests' temporary folder.
std::string FreshFolder();

/// Writes a file below a fresh folder and describes it. The codec is found by content.
InputFile MakeInput(const std::string& name, std::string_view bytes, Format format);

/// Writes `bytes` to `path`.
void WriteFile(const std::string& path, std::string_view bytes);

/// Reads all records of one input.
ReadResult ReadAll(const InputFile& file);

/// Reads the input, then reads the rest again from each position met: the rest must be the same
/// every time. Returns the first reading.
ReadResult ExpectSameFromEveryPosition(ReaderSetup setup);

}  // namespace lookalike::testing

#endif  // LOOKALIKE_TESTS_INPUT_READER_TESTING_H_
