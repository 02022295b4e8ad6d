// An open RocksDB database with the families of an index.
#ifndef LOOKALIKE_INDEX_ROCKS_DATABASE_H_
#define LOOKALIKE_INDEX_ROCKS_DATABASE_H_

#include <rocksdb/db.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "index/family.h"
#include "index/store.h"
#include "lookalike/status.h"

namespace lookalike {

inline constexpr std::array<const char*, kFamilyCount> kNames = {
    "default", "documents", "ids",   "postings", "classes",
    "sets",    "texts",     "edges", "clusters", "changes"};

/// New files of a family are merged when there are so many; during a load, which makes very many,
/// more.
inline constexpr int kFilesToMerge = 4, kFilesOfLoad = 32;

Failure ErrorOf(const rocksdb::Status& status);
Status StatusOf(const rocksdb::Status& status);

using Handles = std::vector<rocksdb::ColumnFamilyHandle*>;

/// An open database. Closed when nobody uses it any more.
struct Database {
  ~Database() {
    for (rocksdb::ColumnFamilyHandle* const handle : handles) {
      db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    if (db) db->Close().PermitUncheckedError();
    db.reset();
    std::error_code ignored;
    if (!replaced_folder.empty()) std::filesystem::remove_all(replaced_folder, ignored);
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* Of(Family family) const {
    return handles[static_cast<size_t>(family)];
  }

  std::unique_ptr<rocksdb::DB> db;
  Handles handles;
  std::string replaced_folder;  ///< Its own, once another database has taken its place.
};

/// Opens a database. A reader that is overtaken by a writer, which makes and removes files, would
/// see a state that never was, or none at all: it opens the database anew. Returns an Error of code
/// kUsage if another process writes to it. `cache`: as OpenStore().
Result<std::shared_ptr<Database>> OpenDatabase(const std::string& folder, StoreMode mode,
                                               uint64_t cache);

/// Says whether files have been made or removed: the name and size of the list of files, and the
/// names of the logs.
std::string MarkOf(const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ROCKS_DATABASE_H_
