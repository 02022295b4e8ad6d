// The files below a folder.
#ifndef LOOKALIKE_IO_FILE_TREE_H_
#define LOOKALIKE_IO_FILE_TREE_H_

#include <string>
#include <vector>

#include "io/file_system.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns everything below a folder except folders, as paths relative to it, sorted as bytes.
Result<std::vector<std::string>> ListFilesBelow(const std::string& folder,
                                                FileSystem& files = RealFileSystem());

}  // namespace lookalike

#endif  // LOOKALIKE_IO_FILE_TREE_H_
