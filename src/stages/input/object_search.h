// Finds the keys that a URI refers to: one object, all below a prefix, or those that match a
// pattern.
#ifndef LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/object_store.h"
#include "lookalike/status.h"
#include "records/left_out.h"
#include "stages/input/path_filter.h"

namespace lookalike {

struct FoundObject {
  StoredObject object;
  std::string name;  ///< Path below the searched prefix, or the last part of the key.
};

/// Selects the objects below `folder` (bucket or bucket/prefix) that `filter` accepts, and returns
/// them sorted by name as bytes. REQUIRES: `objects` are sorted.
std::vector<FoundObject> InFolder(const std::string& folder, std::span<const StoredObject> objects,
                                  const PathFilter& filter, LeftOut* left_out);

/// Selects the objects that match a shell pattern over bucket/key or are below a prefix that
/// matches it, by the same rules as for files (MatchPattern). REQUIRES: `objects` are sorted.
std::vector<FoundObject> MatchObjects(const std::string& pattern,
                                      std::span<const StoredObject> objects,
                                      const PathFilter& filter, LeftOut* left_out);

/// Returns the folder (bucket or bucket/prefix) that contains all matches of a pattern.
std::string FolderOfPattern(const std::string& pattern);

/// Looks up the store's URI. Finding nothing is an Error, unless a pattern of `rules` caused it; a
/// missing object of exactly this name is not an Error, but yields nullopt.
Result<std::optional<std::vector<FoundObject>>> FindObjects(const ObjectStore& store,
                                                            const SearchRules& rules,
                                                            LeftOut* left_out);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
