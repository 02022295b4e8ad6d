// The folder with the store of an index, and how another one takes its place in one step.
#ifndef LOOKALIKE_INDEX_DATA_FOLDER_H_
#define LOOKALIKE_INDEX_DATA_FOLDER_H_

#include <filesystem>
#include <memory>
#include <string>

#include "index/store.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns the folder of the store of an index: "data", or, once another one took its place, the
/// one that the file "current" names.
std::filesystem::path DataOf(const std::filesystem::path& folder);

/// Returns the folder of a store that may take the place of the present one.
std::filesystem::path NextDataOf(const std::filesystem::path& folder);

/// Replaces a file of an index, in one durable step.
Status ReplaceFile(const std::filesystem::path& file, const std::string& text);

/// Makes `next` the store of an index, in one durable step. REQUIRES: it is durable itself.
Status ReplaceData(const std::filesystem::path& folder, const std::filesystem::path& next);

/// Removes the folders of stores other than the present one. REQUIRES: the present one is open to
/// be written, so that no other process makes one.
void RemoveOtherData(const std::filesystem::path& folder);

/// Opens the store of an index, as OpenStore().
Result<std::unique_ptr<Store>> OpenData(const std::filesystem::path& folder, StoreMode mode,
                                        uint64_t cache);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_DATA_FOLDER_H_
