// Arrow's names for our codecs. Included by adapters of Arrow only.
#ifndef LOOKALIKE_IO_ARROW_COMPRESSION_H_
#define LOOKALIKE_IO_ARROW_COMPRESSION_H_

#include <arrow/status.h>
#include <arrow/util/type_fwd.h>

#include <string>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

constexpr arrow::Compression::type ArrowCompression(Codec codec) {
  switch (codec) {
    case Codec::kGzip:
      return arrow::Compression::GZIP;
    case Codec::kZstd:
      return arrow::Compression::ZSTD;
    case Codec::kBzip2:
      return arrow::Compression::BZ2;
    case Codec::kLz4:
      return arrow::Compression::LZ4_FRAME;
    case Codec::kNone:
      break;
  }
  return arrow::Compression::UNCOMPRESSED;
}

inline tl::unexpected<Error> FailCompression(const std::string& path) {
  return MemoryError(
      "compression failed, and the file cannot be used; free some memory and run again", path);
}

}  // namespace lookalike

#endif  // LOOKALIKE_IO_ARROW_COMPRESSION_H_
