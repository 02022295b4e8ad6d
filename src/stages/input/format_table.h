// The table that says how each format is recognised and read. Inside this stage only.
#ifndef LOOKALIKE_STAGES_INPUT_FORMAT_TABLE_H_
#define LOOKALIKE_STAGES_INPUT_FORMAT_TABLE_H_

#include <span>
#include <string>
#include <string_view>

#include "records/format.h"
#include "stages/input/format_readers.h"

namespace lookalike {

struct FormatReader {
  Format format;
  /// Opens the records of an input.
  OpenedReader (*open)(const ReaderSetup& setup);
  /// Looks at the fields of the first records. Null: records have no named fields.
  Result<Front> (*front)(const InputFile& file, const ReadLimits& limits,
                         std::span<const std::string> paths) = nullptr;
  /// True if bytes at the front of a file can only be of this format, whatever the file's name.
  /// Null: nothing in the content is certain.
  bool (*begins)(std::string_view front) = nullptr;
};

/// Returns the readers, in the order in which content is tried.
std::span<const FormatReader> FormatReaders();

const FormatReader& ReaderOf(Format format);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FORMAT_TABLE_H_
