// Writes records to a sketch file, a block at a time (docs/format/sketch-file-v1.md).
#ifndef LOOKALIKE_USES_SKETCHES_SKETCH_FILE_WRITER_H_
#define LOOKALIKE_USES_SKETCHES_SKETCH_FILE_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "format/sketch_file.h"
#include "io/output_stream.h"
#include "lookalike/status.h"

namespace lookalike {

class SketchFileWriter {
 public:
  /// `like`: an example of the sketches that the file will hold.
  SketchFileWriter(const StoredSketch& like, OutputStream* stream);

  /// Writes the front. Must be called first.
  Status Begin();

  /// Adds a record made by AppendSketchRecord. Consecutive records of one source share blocks.
  Status Add(std::string_view source, std::string_view record);

  /// Ends the file.
  Status Finish();

  [[nodiscard]] uint64_t documents() const { return documents_; }

 private:
  Status EndBlock();

  const StoredSketch& like_;
  OutputStream& stream_;
  std::optional<SketchBlock> block_;
  std::string source_;  // of the current block
  uint64_t documents_ = 0;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_SKETCHES_SKETCH_FILE_WRITER_H_
