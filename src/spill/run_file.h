// The file of a run: chunks, then a table of their positions.
//
// All numbers are little-endian, 8 bytes unless stated.
// chunks   back to back, in the order in which they became full
// table    for each stream: its bytes; then for each stream: the begin of each of its chunks
// footer   "LKLRUN" 00 01 (the version is the last byte) | chunk_bytes (4) | streams (4) |
//          begin of the table
// All chunks of a stream but the last have chunk_bytes bytes. A temporary run has only chunks: its
// table stays in memory.
#ifndef LOOKALIKE_SPILL_RUN_FILE_H_
#define LOOKALIKE_SPILL_RUN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/file_system.h"
#include "spill/run.h"

namespace lookalike {

struct RunState;

/// The positions of the streams of a run in its file.
struct RunTable {
  struct Stream {
    uint64_t bytes = 0;
    std::vector<uint64_t> chunks;  ///< Begin of each chunk.
  };
  uint32_t chunk_bytes = 0;
  std::vector<Stream> streams;
};

/// Reads the table of a run's file. Whatever the file holds, the result refers only to bytes of the
/// file before the table, or is an Error.
Result<RunTable> ReadRunTable(const RandomAccessFile& file);

/// Returns XXH3-64 of a whole file, read in pieces of 1 MiB.
Result<uint64_t> HashFile(const RandomAccessFile& file);

/// A writer of the file of a run. Not thread-safe. Destroying it before Finish() removes the file.
class RunFileWriter {
 public:
  /// Creates the file `name` in the store's folder. A durable file is named after its unit.
  static Result<std::unique_ptr<RunFileWriter>> Create(std::shared_ptr<RunState> state,
                                                       std::string name, bool durable,
                                                       uint32_t streams, uint32_t chunk_bytes);
  ~RunFileWriter();
  RunFileWriter(const RunFileWriter&) = delete;
  RunFileWriter& operator=(const RunFileWriter&) = delete;

  /// Appends the next chunk of a stream. REQUIRES: chunk_bytes bytes, or fewer for its last chunk.
  Status AppendChunk(uint32_t stream, std::span<const std::byte> chunk);

  /// Closes the file, for `unit` if it is durable: then it is also synced and reported.
  Result<RunPointer> Finish(const std::string& unit);

 private:
  struct Hash;
  RunFileWriter(std::shared_ptr<RunState> state, std::string name, bool durable, uint32_t streams,
                uint32_t chunk_bytes);
  Status Write(std::span<const std::byte> bytes);
  Status WriteTable();
  Status MakeDurable();
  Status MoveToUnits();
  Status Report(const std::string& unit);

  std::shared_ptr<RunState> state_;
  std::string name_, path_;
  bool durable_;
  bool keep_ = false;  ///< The file now belongs to a run or to the journal.
  RunTable table_;
  uint64_t written_ = 0;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<Hash> hash_;  ///< For a durable file.
};

/// Returns the run of a finished file. `file_bytes` is its size; a temporary file is removed at the
/// end.
RunPointer MakeFileRun(std::shared_ptr<RunState> state, std::string path, uint64_t file_bytes,
                       RunTable table, bool temporary);

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_FILE_H_
