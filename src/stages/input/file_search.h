// Files below folders and files that match patterns.
#ifndef LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
#define LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "flow/left_out.h"
#include "flow/text_pool.h"
#include "lookalike/status.h"
#include "stages/input/path_filter.h"

namespace lookalike {

struct FoundFile {
  std::string path;  ///< As it can be opened.
  std::string name;  ///< Below the folder that was searched, or the file's own name.
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  int error = 0;  ///< The errno that says why it cannot be read, or 0. May be a folder's then.
};

/// What a search found, in order, each file in some sixty bytes and its path.
class FoundFiles {
 public:
  /// What tells a file from all others, under whatever name.
  struct Identity {
    uint64_t device = 0, inode = 0;
    auto operator<=>(const Identity&) const = default;
  };

  /// How a search came to a file.
  enum class Way : uint8_t { kName, kLink };

  /// The name is the last `name_size` bytes of the path.
  void Add(std::string_view path, size_t name_size, const FoundFile& facts, Identity identity,
           Way way);

  /// Sorts those from the position `first` on by name, as bytes.
  void SortFrom(size_t first);

  /// Of several names of one file the first stays, a link only where there is no other.
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

/// What stands behind the last slash.
std::string_view BaseName(std::string_view path);

/// The path without slashes at its end, but for the root's.
std::string WithoutSlash(std::string path);

/// All regular files below `folder` that `rules` let pass, sorted by name as bytes. A symbolic link
/// that leads out of the folder is left out unless `rules` say otherwise; a file that has several
/// names is found under one of them. A folder below it that cannot be read, and a link to nowhere,
/// are found with an `error`. Finding nothing is an Error, unless a pattern of `rules` made it so.
Result<FoundFiles> ListFolder(const std::string& folder, const SearchRules& rules = {});

/// Whether `argument` has one of the characters of a pattern: * ? [
bool IsPattern(const std::string& argument);

/// The files that a shell pattern matches, and those below the folders that it matches, sorted by
/// path as bytes. `**` stands for any number of folders; names are then the paths from there. Links
/// that the pattern itself matches are followed. An Error if nothing matches.
Result<FoundFiles> MatchPattern(const std::string& pattern, const SearchRules& rules = {});

/// A pattern with a part `**`.
struct DeepPattern {
  std::string root;  ///< The folders before it, with a slash at the end; may be a pattern itself.
  std::string rest;  ///< What a path below them matches, at any depth.
};

/// Takes a pattern with a part `**` apart; nothing for others.
std::optional<DeepPattern> SplitAtStars(const std::string& pattern);

/// Whether a path below the folder before `**/` matches what stands after it.
bool MatchesAtAnyDepth(const std::string& pattern, const std::string& name);

/// The length of what stands before the first part of a pattern that has a wildcard: the folder
/// that is searched, with a slash at its end.
size_t FixedPart(const std::string& pattern);

/// Why a path that a pattern without `**` matches is left out nevertheless, or nothing: a pattern
/// that does not ask for them does not mean the markers of data sets.
std::optional<LeftOutReason> RefusesMatch(const std::string& pattern, std::string_view path,
                                          bool is_folder, const PathFilter& filter);

/// What to add to a message that nothing was found: what was left out.
std::string WhatWasLeftOut(const LeftOut& left_out);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_FILE_SEARCH_H_
