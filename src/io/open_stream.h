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

/// A part of a stream of plain bytes, and how it is read.
struct StreamPart {
  uint64_t offset = 0;          ///< The plain bytes before it.
  uint64_t until = UINT64_MAX;  ///< Where reading is expected to end, if it is not compressed.
  uint64_t ahead = 0;           ///< As in ReadLimits.
};

/// Opens the plain bytes of an input after the first `part.offset`: by a seek if it is not
/// compressed, else by decoding and dropping them. An input with fewer plain bytes is an error.
/// `max_expansion` is as in ReadLimits.
Result<std::unique_ptr<InputStream>> OpenInputStream(const InputFile& file, double max_expansion,
                                                     const StreamPart& part = {});

/// Returns a file of this machine of which nothing else is known.
InputFile FileAt(const std::string& path, Codec codec);

/// Returns the error for an input that ends before a place where it was read earlier.
tl::unexpected<Error> EndsTooEarly(uint64_t wanted, const char* unit, const std::string& place);

/// Returns the first stored bytes of an input, `most` of them or fewer if it is shorter.
Result<std::string> ReadRawFront(const InputFile& file, size_t most);

/// Detects the codec of an input by its first bytes; `front` holds sixteen of them, or all. An
/// empty input has none.
Result<Codec> DetectCodec(const InputFile& file, std::string_view front);
Result<Codec> DetectCodec(const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OPEN_STREAM_H_
