// A result being written: either it appears complete, or the old result stays as it was.
#ifndef LOOKALIKE_IO_PENDING_OUTPUT_H_
#define LOOKALIKE_IO_PENDING_OUTPUT_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "io/file_system.h"
#include "io/scratch_folder.h"
#include "lookalike/status.h"
#include "records/input_list.h"

namespace lookalike {

/// Returns an Error if an output is one of the inputs (as the user named them), is inside one of
/// them, or contains one. Standard input is skipped.
Status CheckAgainstInputs(const std::string& output, std::span<const std::string> inputs);

/// Returns an Error if the folder that an output is to be made in does not exist.
Status CheckParent(const std::string& output, FileSystem& files = RealFileSystem());

/// Returns the absolute form of a path, without slashes at its end. Links and ".." stay in it.
std::string AbsolutePath(const std::string& path);

/// A result in progress. A run works in the folder OUTPUT.partial, beside OUTPUT so that the last
/// rename is one step; `result` in it becomes OUTPUT, and the rest is removed once OUTPUT is in
/// place. The folder is locked (flock on itself) while this object lives, and marked, so that a
/// folder left by a dead run is replaced and somebody else's folder never is. Destroying this
/// without Commit() removes it. Movable, not thread-safe.
class PendingOutput {
 public:
  /// Checks that a folder may be replaced: an Error says why not. Null: nothing may.
  using MayReplace = std::function<Status(const std::string& folder)>;

  /// Opens the working folder of a result that is a folder. `inputs` are the run's inputs as the
  /// user named them (files or folders; "-" and patterns are skipped): an output inside one of
  /// them, or around one, is an Error. So are an existing output that `may_replace` refuses, now or
  /// in the end, a missing parent folder, the current folder, and a working folder that another
  /// live run holds or that was not made by a run.
  /// Whatever a dead run left in the working folder stays there until Empty().
  static Result<PendingOutput> OpenFolder(const std::string& output, MayReplace may_replace,
                                          std::span<const std::string> inputs = {},
                                          FileSystem& files = RealFileSystem());

  /// Does the same for a result that is one file. Whatever a dead run left is removed. An existing
  /// plain file will be replaced; anything else in its place (a folder, a device, a link) is an
  /// Error.
  static Result<PendingOutput> OpenFile(const std::string& output,
                                        std::span<const std::string> inputs = {},
                                        FileSystem& files = RealFileSystem());

  PendingOutput(PendingOutput&& other) noexcept;
  PendingOutput& operator=(PendingOutput&&) = delete;
  ~PendingOutput();

  /// Returns the path for `name` ("spool") while the run works; "" is the working folder itself.
  [[nodiscard]] std::string path(const std::string& name) const;

  /// Returns the path that Commit() puts in place: a folder, or the one file to write.
  [[nodiscard]] const std::string& result() const { return result_; }

  /// Returns the path of `name` ("kept/a.jsonl") in a result that is a folder.
  [[nodiscard]] std::string result_path(const std::string& name) const {
    return result_ + "/" + name;
  }

  /// Removes everything in the working folder, left by a dead run or put there since, except the
  /// entry named `but`. The scratch folder goes too.
  Status Empty(const std::string& but = {});

  /// Makes a folder for temporary files below `place`, which other runs may share, and returns its
  /// path. It is removed with the working folder, whoever removes that.
  Result<std::string> MakeScratch(const std::string& place);

  /// Takes over the scratch folder of an earlier attempt at this output; nothing if it made none.
  Result<std::optional<std::string>> TakeScratch();

  /// Makes destroying this leave the working folder as it is, so that a later run can resume it.
  void KeepForResume() { keep_ = true; }

  /// Makes the same check as the Open functions, for inputs found by patterns and folders. An input
  /// in the working folder is allowed, as it is this run's own.
  Status CheckApartFrom(const InputList& inputs) const;

  /// Makes everything durable and puts it in place of the output; call it once, with all files
  /// closed. On an Error the output is as it was before. After success an old result that could not
  /// be removed is left as OUTPUT.partial, which the next run replaces.
  Status Commit();

 private:
  enum class Kind { kFolder, kFile };

  PendingOutput(std::string output, Kind kind, MayReplace may_replace, FileSystem& files);

  static Result<PendingOutput> Open(const std::string& output, Kind kind, MayReplace may_replace,
                                    std::span<const std::string> inputs, FileSystem& files);
  Result<FileKind> CheckPlace() const;
  Status Occupy();
  Status CheckLeftover();
  Status ProbeExchange();
  Status SyncResult();
  Status Publish();
  Status SyncParentOrUndo(bool exchanged);
  Status RemoveScratch();
  void Remove();

  std::string output_, partial_, result_;
  Kind kind_;
  MayReplace may_replace_;
  std::optional<ScratchFolder> scratch_;
  DirectoryLock lock_;      ///< Lock of the working folder.
  DirectoryLock old_lock_;  ///< Lock of the replaced result, until it is removed.
  FileSystem* files_;       ///< Null once moved from.
  bool keep_ = false;
  bool occupied_ = false;  ///< The working folder exists, and is ours to remove.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_PENDING_OUTPUT_H_
