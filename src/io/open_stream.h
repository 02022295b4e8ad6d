// Opening the plain bytes of a file, in any compression.
#ifndef LOOKALIKE_IO_OPEN_STREAM_H_
#define LOOKALIKE_IO_OPEN_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/input_stream.h"
#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// Opens `path` after its first `offset` plain bytes: by a seek if it is not compressed, else by
/// decoding and dropping them. A file with fewer plain bytes is an error. `place` names the file in
/// errors. `max_expansion` and `ahead` are as in ReadLimits.
Result<std::unique_ptr<InputStream>> OpenInputStream(const std::string& path, Codec codec,
                                                     double max_expansion, const std::string& place,
                                                     uint64_t offset = 0, uint64_t ahead = 0);

/// Returns the error for an input that ends before a place where it was read earlier.
tl::unexpected<Error> EndsTooEarly(uint64_t wanted, const char* unit, const std::string& place);

/// Returns the first bytes of a file as they are, `most` of them or fewer if it is shorter.
Result<std::string> ReadRawFront(const std::string& path, size_t most);

/// Detects the codec of a file by its first bytes; `front` holds sixteen of them, or all. An empty
/// file has none.
Result<Codec> DetectCodec(const std::string& path, std::string_view front);
Result<Codec> DetectCodec(const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OPEN_STREAM_H_
