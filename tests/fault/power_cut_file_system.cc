#include "fault/power_cut_file_system.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "fault/moved_paths.h"

namespace lookalike {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string Exchanged(const std::string& path, const std::string& a, const std::string& b) {
  return IsAtOrBelow(path, a) ? Moved(path, a, b) : Moved(path, b, a);
}

}  // namespace

class PowerCutFile : public OutputFile {
 public:
  PowerCutFile(PowerCutFileSystem& system, std::unique_ptr<OutputFile> file,
               PowerCutFileSystem::LengthPointer length)
      : system_(system), file_(std::move(file)), length_(std::move(length)) {}

  Result<size_t> Append(std::string_view bytes) override {
    LOOKALIKE_ASSIGN_OR_RETURN(const size_t written, file_->Append(bytes));
    const std::lock_guard lock(system_.mutex_);
    length_->written += written;
    return written;
  }

  Status Close() override { return file_->Close(); }

 private:
  PowerCutFileSystem& system_;
  std::unique_ptr<OutputFile> file_;
  PowerCutFileSystem::LengthPointer length_;
};

Result<std::unique_ptr<OutputFile>> PowerCutFileSystem::Create(const std::string& path) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts before, base_.Stat(path));
  LOOKALIKE_ASSIGN_OR_RETURN(std::unique_ptr<OutputFile> file, base_.Create(path));
  if (before.kind == FileKind::kMissing) changes_.push_back({Change::Kind::kMade, path, ""});
  const auto length = std::make_shared<Length>();
  lengths_[path] = length;
  return std::make_unique<PowerCutFile>(*this, std::move(file), length);
}

Result<bool> PowerCutFileSystem::MakeDirectory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_ASSIGN_OR_RETURN(const bool made, base_.MakeDirectory(path));
  if (made) changes_.push_back({Change::Kind::kMade, path, ""});
  return made;
}

void PowerCutFileSystem::Rekey(const std::string& a, const std::string& b, bool exchange) {
  std::map<std::string, LengthPointer> lengths;
  for (auto& [path, length] : lengths_) {
    lengths[exchange ? Exchanged(path, a, b) : Moved(path, a, b)] = length;
  }
  lengths_ = std::move(lengths);
}

Status PowerCutFileSystem::Rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(base_.Rename(from, to));
  Rekey(from, to, false);
  changes_.push_back({Change::Kind::kRenamed, to, from});
  return {};
}

Status PowerCutFileSystem::Exchange(const std::string& a, const std::string& b) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(base_.Exchange(a, b));
  Rekey(a, b, true);
  changes_.push_back({Change::Kind::kExchanged, a, b});
  return {};
}

Status PowerCutFileSystem::RemoveTree(const std::string& path) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(base_.RemoveTree(path));
  std::erase_if(lengths_, [&](const auto& entry) { return IsAtOrBelow(entry.first, path); });
  std::erase_if(changes_, [&](const Change& change) { return IsAtOrBelow(change.path, path); });
  return {};
}

/// Drops a change from the list. Earlier ones below a renamed folder get its new name.
void PowerCutFileSystem::MakeDurable(size_t change) {
  const Change done = changes_[change];
  changes_.erase(changes_.begin() + change);
  if (done.kind == Change::Kind::kMade) return;
  const auto renamed = [&](const std::string& path) {
    return done.kind == Change::Kind::kExchanged ? Exchanged(path, done.path, done.other)
                                                 : Moved(path, done.other, done.path);
  };
  for (size_t i = 0; i < change; ++i) {
    changes_[i].path = renamed(changes_[i].path);
    changes_[i].other = renamed(changes_[i].other);
  }
}

Status PowerCutFileSystem::SyncPath(const std::string& path) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(base_.SyncPath(path));
  if (const auto file = lengths_.find(path); file != lengths_.end()) {
    file->second->synced = file->second->written;
  }
  for (size_t i = 0; i < changes_.size();) {
    if (FolderOf(changes_[i].path) == path) {
      MakeDurable(i);
    } else {
      ++i;
    }
  }
  return {};
}

Status PowerCutFileSystem::SyncDevice(const std::string& path) {
  const std::lock_guard lock(mutex_);
  LOOKALIKE_RETURN_IF_ERROR(base_.SyncDevice(path));
  for (auto& [name, length] : lengths_) length->synced = length->written;
  changes_.clear();
  return {};
}

Status PowerCutFileSystem::Undo(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kMade:
      return base_.RemoveTree(change.path);
    case Change::Kind::kRenamed:
      return base_.Rename(change.path, change.other);
    case Change::Kind::kExchanged:
      return base_.Exchange(change.path, change.other);
  }
  return {};
}

Status PowerCutFileSystem::TearFiles(std::mt19937_64* random) {
  for (const auto& [path, length] : lengths_) {
    const uint64_t loose = length->written - length->synced;
    const uint64_t kept = random == nullptr ? 0 : (*random)() % (loose + 1);
    if (truncate(path.c_str(), static_cast<off_t>(length->synced + kept)) != 0) {
      return tl::make_unexpected(FileError("cutting", path, errno));
    }
  }
  return {};
}

Status PowerCutFileSystem::PowerCut(uint64_t seed) {
  const std::lock_guard lock(mutex_);
  std::mt19937_64 random(seed);
  LOOKALIKE_RETURN_IF_ERROR(TearFiles(seed == 0 ? nullptr : &random));
  // The first changes of a folder are kept, as in a journaling file system.
  std::map<std::string, uint64_t> all, kept, seen;
  for (const Change& change : changes_) ++all[FolderOf(change.path)];
  for (const auto& [folder, count] : all) kept[folder] = seed == 0 ? 0 : random() % (count + 1);
  std::vector<bool> lost;
  for (const Change& change : changes_) {
    const std::string folder = FolderOf(change.path);
    lost.push_back(seen[folder]++ >= kept[folder]);
  }
  for (size_t i = changes_.size(); i-- > 0;) {
    if (!lost[i]) {
      MakeDurable(i);
      continue;
    }
    LOOKALIKE_RETURN_IF_ERROR(Undo(changes_[i]));
    changes_.erase(changes_.begin() + i);
  }
  lengths_.clear();
  return {};
}

}  // namespace lookalike
