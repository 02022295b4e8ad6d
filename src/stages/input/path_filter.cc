#include "stages/input/path_filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <span>

namespace lookalike {
namespace {

std::vector<std::string> SplitPath(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

/// Splits a pattern. One without a slash matches at any depth, others from the searched folder on.
std::vector<std::string> PartsOfPattern(std::string_view pattern) {
  std::vector<std::string> parts = SplitPath(pattern);
  while (pattern.ends_with('/')) pattern.remove_suffix(1);
  if (pattern.find('/') == std::string_view::npos) parts.insert(parts.begin(), "**");
  return parts;
}

/// True if a pattern matches the path, or a folder on it.
bool Matches(std::span<const std::string> pattern, std::span<const std::string> path) {
  if (pattern.empty()) return true;
  if (pattern.front() == "**") {
    if (pattern.size() == 1) return !path.empty();
    for (size_t at = 0; at < path.size(); ++at) {
      if (Matches(pattern.subspan(1), path.subspan(at))) return true;
    }
    return false;
  }
  if (path.empty() || fnmatch(pattern.front().c_str(), path.front().c_str(), 0) != 0) return false;
  return Matches(pattern.subspan(1), path.subspan(1));
}

}  // namespace

bool IsDataSetMarker(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {
      "_SUCCESS",   "_temporary",      "_metadata", "_common_metadata",
      "_delta_log", "_spark_metadata", "_FAILURE"};
  constexpr std::array<std::string_view, 2> kFronts = {"_started_", "_committed_"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kFronts.begin(), kFronts.end(),
                     [&](std::string_view front) { return name.starts_with(front); });
}

PathFilter::PathFilter(const SearchRules& rules) {
  for (const std::string& pattern : rules.include) include_.push_back(PartsOfPattern(pattern));
  for (const std::string& pattern : rules.exclude) exclude_.push_back(PartsOfPattern(pattern));
}

bool PathFilter::MatchesAny(const std::vector<Parts>& patterns, const Parts& path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Parts& pattern) { return Matches(pattern, path); });
}

std::optional<LeftOutReason> PathFilter::Refuses(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with('.')) return LeftOutReason::kHidden;
  if (IsDataSetMarker(name)) return LeftOutReason::kMarker;
  if (include_.empty() && exclude_.empty()) return std::nullopt;
  const Parts parts = SplitPath(path);
  if (MatchesAny(exclude_, parts)) return LeftOutReason::kFiltered;
  if (is_folder || include_.empty() || MatchesAny(include_, parts)) return std::nullopt;
  return LeftOutReason::kFiltered;
}

}  // namespace lookalike
