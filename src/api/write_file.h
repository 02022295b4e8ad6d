// One file as the result of a command.
#ifndef LOOKALIKE_API_WRITE_FILE_H_
#define LOOKALIKE_API_WRITE_FILE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_stream.h"
#include "lookalike/status.h"

namespace lookalike {

/// Creates a file, compressed as its ending says, lets `write` fill it, and puts it in
/// place when complete; on an Error what was there stays. Devices and pipes are written as they
/// are. `inputs` are what is read meanwhile: the file must be none of them.
Status WriteFile(const std::string& path, const std::vector<std::string>& inputs,
                 const std::function<Status(OutputStream*)>& write);

/// How a file of JSON Lines is compressed, as its name says. The Error is of a name that ends as
/// another format does; `what`: such as "lists".
Result<Codec> CodecOfLines(const std::string& path, std::string_view what);

}  // namespace lookalike

#endif  // LOOKALIKE_API_WRITE_FILE_H_
