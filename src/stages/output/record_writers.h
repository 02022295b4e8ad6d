// The writers behind CreateWriter. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_
#define LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_

#include <memory>
#include <string>

#include "stages/output/writer.h"

namespace lookalike {

/// Makes a writer of JSON Lines or CSV: raw bytes, or rows with fields added.
Result<std::unique_ptr<RecordWriter>> CreateRowWriter(const InputFile& like,
                                                      const std::string& path, FileSystem& files);

/// Makes a writer of a text file, which is one document: it is written whole or not at all.
Result<std::unique_ptr<RecordWriter>> CreateTextWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files);

/// Makes a writer of WARC: raw bytes, with gzip one member per record, as its standard requires.
Result<std::unique_ptr<RecordWriter>> CreateWarcWriter(const InputFile& like,
                                                       const std::string& path, FileSystem& files);

/// Makes a writer of Parquet or Arrow IPC.
Result<std::unique_ptr<RecordWriter>> CreateColumnarWriter(const InputFile& like,
                                                           const std::string& path,
                                                           FileSystem& files,
                                                           const WriteLimits& limits);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_RECORD_WRITERS_H_
