// One file as the result of a command.
#ifndef LOOKALIKE_API_WRITE_FILE_H_
#define LOOKALIKE_API_WRITE_FILE_H_

#include <functional>
#include <string>
#include <vector>

#include "io/output_stream.h"
#include "lookalike/status.h"

namespace lookalike {

/// Creates a file, compressed as its ending says, lets `write` fill it, and puts it in
/// place when complete; on an Error what was there stays. Devices and pipes are written as they
/// are. `inputs` are what is read meanwhile: the file must be none of them.
Status WriteFile(const std::string& path, const std::vector<std::string>& inputs,
                 const std::function<Status(OutputStream*)>& write);

}  // namespace lookalike

#endif  // LOOKALIKE_API_WRITE_FILE_H_
