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

/// A filter that determines which names of objects are left out. Names below one prefix arrive
/// together, so an omitted prefix is counted once.
class NameFilter {
 public:
  NameFilter(const PathFilter& filter, LeftOut* left_out) : filter_(filter), left_out_(*left_out) {}

  /// `name` is the end of `path`, relative to the searched folder.
  bool Passes(const std::string& path, std::string_view name) {
    const size_t folder = path.size() - name.size();
    for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
      if (const auto reason = filter_.Refuses(name.substr(0, slash), true)) {
        return Count(*reason, path.substr(0, folder + slash));
      }
    }
    const auto reason = filter_.Refuses(name, false);
    return !reason || Count(*reason, path);
  }

 private:
  bool Count(LeftOutReason reason, std::string path) {
    if (path != last_) left_out_.Add(reason, path);
    last_ = std::move(path);
    return false;
  }

  const PathFilter& filter_;
  LeftOut& left_out_;
  std::string last_;
};

bool MatchesPath(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

/// Returns the first components of a path, as many as `pattern` has, if they match it.
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

/// A match with its sort key: the path that matched, then the name.
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

tl::unexpected<Error> FailEmpty(const ObjectStore& store, const LeftOut& left_out) {
  return InputError(
      "the prefix contains no object to read" + ListLeftOut(left_out) + "; check the prefix",
      store.uri.Name());
}

bool IsFiltered(const LeftOut& left_out) { return left_out.Of(LeftOutReason::kFiltered).count > 0; }

/// Returns an Error if nothing was found because even the bucket is missing. If asking is not
/// permitted, the bucket is assumed to exist.
Status CheckBucket(const ObjectStore& store) {
  const auto info = StatObject(store, store.uri.bucket);
  if (!info || info->IsDirectory()) return {};
  return InputError("there is no such bucket; check its name, and $<object-endpoint>",
                    store.uri.Name());
}

}  // namespace

std::vector<FoundObject> InFolder(const std::string& folder, std::span<const StoredObject> objects,
                                  const PathFilter& filter, LeftOut* left_out) {
  std::vector<FoundObject> found;
  NameFilter names(filter, left_out);
  for (const StoredObject& object : objects) {
    if (!object.path.starts_with(folder + "/")) continue;
    std::string name = object.path.substr(folder.size() + 1);
    if (name.empty() || !names.Passes(object.path, name)) continue;
    found.push_back({object, std::move(name)});
  }
  std::sort(found.begin(), found.end(),
            [](const FoundObject& a, const FoundObject& b) { return a.name < b.name; });
  return found;
}

std::vector<FoundObject> MatchObjects(const std::string& pattern,
                                      std::span<const StoredObject> objects,
                                      const PathFilter& filter, LeftOut* left_out) {
  std::vector<Match> matches;
  NameFilter names(filter, left_out);
  const auto deep = SplitAtStars(pattern);
  const std::string root = WithoutSlash(deep ? deep->root : pattern);
  for (const StoredObject& object : objects) {
    const auto front = MatchingFront(root, object.path);
    if (!front) continue;
    const bool whole = front->size() == object.path.size();
    std::string name =
        whole ? std::string(BaseName(object.path)) : object.path.substr(front->size() + 1);
    if (deep ? whole || !MatchesAtAnyDepth(deep->rest, name) : false) continue;
    const bool matched = !deep || IsPattern(root);  // else the folder is named literally
    if (const auto reason = RefusesMatch(root, *front, !whole, filter); matched && reason) {
      left_out->Add(*reason, *front);
      continue;
    }
    if (!whole && !names.Passes(object.path, name)) continue;
    matches.push_back({*front, {object, std::move(name)}});
  }
  return Sorted(std::move(matches));
}

std::string FolderOfPattern(const std::string& pattern) {
  return WithoutSlash(pattern.substr(0, FixedPart(pattern)));  // a bucket has no wildcard
}

Result<std::optional<std::vector<FoundObject>>> FindObjects(const ObjectStore& store,
                                                            const SearchRules& rules,
                                                            LeftOut* left_out) {
  const PathFilter filter(rules);
  const std::string path = store.uri.path();
  // An object's name may look like a pattern, as may a file's.
  LOOKALIKE_ASSIGN_OR_RETURN(const arrow::fs::FileInfo info, StatObject(store, path));
  if (info.IsFile() && !store.uri.key.ends_with('/')) {
    return std::vector<FoundObject>{{ObjectOf(info), std::string(BaseName(path))}};
  }
  if (info.IsFile() || info.IsDirectory()) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto listed, ListObjects(store, path));
    auto found = InFolder(path, listed, filter, left_out);
    if (found.empty() && !IsFiltered(*left_out)) return FailEmpty(store, *left_out);
    return found;
  }
  LOOKALIKE_RETURN_IF_ERROR(CheckBucket(store));
  if (!IsPattern(path)) return std::nullopt;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto listed, ListObjects(store, FolderOfPattern(path)));
  auto found = MatchObjects(path, listed, filter, left_out);
  if (!found.empty() || IsFiltered(*left_out)) return found;
  return InputError("no object matches the pattern" + ListLeftOut(*left_out) +
                        "; check the pattern, and quote it for the shell",
                    store.uri.Name());
}

}  // namespace lookalike
