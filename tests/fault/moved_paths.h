// The names of paths after a rename.
#ifndef LOOKALIKE_TESTS_FAULT_MOVED_PATHS_H_
#define LOOKALIKE_TESTS_FAULT_MOVED_PATHS_H_

#include <string>

namespace lookalike {

/// True if `path` is `folder` or below it.
inline bool IsAtOrBelow(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// Returns the name of a path after `from` was renamed to `to`.
inline std::string Moved(const std::string& path, const std::string& from, const std::string& to) {
  return IsAtOrBelow(path, from) ? to + path.substr(from.size()) : path;
}

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_FAULT_MOVED_PATHS_H_
