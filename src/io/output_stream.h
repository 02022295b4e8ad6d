// A file of plain bytes, compressed as they are written.
#ifndef LOOKALIKE_IO_OUTPUT_STREAM_H_
#define LOOKALIKE_IO_OUTPUT_STREAM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_system.h"
#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

class BlockCodec;
class BlockCompressor;

/// Returns the codec that a result's name asks for by its ending: .gz, .zst, .bz2 or .lz4; else
/// kNone.
Codec CodecOfName(std::string_view path);

/// A buffered writer: 1 MiB of plain bytes, and as much again if compressed. gzip is compressed in
/// blocks by the threads of the caller's task arena (BlockCompressor, with its memory). Equal plain
/// bytes give equal files, regardless of how they were cut into writes and which threads compressed
/// them: no time, name or machine is stored. Not thread-safe. Destroying it without Close() leaves
/// an incomplete file.
class OutputStream {
 public:
  /// Creates the file, or empties an existing one; its folder must exist.
  static Result<std::unique_ptr<OutputStream>> Create(const std::string& path, Codec codec,
                                                      FileSystem& files = RealFileSystem());
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  /// Appends bytes. After the first Error every later call returns the same one.
  Status Write(std::string_view bytes);

  /// Writes the buffer and ends the compressed stream. The file is not durable yet:
  /// PendingOutput::Commit() does that for many files at once. A second call does nothing.
  Status Close();

  /// Returns the number of plain bytes given to Write() so far.
  [[nodiscard]] uint64_t plain_bytes() const { return plain_bytes_; }

 private:
  struct Compression;

  OutputStream(std::unique_ptr<OutputFile> file, std::unique_ptr<Compression> compression,
               std::unique_ptr<BlockCodec> blocks, std::string path);

  Status Consume(std::string_view bytes);
  Status Compress(std::string_view bytes);
  Status EndCompression();
  Status AppendAll(std::string_view bytes);
  Status Finish();
  Status Remember(Status status);

  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<Compression> compression_;  ///< Null: plain, or in blocks.
  std::string path_;
  std::string buffer_;
  uint64_t plain_bytes_ = 0;
  bool closed_ = false;
  std::optional<Error> failure_;
  std::unique_ptr<BlockCompressor> blocks_;  ///< Null: not in blocks. Writes to `file_`.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OUTPUT_STREAM_H_
