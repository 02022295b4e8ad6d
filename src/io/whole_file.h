// Small files, read and written at once.
#ifndef LOOKALIKE_IO_WHOLE_FILE_H_
#define LOOKALIKE_IO_WHOLE_FILE_H_

#include <string>
#include <string_view>

#include "io/file_system.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns all bytes of a file.
Result<std::string> ReadWholeFile(const std::string& path, FileSystem& files);

/// Creates or replaces a file; it and its name are durable on return.
Status WriteDurably(const std::string& path, std::string_view bytes, FileSystem& files);

/// Moves a file to a name at which other processes may put a file that is as good. If a file stands
/// there, it stays, and `from` is removed.
Status MoveUnlessThere(const std::string& from, const std::string& to, FileSystem& files);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_WHOLE_FILE_H_
