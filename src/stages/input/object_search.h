// Keys of objects that a URI means: one object, all below a prefix, or those that match a pattern.
#ifndef LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flow/left_out.h"
#include "io/object_store.h"
#include "lookalike/status.h"
#include "stages/input/path_filter.h"

namespace lookalike {

struct FoundObject {
  StoredObject object;
  std::string name;  ///< Below the prefix that was searched, or the last part of the key.
};

/// Of sorted `objects` below the folder `folder` (bucket or bucket/prefix) those that `filter` lets
/// pass. Sorted by name as bytes.
std::vector<FoundObject> InFolder(const std::string& folder, std::span<const StoredObject> objects,
                                  const PathFilter& filter, LeftOut* left_out);

/// Of sorted `objects` those that a shell pattern over bucket/key matches, and those below the
/// prefixes that it matches, with the same rules as for files (MatchPattern).
std::vector<FoundObject> MatchObjects(const std::string& pattern,
                                      std::span<const StoredObject> objects,
                                      const PathFilter& filter, LeftOut* left_out);

/// The folder (bucket or bucket/prefix) that all matches of a pattern are below.
std::string FolderOfPattern(const std::string& pattern);

/// Looks for what the store's URI means. Finding nothing is an Error, unless a pattern of `rules`
/// made it so; that there is no object of exactly this name is no Error, but yields nullopt.
Result<std::optional<std::vector<FoundObject>>> FindObjects(const ObjectStore& store,
                                                            const SearchRules& rules,
                                                            LeftOut* left_out);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_OBJECT_SEARCH_H_
