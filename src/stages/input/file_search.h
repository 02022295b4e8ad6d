// Files below folders and files that match patterns.
#ifndef LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_

#include <optional>
#include <string>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

struct FoundFile {
  std::string path;  ///< As it can be opened.
  std::string name;  ///< Below the folder that was searched, or the file's own name.
};

/// What stands behind the last slash.
std::string_view BaseName(std::string_view path);

/// All regular files below `folder`, sorted by name as bytes. Entries whose name begins with '.'
/// or '_' are left out. An Error if there is none or a folder cannot be read.
Result<std::vector<FoundFile>> ListFolder(const std::string& folder);

/// Whether `argument` has one of the characters of a pattern: * ? [
bool IsPattern(const std::string& argument);

/// The files that a shell pattern matches, and those below the folders that it matches, sorted by
/// path as bytes. `**` stands for any number of folders; names are then the paths from there. An
/// Error if nothing matches.
Result<std::vector<FoundFile>> MatchPattern(const std::string& pattern);

/// A pattern with a part `**`.
struct DeepPattern {
  std::string root;  ///< The folders before it, with a slash at the end; may be a pattern itself.
  std::string rest;  ///< What a path below them matches, at any depth.
};

/// Takes a pattern with a part `**` apart; nothing for others.
std::optional<DeepPattern> SplitAtStars(const std::string& pattern);

/// Whether a path below the folder before `**/` matches what stands after it.
bool MatchesAtAnyDepth(const std::string& pattern, const std::string& name);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
