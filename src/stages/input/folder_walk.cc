#include "stages/input/folder_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace lookalike {
namespace {

std::string Join(const std::string& folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  return fmt::format("{}{}{}", folder, folder.back() == '/' ? "" : "/", name);
}

/// Returns the path without symbolic links; empty if it does not exist.
std::string RealPath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : std::string();
}

FoundFiles::Identity IdentityOf(const struct stat& status) {
  return {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino)};
}

unsigned char TypeOf(const struct stat& status) {
  return S_ISREG(status.st_mode)   ? DT_REG
         : S_ISDIR(status.st_mode) ? DT_DIR
         : S_ISLNK(status.st_mode) ? DT_LNK
                                   : DT_UNKNOWN;
}

}  // namespace

Status FolderWalk::Run(const std::string& folder, const std::string& front) {
  root_ = RealPath(folder);
  front_ = front;
  const size_t first = found_.size();
  if (const int error = Visit(folder, {}); error != 0) {
    return InputError(
        fmt::format("cannot be read: {}; check its permissions", std::strerror(error)), folder);
  }
  way_ = FoundFiles::Way::kLink;
  while (!links_.empty()) VisitLinks();
  found_.SortFrom(first);
  return {};
}

int FolderWalk::Visit(const std::string& path, const std::string& name) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  struct stat status;
  if (!folder || fstat(dirfd(folder.get()), &status) != 0) return errno;
  const bool known = !visited_.insert(IdentityOf(status)).second;
  if (known && way_ == FoundFiles::Way::kLink) return 0;  // a folder behind a link, seen before
  // Sorted, so that the same left-out names are shown on any file system.
  std::vector<std::pair<std::string, unsigned char>> entries;
  errno = 0;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string_view base = entry->d_name;
    if (base != "." && base != "..") entries.emplace_back(base, entry->d_type);
    errno = 0;
  }
  const int error = errno;
  std::sort(entries.begin(), entries.end());
  for (const auto& [base, type] : entries) {
    VisitEntry(dirfd(folder.get()), base.c_str(), type, Join(path, base), Join(name, base));
  }
  return error;
}

void FolderWalk::VisitEntry(int folder, const char* entry, unsigned char type,
                            const std::string& path, const std::string& name) {
  struct stat status = {};
  // Regular files always need a status; other entries need it only if the file system does not
  // report their type.
  if (type == DT_REG || type == DT_UNKNOWN) {
    if (fstatat(folder, entry, &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) AddProblem(path, name, errno);
      return;  // it has been removed in the meantime
    }
    type = TypeOf(status);
  }
  // A link may lead to a folder: the rules for files are applied when it is followed.
  if (const auto reason = Refuses(name, type == DT_DIR || type == DT_LNK)) {
    if (type == DT_DIR || Wants(name)) found_.left_out.Add(*reason, path);
  } else if (type == DT_DIR) {
    VisitFolder(path, name);
  } else if (type == DT_LNK) {
    links_.push_back({path, name});
  } else if (type == DT_REG) {
    AddFile(path, name, status);
  } else if (Wants(name)) {
    found_.left_out.Add(LeftOutReason::kSpecial, path);
  }
}

void FolderWalk::VisitFolder(const std::string& path, const std::string& name) {
  if (const int error = Visit(path, name); error != 0) AddProblem(path, name, error);
}

/// Follows all links found so far; this may find more links.
void FolderWalk::VisitLinks() {
  std::vector<Link> links = std::exchange(links_, {});
  std::sort(links.begin(), links.end());
  for (const Link& link : links) FollowLink(link);
}

void FolderWalk::FollowLink(const Link& link) {
  struct stat status;
  if (stat(link.path.c_str(), &status) != 0) {
    if (Wants(link.name)) AddProblem(link.path, link.name, errno);
    return;
  }
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!is_folder && !Wants(link.name)) return;
  if (const auto reason = Refuses(link.name, is_folder)) {
    found_.left_out.Add(*reason, link.path);
  } else if (!follow_links_ && !IsInside(link.path)) {
    found_.left_out.Add(LeftOutReason::kLink, link.path);
  } else if (S_ISREG(status.st_mode)) {
    AddFile(link.path, link.name, status);
  } else if (!is_folder) {
    found_.left_out.Add(LeftOutReason::kSpecial, link.path);
  } else if (visited_.contains(IdentityOf(status))) {
    found_.left_out.Add(LeftOutReason::kSameFile, link.path);
  } else {
    VisitFolder(link.path, link.name);
  }
}

/// True if a path leads to something in the searched folder.
bool FolderWalk::IsInside(const std::string& path) const {
  const std::string real = RealPath(path);
  return root_ == "/" || real == root_ || real.starts_with(root_ + "/");
}

std::optional<LeftOutReason> FolderWalk::Refuses(const std::string& name, bool is_folder) const {
  return filter_.Refuses(Join(front_, name), is_folder);
}

bool FolderWalk::Wants(const std::string& name) const {
  return deep_ == nullptr || MatchesAtAnyDepth(*deep_, name);
}

void FolderWalk::AddFile(const std::string& path, const std::string& name,
                         const struct stat& status) {
  if (!Wants(name)) return;
  FoundFile facts;
  facts.size = static_cast<uint64_t>(status.st_size);
  facts.mtime_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  found_.Add(path, name.size(), facts, IdentityOf(status), way_);
}

void FolderWalk::AddProblem(const std::string& path, const std::string& name, int error) {
  FoundFile facts;
  facts.error = error;
  found_.Add(path, name.size(), facts, {}, way_);
}

}  // namespace lookalike
