// Uploads of files to object stores.
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
  size_t connections = 4;           ///< Concurrent files.
  size_t batch = size_t{16} << 20;  ///< Bytes of a file in transit at a time.
  /// Called now and then with the bytes of all files that have arrived. The number may go back
  /// after a failure.
  std::function<void(uint64_t)> progress;
};

/// Uploads files. An object appears only when the whole file has arrived; a failed upload is
/// started again. The first Error of the store or the disk ends all uploads, as does an
/// interruption.
Status UploadFiles(const ObjectStore& store, std::span<const UploadTask> tasks,
                   const UploadSettings& settings, FileSystem& files = RealFileSystem());

/// Checks that objects can be written at `path`, without leaving one.
Status CheckWritable(const ObjectStore& store, const std::string& path);

/// Removes an object; a missing one is fine.
Status RemoveObject(const ObjectStore& store, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_UPLOAD_H_
