// Finds files below folders and files that match patterns.
#ifndef LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/left_out.h"
#include "records/text_pool.h"
#include "stages/input/path_filter.h"

namespace lookalike {

struct FoundFile {
  std::string path;  ///< As needed to open it.
  std::string name;  ///< Path below the searched folder, or the file's own name.
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  int error = 0;  ///< errno if it cannot be read, else 0. It may then be a folder.
};

/// The results of a search, in order; each file takes about sixty bytes plus its path.
class FoundFiles {
 public:
  /// Identifies a file, under whatever name.
  struct Identity {
    uint64_t device = 0, inode = 0;
    auto operator<=>(const Identity&) const = default;
  };

  /// The way in which a search reached a file.
  enum class Way : uint8_t { kName, kLink };

  /// The name is the last `name_size` bytes of the path.
  void Add(std::string_view path, size_t name_size, const FoundFile& facts, Identity identity,
           Way way);

  /// Sorts the files from position `first` on by name, as bytes.
  void SortFrom(size_t first);

  /// Keeps only the first of several names of one file; a link is kept only if there is no other
  /// name.
  void DropRepeated();

  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] FoundFile operator[](size_t i) const;

  LeftOut left_out;

 private:
  struct Entry {
    uint64_t size;
    int64_t mtime_ns;
    Identity identity;
    TextPool::Place text;
    uint32_t path_size, name_size;
    int error;
    Way way;
  };

  [[nodiscard]] std::string_view NameOf(const Entry& entry) const;
  [[nodiscard]] std::string_view PathOf(const Entry& entry) const;

  TextPool texts_;
  std::deque<Entry> entries_;
};

/// Returns the part after the last slash.
std::string_view BaseName(std::string_view path);

/// Returns the path without trailing slashes; the root keeps its slash.
std::string WithoutSlash(std::string path);

/// Returns all regular files below `folder` that `rules` let pass, sorted by name as bytes. A
/// symbolic link that leads out of the folder is left out unless `rules` allow it; a file with
/// several names is found under one of them. A folder below it that cannot be read, and a dangling
/// link, are found with an `error`. Finding nothing is an Error, unless a pattern of `rules` caused
/// it.
Result<FoundFiles> ListFolder(const std::string& folder, const SearchRules& rules = {});

/// True if `argument` has one of the characters of a pattern: * ? [
bool IsPattern(const std::string& argument);

/// Returns the files that a shell pattern matches, and those below the folders that it matches,
/// sorted by path as bytes. `**` matches any number of folders; names are then the paths from
/// there. Links that the pattern itself matches are followed. Returns an Error if nothing matches.
Result<FoundFiles> MatchPattern(const std::string& pattern, const SearchRules& rules = {});

/// A pattern with the component `**`.
struct DeepPattern {
  std::string root;  ///< The folders before it, with a slash at the end; may be a pattern itself.
  std::string rest;  ///< Pattern for paths below them, at any depth.
};

/// Splits a pattern at its component `**`; returns nothing for others.
std::optional<DeepPattern> SplitAtStars(const std::string& pattern);

/// True if a path below the folder before `**/` matches the pattern after it.
bool MatchesAtAnyDepth(const std::string& pattern, const std::string& name);

/// Returns the length of the part before a pattern's first component with a wildcard: the folder to
/// search, with a trailing slash.
size_t FixedPart(const std::string& pattern);

/// Returns why a path that matches a pattern without `**` is left out nevertheless, or nothing: the
/// markers of data sets are only matched by a pattern that asks for them.
std::optional<LeftOutReason> RefusesMatch(const std::string& pattern, std::string_view path,
                                          bool is_folder, const PathFilter& filter);

/// Returns the list of what was left out, for a message that nothing was found.
std::string ListLeftOut(const LeftOut& left_out);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
