// The compression that servers apply to pages.
#ifndef LOOKALIKE_IO_CONTENT_CODING_H_
#define LOOKALIKE_IO_CONTENT_CODING_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/status.h"

namespace lookalike {

/// True if DecodeContent knows this value of Content-Encoding; case does not matter.
bool IsContentCoding(std::string_view name);

/// Undoes the Content-Encoding `name`: gzip, deflate (with or without the frame of zlib), br or
/// zstd. Content that is not coded stays as it is, since many crawlers store it decoded beside the
/// original header. If it is truncated, returns the part that is there. Errors: corrupt, more than
/// `limit` bytes, no memory. REQUIRES: IsContentCoding(name).
Result<std::string> DecodeContent(std::string_view content, std::string_view name, uint64_t limit);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_CONTENT_CODING_H_
