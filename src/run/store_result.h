// Results that go to an object store: made in a folder of this machine, then uploaded, the manifest
// last.
#ifndef LOOKALIKE_RUN_STORE_RESULT_H_
#define LOOKALIKE_RUN_STORE_RESULT_H_

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/object_access.h"
#include "io/object_store.h"
#include "io/object_upload.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// Returns how the objects among a run's inputs are read. `output` is the run's result as the user
/// named it.
ObjectReading ReadingOf(const Options& options, const Observer& observer,
                        const std::string& output);

/// Returns the path of a file:// URI; any other text unchanged.
Result<std::string> LocalPath(const std::string& name);

/// A new folder for temporary files, removed with this object.
class TemporaryFolder {
 public:
  /// Makes it in `place`; empty: the system's folder for temporary files.
  static Result<TemporaryFolder> Make(const std::string& place = {});
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// The place of a result in a store.
class StoreResult {
 public:
  /// Opens the store of the URI `output`. Returns an Error if an input (by name) is the output, is
  /// inside it, or contains it.
  static Result<StoreResult> Open(const std::string& output, std::span<const std::string> inputs,
                                  const ObjectReading& reading, const Options& options);

  /// Returns an Error if an input (by name) is the output, is inside it, or contains it.
  static Status CheckApart(const std::string& output, std::span<const std::string> inputs);

  /// Opens the store for a copy of `local`, a result on this machine, which is left unchanged.
  static Result<StoreResult> OpenFor(const std::string& local, const std::string& output,
                                     const ObjectReading& reading);

  /// Returns where the result is made: below --scratch, or else in the system's temporary folder;
  /// always the same for the same URI.
  [[nodiscard]] const std::string& local() const { return local_; }

  /// Returns the text of a file of the existing result, or nothing if there is none.
  Result<std::optional<std::string>> Read(std::string_view name) const;

  /// Returns the sizes of all objects below the place, by their relative paths.
  Result<std::map<std::string, uint64_t>> ListSizes() const;

  /// Checks that the place of a folder is free or may be replaced, and that it is writable. An
  /// upload is only resumed if local() holds its result.
  Status CheckFolder(bool overwrite, bool resume) const;

  /// Does the same for a result that is one object; an existing object is replaced.
  Status CheckObject() const;

  /// Checks that there is no object at this place.
  Status CheckFree() const;

  /// Copies the folder local() as UploadFolder does, and the file local() as UploadFile does, but
  /// leaves them where they are.
  Status CopyFolder(const Observer& observer) const;
  Status CopyFile(const Observer& observer) const;

  /// Uploads the folder local(): removes the existing manifest, uploads all files, removes files
  /// that only the old result had, and uploads manifest.json last. Then removes the folder. Returns
  /// an Error, and leaves no manifest, if another run wrote to the place meanwhile.
  Status UploadFolder(const Observer& observer) const;

  /// Writes a small object, and removes one.
  Status PutText(const std::string& name, const std::string& text) const;
  Status Remove(const std::string& name) const;

  /// Uploads files of a folder to the same names; existing objects are replaced.
  Status PutFrom(const std::string& folder, std::span<const std::string> names,
                 const Observer& observer = {}) const;

  /// Uploads the files of local(), manifest.json last, beside objects that are part of the result.
  Status PutRest(const Observer& observer) const;

  /// Uploads the file local(), then removes it.
  Status UploadFile(const Observer& observer) const;

  /// Returns an Error about the local result as an Error about the place in the store.
  [[nodiscard]] Error Renamed(Error error) const;

 private:
  StoreResult(ObjectStore store, std::string local)
      : store_(std::move(store)), local_(std::move(local)) {}

  Status PutAll(const Observer& observer) const;
  Status Put(std::span<const std::string> names, const Observer& observer) const;
  Status CheckAlone(std::span<const UploadTask> tasks, std::span<const StoredObject> there) const;
  Status RemoveStale(std::span<const std::string> names, std::span<const StoredObject> there) const;
  [[nodiscard]] std::string PathOf(const std::string& name) const;

  ObjectStore store_;
  std::string local_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_STORE_RESULT_H_
