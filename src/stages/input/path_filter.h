// Which entries of a folder a search reads, by their names.
#ifndef LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_
#define LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/left_out.h"

namespace lookalike {

/// What a user asks of searches. Files that are named themselves are read whatever it says.
struct SearchRules {
  std::vector<std::string> include = {}, exclude = {};  ///< Patterns (docs/how-to/folders.md).
  bool follow_links = false;                            ///< Symbolic links out of the folder, too.
};

/// True for names that data sets keep beside their data: `_SUCCESS`, `_temporary`,
/// `_committed_...` and their like.
bool IsDataSetMarker(std::string_view name);

/// Decides by the path from the folder that is searched.
class PathFilter {
 public:
  explicit PathFilter(const SearchRules& rules);

  /// Why an entry is left out, or nothing. `path`: from the folder that is searched; REQUIRES: the
  /// folders on it were not refused.
  [[nodiscard]] std::optional<LeftOutReason> Refuses(std::string_view path, bool is_folder) const;

 private:
  using Parts = std::vector<std::string>;

  static bool MatchesAny(const std::vector<Parts>& patterns, const Parts& path);

  std::vector<Parts> include_, exclude_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_PATH_FILTER_H_
