// Object stores (Amazon S3, Google Cloud Storage and servers with the same protocols) through
// Arrow's file systems.
#ifndef LOOKALIKE_IO_OBJECT_STORE_H_
#define LOOKALIKE_IO_OBJECT_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/object_access.h"
#include "io/object_uri.h"
#include "lookalike/status.h"

namespace arrow {
class Status;
namespace fs {
class FileInfo;
class FileSystem;
}  // namespace fs
}  // namespace arrow

namespace lookalike {

/// An object as the store described it when it was looked up.
struct StoredObject {
  std::string path;  ///< bucket/key.
  uint64_t size = 0;
  int64_t mtime_ns = 0;  ///< Since 1970.
};

/// One store: an Arrow file system whose paths are bucket/key, and its name in messages.
struct ObjectStore {
  std::shared_ptr<arrow::fs::FileSystem> files;
  ObjectUri uri;  ///< The URI that it was opened with.
  RetryPolicy retry;
};

/// Opens the store of a URI. For s3:// this loads the module libarrow_s3 once per process, from
/// libarrow's folder. The store is not contacted yet.
Result<ObjectStore> OpenObjectStore(const ObjectUri& uri, const ObjectAccess& access,
                                    RetryPolicy retry = {});

/// Returns the kind of a path (bucket/key): an object, a folder, or nothing.
Result<arrow::fs::FileInfo> StatObject(const ObjectStore& store, const std::string& path);

/// Returns all objects below the folder `path`, sorted by path as bytes; finding none is not an
/// Error.
Result<std::vector<StoredObject>> ListObjects(const ObjectStore& store, const std::string& path);

/// Returns the object that a FileInfo of a file describes.
StoredObject ObjectOf(const arrow::fs::FileInfo& info);

/// True if two times are the same as far as stores can tell: some answers are in whole seconds.
bool IsSameTime(int64_t a_ns, int64_t b_ns);

/// Returns the Error of a failed operation: `doing` is what failed ("cannot be read"), `name` the
/// object's URI. Gives advice for the usual reasons.
Error StoreError(const arrow::Status& status, std::string_view doing, const std::string& name);

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_STORE_H_
