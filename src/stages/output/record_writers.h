// The writers behind CreateWriter. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_
#define LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_

#include <memory>
#include <string>

#include "stages/output/writer.h"

namespace lookalike {

/// JSON Lines and CSV: raw bytes, or rows with fields added.
Result<std::unique_ptr<RecordWriter>> CreateRowWriter(const InputFile& like,
                                                      const std::string& path, FileSystem& files);

/// A text file is one document: all of it, or no file.
Result<std::unique_ptr<RecordWriter>> CreateTextWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files);

/// WARC: raw bytes, in gzip a member for each record, as its standard has it.
Result<std::unique_ptr<RecordWriter>> CreateWarcWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files);

/// Parquet and Arrow IPC.
Result<std::unique_ptr<RecordWriter>> CreateColumnarWriter(const InputFile& like,
                                                           const std::string& path,
                                                           FileSystem& files);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_
