// A folder in an object store, as a file system with a copy on this machine.
#ifndef LOOKALIKE_IO_STORE_FOLDER_H_
#define LOOKALIKE_IO_STORE_FOLDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/forwarding_file_system.h"
#include "io/object_fetch.h"
#include "io/object_store.h"

namespace lookalike {

/// The files of processes that share nothing but a store. Paths below `copy`, a folder of this
/// machine, are also names of objects. A file is uploaded by the Rename() that gives it its name,
/// and fetched when it is opened: in blocks, or whole if much of it is read. Everything else, and
/// all other paths, are left to the file system of this machine. Safe from several threads.
///
/// Stores cannot refuse to replace an object. So a file must have the same content whoever makes
/// it, or be in the folder of versions: there the object's name ends in the hash of its content,
/// and every process takes the first version, by name, of those that it lists. An object that has
/// the size of a file is taken for it, and not replaced. Folders lie directly in this one.
class StoreFolder final : public ForwardingFileSystem {
 public:
  struct Setup {
    ObjectStore store;  ///< Its URI names the folder.
    std::string copy;
    std::string versions;          ///< Name of the folder of versions, directly in this one.
    std::vector<std::string> own;  ///< Names in this folder that are not shared.
  };

  explicit StoreFolder(Setup setup, FileSystem& base = RealFileSystem());
  ~StoreFolder() override;

  /// Opens an object of up to a megabyte after copying it.
  Result<std::unique_ptr<RandomAccessFile>> OpenRead(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status RemoveTree(const std::string& path) override;
  Result<FileFacts> Stat(const std::string& path) override;

  /// Lists the objects of a folder anew, and those of this machine. All versions that are taken are
  /// copied.
  Result<std::vector<std::string>> List(const std::string& path) override;

  /// Returns the URI of a path below the copy; any other path unchanged.
  [[nodiscard]] std::string NameOf(const std::string& path) const;

  /// True if the folder has no objects.
  [[nodiscard]] Result<bool> IsEmpty() const;

 private:
  class Blocks;

  [[nodiscard]] std::optional<std::string> SharedName(const std::string& path) const;
  [[nodiscard]] bool HasVersions(std::string_view name) const;
  [[nodiscard]] std::string PathOf(const std::string& name) const;
  [[nodiscard]] Result<std::optional<StoredObject>> Find(const std::string& name);
  [[nodiscard]] Result<std::vector<std::string>> ListObjectsOf(const std::string& folder);
  Status Fetch(const std::vector<std::string>& names);
  [[nodiscard]] Result<std::vector<FetchTask>> ToFetch(const std::vector<std::string>& names);
  Status Upload(const std::string& name, const std::string& path);

  Setup setup_;
  std::mutex mutex_;                           // of the following
  std::map<std::string, StoredObject> there_;  // by name in this folder; as last listed
  std::mutex fetching_;                        // a file is fetched once
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_STORE_FOLDER_H_
