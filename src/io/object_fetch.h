// Copies of objects on the local disk.
#ifndef LOOKALIKE_IO_OBJECT_FETCH_H_
#define LOOKALIKE_IO_OBJECT_FETCH_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/file_system.h"
#include "io/object_store.h"
#include "lookalike/status.h"

namespace lookalike {

/// One object and the file that it is copied to.
struct FetchTask {
  StoredObject object;  ///< The object as listed.
  std::string target;
};

struct FetchSettings {
  size_t connections = 8;          ///< Concurrent requests, over all objects.
  size_t chunk = size_t{4} << 20;  ///< Bytes of a request, all of which are in memory.
  /// Called now and then with the bytes of all objects that are on the disk.
  std::function<void(uint64_t)> progress;
};

/// Copies objects to their targets, in chunks; a target has the object's time of change, and
/// appears only when it is complete. A target that has the object's size and time is kept as it is.
/// Reads that fail are repeated, and those that end early are continued. Returns an Error for each
/// task that failed: its object cannot be read, or has changed since it was listed. With
/// `stop_at_first`, the first failure ends all. The outer Error is about the local disk, or
/// "interrupted".
Result<std::vector<Status>> FetchObjects(const ObjectStore& store, std::span<const FetchTask> tasks,
                                         bool stop_at_first, const FetchSettings& settings,
                                         FileSystem& files = RealFileSystem());

/// True if the file at `target` is a complete copy of the object.
Result<bool> IsFetched(const FetchTask& task, FileSystem& files = RealFileSystem());

}  // namespace lookalike

#endif  // LOOKALIKE_IO_OBJECT_FETCH_H_
