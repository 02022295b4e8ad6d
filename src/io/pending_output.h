// A result being written: it appears complete, or the old one stays as it was.
#ifndef LOOKALIKE_IO_PENDING_OUTPUT_H_
#define LOOKALIKE_IO_PENDING_OUTPUT_H_

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "flow/input_list.h"
#include "io/file_system.h"
#include "io/scratch_folder.h"
#include "lookalike/status.h"

namespace lookalike {

/// An Error where an output is one of the inputs, as their user named them, is inside one of them
/// or has one inside. Standard input is passed over.
Status CheckAgainstInputs(const std::string& output, std::span<const std::string> inputs);

/// A run works in the folder OUTPUT.partial, beside OUTPUT so that the last rename is one step;
/// what will be OUTPUT is `result` in it, all else there is removed once OUTPUT stands. The folder
/// is locked (flock on itself) while this object lives, and marked, so that one which a dead run
/// left is replaced and one of somebody else never is. Destroying this without Commit() removes it.
/// Movable, not thread-safe.
class PendingOutput {
 public:
  /// Whether a folder may be replaced: an Error says why not. Null: nothing may.
  using MayReplace = std::function<Status(const std::string& folder)>;

  /// Opens the working folder of a result that is a folder. `inputs` are the run's inputs as the
  /// user named them (files or folders; "-" and patterns are passed over): an output inside one of
  /// them, or around one, is an Error. So are an existing output that `may_replace` refuses, now or
  /// in the end, a missing parent folder, the current folder, and a working folder that another
  /// live run holds or that no run has made.
  /// What a dead run left in the working folder stays there until Empty().
  static Result<PendingOutput> OpenFolder(const std::string& output, MayReplace may_replace,
                                          std::span<const std::string> inputs = {},
                                          FileSystem& files = RealFileSystem());

  /// The same for a result that is one file. What a dead run left is removed. An existing plain
  /// file will be replaced; anything else in its place (a folder, a device, a link) is an Error.
  static Result<PendingOutput> OpenFile(const std::string& output,
                                        std::span<const std::string> inputs = {},
                                        FileSystem& files = RealFileSystem());

  PendingOutput(PendingOutput&& other) noexcept;
  PendingOutput& operator=(PendingOutput&&) = delete;
  ~PendingOutput();

  /// Where to put `name` ("spool") while the run works; "" is the working folder itself.
  [[nodiscard]] std::string path(const std::string& name) const;

  /// What Commit() puts in place: a folder, or the one file to write.
  [[nodiscard]] const std::string& result() const { return result_; }

  /// Where `name` ("kept/a.jsonl") goes in a result that is a folder.
  [[nodiscard]] std::string result_path(const std::string& name) const {
    return result_ + "/" + name;
  }

  /// Removes what a dead run left in the working folder, and all that was put there since, but for
  /// what is called `but`. The scratch folder goes too.
  Status Empty(const std::string& but = {});

  /// Makes a folder for temporary files below `place`, which other runs may share, and returns its
  /// path. It goes where the working folder goes, whoever removes that.
  Result<std::string> MakeScratch(const std::string& place);

  /// The same of an earlier attempt at this output, taken over; nothing where it made none.
  Result<std::optional<std::string>> TakeScratch();

  /// From now on destroying this leaves the working folder as it is, for ReopenFolder.
  void KeepForResume() { keep_ = true; }

  /// The check that the Open functions make, for inputs that patterns and folders led to. An input
  /// in the working folder is this run's own.
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
  DirectoryLock lock_;      ///< Of the working folder.
  DirectoryLock old_lock_;  ///< Of the replaced result, until it is removed.
  FileSystem* files_;       ///< Null once moved from.
  bool keep_ = false;
  bool occupied_ = false;  ///< The working folder is there, and ours to remove.
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_PENDING_OUTPUT_H_
