// Keys of objects that a URI means: one object, all below a prefix, or those that match a pattern.
#ifndef LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_

#include <span>
#include <string>
#include <vector>

#include "io/object_store.h"
#include "lookalike/status.h"

namespace lookalike {

struct FoundObject {
  StoredObject object;
  std::string name;  ///< Below the prefix that was searched, or the last part of the key.
};

/// Of sorted `objects` below the folder `folder` (bucket or bucket/prefix) those that count: none
/// with a part of the name that begins with '.' or '_'. Sorted by name as bytes.
std::vector<FoundObject> InFolder(const std::string& folder, std::span<const StoredObject> objects);

/// Of `objects` those that a shell pattern over bucket/key matches, and those below the prefixes
/// that it matches, with the same rules as for files (MatchPattern).
std::vector<FoundObject> MatchObjects(const std::string& pattern,
                                      std::span<const StoredObject> objects);

/// The folder (bucket or bucket/prefix) that all matches of a pattern are below.
std::string FolderOfPattern(const std::string& pattern);

/// Looks for what the store's URI means. Finding nothing is an Error; that there is no object of
/// exactly this name is no Error, but yields nothing.
Result<std::vector<FoundObject>> FindObjects(const ObjectStore& store);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
