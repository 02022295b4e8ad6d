#include "stages/input/file_search.h"

#include <fmt/core.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>
#include <vector>

#include "stages/input/folder_walk.h"

namespace lookalike {
namespace {

/// Returns the paths that POSIX glob finds, sorted as bytes.
Result<std::vector<std::string>> Glob(const std::string& pattern) {
  glob_t found{};
  const int code = glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
  std::vector<std::string> paths;
  if (code == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (code != 0 && code != GLOB_NOMATCH) {
    return InputError("the pattern reaches a folder that cannot be read; check its permissions",
                      pattern);
  }
  // A pattern such as .* does not mean the folder itself or its parent.
  std::erase_if(paths, [&](const std::string& path) {
    return IsPattern(std::string(BaseName(pattern))) &&
           (BaseName(path) == "." || BaseName(path) == "..");
  });
  std::sort(paths.begin(), paths.end());
  return paths;
}

Status MatchDeep(const DeepPattern& pattern, const SearchRules& rules, FoundFiles* found) {
  const PathFilter filter(rules);
  if (!IsPattern(pattern.root)) {
    return FolderWalk(filter, rules.follow_links, &pattern.rest, found)
        .Run(pattern.root.empty() ? "." : pattern.root);
  }
  const std::string folders = WithoutSlash(pattern.root);
  LOOKALIKE_ASSIGN_OR_RETURN(const auto roots, Glob(folders));
  for (const std::string& root : roots) {
    struct stat status;
    if (stat(root.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
    if (const auto reason = RefusesMatch(folders, root, true, filter)) {
      found->left_out.Add(*reason, root);
      continue;
    }
    LOOKALIKE_RETURN_IF_ERROR(FolderWalk(filter, rules.follow_links, &pattern.rest, found)
                                  .Run(root, root.substr(FixedPart(folders))));
  }
  return {};
}

/// Adds a file that a pattern matches, or all files below a matching folder.
Status AddMatch(const std::string& pattern, const std::string& path, const SearchRules& rules,
                FoundFiles* found) {
  const PathFilter filter(rules);
  struct stat status;
  FoundFile facts;
  if (stat(path.c_str(), &status) != 0) {
    facts.error = errno;
    found->Add(path, BaseName(path).size(), facts, {}, FoundFiles::Way::kLink);
    return {};
  }
  const bool is_folder = S_ISDIR(status.st_mode);
  if (const auto reason = RefusesMatch(pattern, path, is_folder, filter)) {
    found->left_out.Add(*reason, path);
  } else if (is_folder) {
    return FolderWalk(filter, rules.follow_links, nullptr, found)
        .Run(path, path.substr(FixedPart(pattern)));
  } else if (!S_ISREG(status.st_mode)) {
    found->left_out.Add(LeftOutReason::kSpecial, path);
  } else {
    struct stat own;
    const bool is_link = lstat(path.c_str(), &own) == 0 && S_ISLNK(own.st_mode);
    facts.size = static_cast<uint64_t>(status.st_size);
    facts.mtime_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    found->Add(path, BaseName(path).size(), facts,
               {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)},
               is_link ? FoundFiles::Way::kLink : FoundFiles::Way::kName);
  }
  return {};
}

Status MatchShallow(const std::string& pattern, const SearchRules& rules, FoundFiles* found) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto paths, Glob(pattern));
  for (const std::string& path : paths) {
    LOOKALIKE_RETURN_IF_ERROR(AddMatch(pattern, path, rules, found));
  }
  return {};
}

bool IsFiltered(const FoundFiles& found) {
  return found.left_out.Of(LeftOutReason::kFiltered).count > 0;
}

}  // namespace

void FoundFiles::Add(std::string_view path, size_t name_size, const FoundFile& facts,
                     Identity identity, Way way) {
  entries_.push_back({facts.size, facts.mtime_ns, identity, texts_.Add(path),
                      static_cast<uint32_t>(path.size()), static_cast<uint32_t>(name_size),
                      facts.error, way});
}

std::string_view FoundFiles::PathOf(const Entry& entry) const {
  return texts_.Get(entry.text, entry.path_size);
}

std::string_view FoundFiles::NameOf(const Entry& entry) const {
  return PathOf(entry).substr(entry.path_size - entry.name_size);
}

FoundFile FoundFiles::operator[](size_t i) const {
  const Entry& entry = entries_[i];
  return {std::string(PathOf(entry)), std::string(NameOf(entry)), entry.size, entry.mtime_ns,
          entry.error};
}

void FoundFiles::SortFrom(size_t first) {
  std::sort(entries_.begin() + static_cast<ptrdiff_t>(first), entries_.end(),
            [&](const Entry& a, const Entry& b) { return NameOf(a) < NameOf(b); });
}

void FoundFiles::DropRepeated() {
  std::vector<uint32_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const Entry &x = entries_[a], &y = entries_[b];
    if (x.identity != y.identity) return x.identity < y.identity;
    return x.way != y.way ? x.way < y.way : a < b;
  });
  std::vector<uint32_t> repeated;
  for (size_t i = 1; i < order.size(); ++i) {
    const Identity& identity = entries_[order[i]].identity;
    const bool known = identity != Identity() && entries_[order[i - 1]].identity == identity;
    if (known) repeated.push_back(order[i]);
  }
  if (repeated.empty()) return;
  std::sort(repeated.begin(), repeated.end());
  std::deque<Entry> kept;
  size_t next = 0;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    if (next < repeated.size() && repeated[next] == i) {
      left_out.Add(LeftOutReason::kSameFile, PathOf(entries_[i]));
      ++next;
    } else {
      kept.push_back(entries_[i]);
    }
  }
  entries_ = std::move(kept);
}

