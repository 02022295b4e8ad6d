// The plain bytes of a file, whatever it is compressed with.
#ifndef LOOKALIKE_IO_INPUT_STREAM_H_
#define LOOKALIKE_IO_INPUT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "flow/input_file.h"
#include "lookalike/status.h"

namespace lookalike {

/// Reads one file from front to back, decompressing as it goes. Files of several members or
/// frames are read to the end. Not thread-safe.
class InputStream {
 public:
  virtual ~InputStream() = default;

  /// Fills `out` with the next plain bytes. Fewer than `capacity` only at the end of the file,
  /// where all later calls return 0. Errors: unreadable, truncated, corrupt, or a decompression
  /// bomb; a truncated stream is an error even where every byte before the cut could be decoded.
  virtual Result<size_t> Read(char* out, size_t capacity) = 0;

  /// Bytes of the file used so far, those before the opening's offset among them.
  [[nodiscard]] virtual uint64_t consumed() const = 0;
};

/// Opens `path` behind its first `offset` plain bytes: by a seek where nothing compresses it, else
/// by decoding and dropping them. A file with fewer plain bytes is an error. `place` stands in
/// errors for the file. `max_expansion` and `ahead` are as in ReadLimits.
Result<std::unique_ptr<InputStream>> OpenInputStream(const std::string& path, Codec codec,
                                                     double max_expansion, const std::string& place,
                                                     uint64_t offset = 0, uint64_t ahead = 0);

/// The error of an input that ends before a place where it was read once.
tl::unexpected<Error> EndsTooEarly(uint64_t wanted, const char* unit, const std::string& place);

/// The first bytes of a file as they are, `most` of them or fewer where it is shorter.
Result<std::string> ReadRawFront(const std::string& path, size_t most);

/// The codec of a file, told by its first bytes, of which `front` has sixteen or all. An empty file
/// has none.
Result<Codec> DetectCodec(const std::string& path, std::string_view front);
Result<Codec> DetectCodec(const std::string& path);

/// "gzip", "zstd", "bzip2", "lz4" or "none".
const char* CodecName(Codec codec);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_INPUT_STREAM_H_
