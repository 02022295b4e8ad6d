// The rules that decide by name which entries of a folder a search reads.
#ifndef LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_
#define LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/left_out.h"

namespace lookalike {

/// The user's rules for searches. Files that are named explicitly are read regardless.
struct SearchRules {
  std::vector<std::string> include = {}, exclude = {};  ///< Patterns (docs/how-to/folders.md).
  bool follow_links = false;                            ///< Even links out of the folder.
};

/// True for names that data sets store beside their data: `_SUCCESS`, `_temporary`,
/// `_committed_...` and similar names.
bool IsDataSetMarker(std::string_view name);

/// Decides by the path relative to the searched folder.
class PathFilter {
 public:
  explicit PathFilter(const SearchRules& rules);

  /// Returns why an entry is left out, or nothing. `path`: relative to the searched folder;
  /// REQUIRES: no folder on that path was refused.
  [[nodiscard]] std::optional<LeftOutReason> Refuses(std::string_view path, bool is_folder) const;

 private:
  using Parts = std::vector<std::string>;

  static bool MatchesAny(const std::vector<Parts>& patterns, const Parts& path);

  std::vector<Parts> include_, exclude_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_
