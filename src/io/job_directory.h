// The folder of results: it appears complete, or the old one stays as it was.
#ifndef LOOKALIKE_IO_JOB_DIRECTORY_H_
#define LOOKALIKE_IO_JOB_DIRECTORY_H_

#include <span>
#include <string>

#include "io/file_system.h"
#include "lookalike/status.h"

namespace lookalike {

/// A run writes into OUTPUT.partial, beside OUTPUT so that the last rename is one step. The folder
/// is locked (flock on itself) while this object lives; one that a dead process left is replaced.
/// Destroying it without Commit() removes OUTPUT.partial. Movable, not thread-safe.
class JobDirectory {
 public:
  /// Opens the working folder of `output`. `inputs` are the run's inputs as the user named them
  /// (files or folders; "-" and patterns are passed over): an output inside one of them, or around
  /// one, is an Error. So are an existing output without `overwrite`, a missing parent folder, the
  /// current folder, and a working folder that another live process holds.
  static Result<JobDirectory> Open(const std::string& output, bool overwrite,
                                   std::span<const std::string> inputs = {},
                                   FileSystem& files = RealFileSystem());

  JobDirectory(JobDirectory&& other) noexcept;
  JobDirectory& operator=(JobDirectory&&) = delete;
  ~JobDirectory();

  /// Where to write the result called `name` ("kept/a.jsonl"; "" is the folder itself).
  [[nodiscard]] std::string path(const std::string& name) const;

  /// Makes everything durable and puts it in place of `output`; call it once, with all files
  /// closed. On an Error `output` is as it was before. After success an old result that could not
  /// be removed is left as OUTPUT.partial, which the next run replaces.
  Status Commit();

 private:
  JobDirectory(std::string output, bool overwrite, DirectoryLock lock, FileSystem& files);

  Status Clear();
  Status ProbeExchange();
  Status Publish();
  Status SyncParentOrUndo(bool exchanged);

  std::string output_, partial_;
  bool overwrite_;
  DirectoryLock lock_;      ///< Of the working folder.
  DirectoryLock old_lock_;  ///< Of the replaced result, until it is removed.
  FileSystem* files_;       ///< Null once moved from.
  bool committed_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_JOB_DIRECTORY_H_
