#include "stages/input/file_search.h"

#include <dirent.h>
#include <fmt/core.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace lookalike {
namespace {

// A folder on the way down; links that lead back up are not followed.
struct FolderKey {
  dev_t device;
  ino_t inode;
  bool operator==(const FolderKey&) const = default;
};

std::string Join(const std::string& folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  return fmt::format("{}{}{}", folder, folder.back() == '/' ? "" : "/", name);
}

// Walks a folder depth first.
class FolderWalk {
 public:
  Status Visit(const std::string& path, const std::string& name) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return Unreadable(path);
    const FolderKey key{status.st_dev, status.st_ino};
    if (std::find(above_.begin(), above_.end(), key) != above_.end()) return {};
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
    if (!folder) return Unreadable(path);
    above_.push_back(key);
    errno = 0;
    while (const dirent* entry = readdir(folder.get())) {
      if (entry->d_name[0] == '.' || entry->d_name[0] == '_') continue;
      LOOKALIKE_RETURN_IF_ERROR(
          VisitEntry(Join(path, entry->d_name), Join(name, entry->d_name), entry->d_type));
      errno = 0;
    }
    if (errno != 0) return Unreadable(path);
    above_.pop_back();
    return {};
  }

  std::vector<FoundFile> TakeSorted() {
    std::sort(files_.begin(), files_.end(),
              [](const FoundFile& a, const FoundFile& b) { return a.name < b.name; });
    return std::move(files_);
  }

 private:
  Status VisitEntry(std::string path, std::string name, unsigned char type) {
    if (type == DT_LNK || type == DT_UNKNOWN) {
      struct stat status;
      // A link to nowhere counts as a file, so that it is reported or skipped like one.
      const bool known = stat(path.c_str(), &status) == 0;
      type = !known || S_ISREG(status.st_mode) ? DT_REG
             : S_ISDIR(status.st_mode)         ? DT_DIR
                                               : DT_UNKNOWN;
    }
    if (type == DT_DIR) return Visit(path, name);
    if (type == DT_REG) files_.push_back({std::move(path), std::move(name)});
    return {};
  }

  static tl::unexpected<Error> Unreadable(const std::string& path) {
    return Fail(fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)),
                path);
  }

  std::vector<FolderKey> above_;
  std::vector<FoundFile> files_;
};

// The paths that POSIX glob finds, sorted as bytes.
Result<std::vector<std::string>> Glob(const std::string& pattern) {
  glob_t found{};
  const int code = glob(pattern.c_str(), GLOB_NOSORT | GLOB_ERR, nullptr, &found);
  std::vector<std::string> paths;
  if (code == 0) paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (code != 0 && code != GLOB_NOMATCH) {
    return Fail("the pattern reaches a folder that cannot be read; check its permissions", pattern);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::vector<FoundFile>> MatchDeep(const DeepPattern& pattern) {
  std::vector<std::string> roots = {pattern.root.empty() ? "." : pattern.root};
  if (IsPattern(roots.front())) {
    LOOKALIKE_ASSIGN_OR_RETURN(roots, Glob(roots.front()));
  }
  std::vector<FoundFile> matched;
  for (const std::string& root : roots) {
    FolderWalk walk;
    LOOKALIKE_RETURN_IF_ERROR(walk.Visit(root, {}));
    for (FoundFile& file : walk.TakeSorted()) {
      if (MatchesAtAnyDepth(pattern.rest, file.name)) matched.push_back(std::move(file));
    }
  }
  return matched;
}

Result<std::vector<FoundFile>> MatchShallow(const std::string& pattern) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto paths, Glob(pattern));
  std::vector<FoundFile> matched;
  for (const std::string& path : paths) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      FolderWalk walk;
      LOOKALIKE_RETURN_IF_ERROR(walk.Visit(path, {}));
      for (FoundFile& file : walk.TakeSorted()) matched.push_back(std::move(file));
    } else {
      matched.push_back({path, std::string(BaseName(path))});
    }
  }
  return matched;
}

}  // namespace

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Result<std::vector<FoundFile>> ListFolder(const std::string& folder) {
  FolderWalk walk;
  LOOKALIKE_RETURN_IF_ERROR(walk.Visit(folder, {}));
  std::vector<FoundFile> files = walk.TakeSorted();
  if (!files.empty()) return files;
  return Fail(
      "the folder holds no file (names that begin with '.' or '_' are left out); check the "
      "path",
      folder);
}

bool IsPattern(const std::string& argument) {
  return argument.find_first_of("*?[") != std::string::npos;
}

std::optional<DeepPattern> SplitAtStars(const std::string& pattern) {
  const size_t stars = pattern.starts_with("**") ? 0 : pattern.find("/**") + 1;
  if (stars == 0 && !pattern.starts_with("**")) return std::nullopt;
  if (stars + 2 != pattern.size() && pattern[stars + 2] != '/') return std::nullopt;
  // "**" at the end matches every file; further "**" match one folder each, as in the shell.
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

Result<std::vector<FoundFile>> MatchPattern(const std::string& pattern) {
  const auto deep = SplitAtStars(pattern);
  LOOKALIKE_ASSIGN_OR_RETURN(auto matched, deep ? MatchDeep(*deep) : MatchShallow(pattern));
  if (!matched.empty()) return matched;
  return Fail("no file matches the pattern; check it, and quote it for the shell", pattern);
}

}  // namespace lookalike
