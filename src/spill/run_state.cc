#include "spill/run_state.h"

#include <malloc.h>

#include <algorithm>

namespace lookalike {

RunState::~RunState() {
  for (const std::string& path : unremoved) static_cast<void>(files.RemoveTree(path));
}

Status RunState::CheckStop() const { return cancelled && cancelled() ? Cancelled() : Status(); }

Status RunState::CheckStop(size_t bytes) const {
  constexpr size_t kMany = 4096;  // smaller reads are so frequent that the check would cost more
  return bytes < kMany ? Status() : CheckStop();
}

bool RunState::TryHold(uint64_t bytes) {
  uint64_t now = held.load();
  do {
    if (!HasRoom(now, bytes)) return false;
  } while (!held.compare_exchange_weak(now, now + bytes));
  return true;
}

void RunState::ReturnFreed(uint64_t bytes) {
  constexpr uint64_t kLeast = uint64_t{4} << 20;  // a call costs as much as writing some of them
  if ((freed += bytes) < std::max(kLeast, options.held_bytes / 8)) return;
  freed = 0;
  (void)malloc_trim(0);
}

void RunState::AddDiskBytes(uint64_t bytes) {
  const uint64_t now = disk += bytes;
  uint64_t peak = peak_disk.load();
  while (peak < now && !peak_disk.compare_exchange_weak(peak, now)) {
  }
}

void RunState::RemoveFile(const std::string& path, uint64_t bytes) {
  disk -= bytes;
  if (files.RemoveTree(path)) return;
  const std::lock_guard lock(mutex);
  unremoved.push_back(path);
}

Status RunState::MakeFolder() {
  const std::lock_guard lock(mutex);
  if (folder_made) return {};
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(PathOf("run"), files));
  if (options.durable_units) {
    const size_t slash = options.folder.find_last_of('/');
    const std::string parent = slash == std::string::npos ? "." : options.folder.substr(0, slash);
    LOOKALIKE_RETURN_IF_ERROR(files.SyncPath(parent.empty() ? "/" : parent));
  }
  folder_made = true;
  return {};
}

}  // namespace lookalike