std::string WithoutSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string ListLeftOut(const LeftOut& left_out) {
  std::string text;
  for (const std::string& message : left_out.Messages()) {
    text += "; " + message.substr(message.find(": ") + 2);
  }
  return text;
}

Result<FoundFiles> ListFolder(const std::string& folder, const SearchRules& rules) {
  FoundFiles found;
  const PathFilter filter(rules);
  LOOKALIKE_RETURN_IF_ERROR(FolderWalk(filter, rules.follow_links, nullptr, &found).Run(folder));
  found.DropRepeated();
  if (!found.empty() || IsFiltered(found)) return found;
  return InputError(
      "the folder contains no file to read" + ListLeftOut(found.left_out) + "; check the path",
      folder);
}

bool IsPattern(const std::string& argument) {
  return argument.find_first_of("*?[") != std::string::npos;
}

std::optional<DeepPattern> SplitAtStars(const std::string& pattern) {
  const size_t stars = pattern.starts_with("**") ? 0 : pattern.find("/**") + 1;
  if (stars == 0 && !pattern.starts_with("**")) return std::nullopt;
  if (stars + 2 != pattern.size() && pattern[stars + 2] != '/') return std::nullopt;
  // "**" at the end matches every file; any further "**" matches one folder, as in the shell.
  return DeepPattern{pattern.substr(0, stars),
                     stars + 3 <= pattern.size() ? pattern.substr(stars + 3) : "*"};
}

bool MatchesAtAnyDepth(const std::string& pattern, const std::string& name) {
  for (size_t at = 0;;) {
    if (fnmatch(pattern.c_str(), name.c_str() + at, FNM_PATHNAME | FNM_PERIOD) == 0) return true;
    const size_t slash = name.find('/', at);
    if (slash == std::string::npos) return false;
    at = slash + 1;
  }
}

std::optional<LeftOutReason> RefusesMatch(const std::string& pattern, std::string_view path,
                                          bool is_folder, const PathFilter& filter) {
  // Checks each folder that matches a wildcard, and the end of the pattern.
  const size_t fixed = FixedPart(pattern);
  for (size_t at = fixed, part = at; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const size_t part_end = std::min(pattern.find('/', part), pattern.size());
    const bool refers_to_folder = end < path.size() || is_folder;
    const auto reason = filter.Refuses(path.substr(fixed, end - fixed), refers_to_folder);
    // Patterns spell out the dot of a hidden name, and may spell out a marker.
    const bool asked_for =
        reason == LeftOutReason::kHidden ||
        (reason == LeftOutReason::kMarker && part < pattern.size() && pattern[part] == '_');
    if (reason && !asked_for) return reason;
    at = end + 1;
    part = part_end + 1;
  }
  return std::nullopt;
}

size_t FixedPart(const std::string& pattern) {
  return pattern.rfind('/', pattern.find_first_of("*?[")) + 1;
}

Result<FoundFiles> MatchPattern(const std::string& pattern, const SearchRules& rules) {
  FoundFiles found;
  const auto deep = SplitAtStars(pattern);
  LOOKALIKE_RETURN_IF_ERROR(deep ? MatchDeep(*deep, rules, &found)
                                 : MatchShallow(pattern, rules, &found));
  found.DropRepeated();
  if (!found.empty() || IsFiltered(found)) return found;
  return InputError("no file matches the pattern" + ListLeftOut(found.left_out) +
                        "; check the pattern, and quote it for the shell",
                    pattern);
}

}  // namespace lookalike
