// Writes a single file as the result of a command.
#ifndef LOOKALIKE_RUN_WRITE_FILE_H_
#define LOOKALIKE_RUN_WRITE_FILE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_stream.h"
#include "lookalike/status.h"

namespace lookalike {

/// Creates a file, compressed according to its extension, lets `write` fill it, and moves it into
/// place when complete; on an Error the old file stays. Devices and pipes are written to directly.
/// `inputs` are the files read meanwhile: the output must not be one of them.
Status WriteFile(const std::string& path, const std::vector<std::string>& inputs,
                 const std::function<Status(OutputStream*)>& write);

/// Returns the codec of a JSON Lines file according to its name. Returns an Error for the extension
/// of another format; `what` is the content, such as "lists".
Result<Codec> CodecOfLines(const std::string& path, std::string_view what);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_WRITE_FILE_H_
