// Files of a database: made outside of it, and compared with their checksums.
#ifndef LOOKALIKE_INDEX_ROCKS_TABLE_FILES_H_
#define LOOKALIKE_INDEX_ROCKS_TABLE_FILES_H_

#include <rocksdb/db.h>

#include <string>

#include "index/changes.h"
#include "index/rocks/database.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns the folder for files that are to become part of a database.
std::string MadeFolder(const std::string& folder);

/// Makes a folder that is empty.
Status MakeEmpty(const std::string& folder);

/// Writes changes of a family into a file that can become part of the database.
Result<rocksdb::IngestExternalFileArg> MakeFile(const Database& database,
                                                rocksdb::ColumnFamilyHandle* family,
                                                const std::string& path, const Changes& changes);

/// Returns an Error if a file is not as it was written.
Status CheckFile(const rocksdb::LiveFileStorageInfo& file);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_ROCKS_TABLE_FILES_H_
