// Files put into object stores.
#ifndef LOOKALIKE_IO_OBJECT_UPLOAD_H_
#define LOOKALIKE_IO_OBJECT_UPLOAD_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "io/file_system.h"
#include "io/object_store.h"
#include "lookalike/status.h"

namespace lookalike {

/// One file and the object that it becomes.
struct UploadTask {
  std::string source;
  std::string path;  ///< bucket/key.
};

struct UploadSettings {
  size_t connections = 4;           ///< Files at a time.
  size_t batch = size_t{16} << 20;  ///< Bytes of a file that are on their way at a time.
  /// Told now and then: bytes of all files that have arrived. After a failure it may go back.
  std::function<void(uint64_t)> progress;
};

/// Uploads files. An object appears only when its file has arrived as a whole; an upload that fails
/// is begun again. The first Error ends all: of the store, of the disk, or "interrupted".
Status UploadFiles(const ObjectStore& store, std::span<const UploadTask> tasks,
                   const UploadSettings& settings, FileSystem& files = RealFileSystem());

/// Whether objects can be written at `path`, found out without leaving one.
Status CheckWritable(const ObjectStore& store, const std::string& path);

/// Removes an object; nothing there is fine.
Status RemoveObject(const ObjectStore& store, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_UPLOAD_H_
