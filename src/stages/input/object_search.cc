#include "stages/input/object_search.h"

#include <arrow/filesystem/filesystem.h>
#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "stages/input/file_search.h"

namespace lookalike {
namespace {

/// Whether a part of a path is hidden, as files of such names are left out of folders.
bool HasHiddenPart(std::string_view path) {
  for (size_t at = 0; at < path.size();) {
    if (path[at] == '.' || path[at] == '_') return true;
    const size_t slash = path.find('/', at);
    if (slash == path.npos) break;
    at = slash + 1;
  }
  return false;
}

bool MatchesPath(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

/// The first parts of a path, as many as `pattern` has, where they match it; and more follow, or
/// nothing does.
std::optional<std::string> MatchingFront(const std::string& pattern, const std::string& path) {
  size_t end = 0;
  for (auto slashes = std::count(pattern.begin(), pattern.end(), '/'); slashes >= 0; --slashes) {
    if (end == std::string::npos) return std::nullopt;
    end = path.find('/', end == 0 ? 0 : end + 1);
  }
  std::string front = path.substr(0, end);
  if (!MatchesPath(pattern, front)) return std::nullopt;
  return front;
}

/// A match with what sorts it: the path that matched, then the name.
struct Match {
  std::string path;
  FoundObject found;
};

std::vector<FoundObject> Sorted(std::vector<Match> matches) {
  std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    return a.path != b.path ? a.path < b.path : a.found.name < b.found.name;
  });
  std::vector<FoundObject> found;
  found.reserve(matches.size());
  for (Match& match : matches) found.push_back(std::move(match.found));
  return found;
}

std::string WithoutSlash(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path;
}

tl::unexpected<Error> FailEmpty(const ObjectStore& store) {
  return Fail(
      "no object is below this prefix (names that begin with '.' or '_' are left out); check it",
      store.uri.Name());
}

/// Nothing was found: perhaps there is not even the bucket. Where one may not ask, it is taken to
/// be there.
Status CheckBucket(const ObjectStore& store) {
  const auto info = StatObject(store, store.uri.bucket);
  if (!info || info->IsDirectory()) return {};
  return Fail("there is no such bucket; check its name, and --object-endpoint", store.uri.Name());
}

}  // namespace

std::vector<FoundObject> InFolder(const std::string& folder,
                                  std::span<const StoredObject> objects) {
  std::vector<FoundObject> found;
  for (const StoredObject& object : objects) {
    if (!object.path.starts_with(folder + "/")) continue;
    std::string name = object.path.substr(folder.size() + 1);
    if (!name.empty() && !HasHiddenPart(name)) found.push_back({object, std::move(name)});
  }
  std::sort(found.begin(), found.end(),
            [](const FoundObject& a, const FoundObject& b) { return a.name < b.name; });
  return found;
}

std::vector<FoundObject> MatchObjects(const std::string& pattern,
                                      std::span<const StoredObject> objects) {
  std::vector<Match> matches;
  const auto deep = SplitAtStars(pattern);
  const std::string root = WithoutSlash(deep ? deep->root : pattern);
  for (const StoredObject& object : objects) {
    const auto front = MatchingFront(root, object.path);
    if (!front) continue;
    const bool whole = front->size() == object.path.size();
    std::string name =
        whole ? std::string(BaseName(object.path)) : object.path.substr(front->size() + 1);
    if (deep ? whole || !MatchesAtAnyDepth(deep->rest, name) : false) continue;
    if (!whole && HasHiddenPart(name)) continue;
    matches.push_back({*front, {object, std::move(name)}});
  }
  return Sorted(std::move(matches));
}

std::string FolderOfPattern(const std::string& pattern) {
  const std::string front = pattern.substr(0, pattern.find_first_of("*?["));
  return front.substr(0, front.rfind('/'));
}

Result<std::vector<FoundObject>> FindObjects(const ObjectStore& store) {
  const std::string path = store.uri.path();
  // An object's name may look like a pattern, as a file's may.
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, StatObject(store, path));
  if (info.IsFile() && !store.uri.key.ends_with('/')) {
    return std::vector<FoundObject>{{ObjectOf(info), std::string(BaseName(path))}};
  }
  if (info.IsFile() || info.IsDirectory()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto listed, ListObjects(store, path));
    auto found = InFolder(path, listed);
    if (found.empty()) return FailEmpty(store);
    return found;
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckBucket(store));
  if (!IsPattern(path)) return std::vector<FoundObject>();
  LOOKALIKE_ASSIGN_OR_RETURN(const auto listed, ListObjects(store, FolderOfPattern(path)));
  auto found = MatchObjects(path, listed);
  if (!found.empty()) return found;
  return Fail("no object matches the pattern; check it, and quote it for the shell",
              store.uri.Name());
}

}  // namespace lookalike
