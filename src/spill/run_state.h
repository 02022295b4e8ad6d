// The state that a run store shares with its runs and writers.
#ifndef LOOKALIKE_SPILL_RUN_STATE_H_
#define LOOKALIKE_SPILL_RUN_STATE_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "spill/open_files.h"
#include "spill/run_options.h"

namespace lookalike {

/// Safe from several threads. Destroyed with the last run or writer of the store.
struct RunState {
  RunState(RunStoreOptions store_options, FileSystem& file_system)
      : options(std::move(store_options)), files(file_system) {}
  ~RunState();

  /// True if `bytes` more may be held while `now` are.
  [[nodiscard]] bool HasRoom(uint64_t now, uint64_t bytes) const {
    return now <= options.held_bytes && bytes <= options.held_bytes - now;
  }

  /// Reserves `bytes` of the memory that may be held; false if that is too much.
  bool TryHold(uint64_t bytes);
  void Release(uint64_t bytes) { held -= bytes; }

  /// Reports freed memory of runs. Every now and then all free memory goes back to the system:
  /// malloc keeps it for the thread that used it, where another thread that writes the next run
  /// cannot use it.
  void ReturnFreed(uint64_t bytes);

  /// Returns RunStore::CheckStop(); for a read of `bytes`, only if it is large enough.
  [[nodiscard]] Status CheckStop() const;
  [[nodiscard]] Status CheckStop(size_t bytes) const;

  void AddDiskBytes(uint64_t bytes);

  /// Removes a file whose `bytes` were added. After a failure it is tried again at the end.
  void RemoveFile(const std::string& path, uint64_t bytes);

  /// Makes the folder when it is first needed, and syncs its parent if units are durable.
  Status MakeFolder();

  std::string PathOf(const std::string& name) const { return options.folder + "/" + name; }

  /// Returns the path of a finished unit's file.
  std::string UnitPathOf(const std::string& name) const {
    return options.units_folder.empty() ? PathOf(name) : options.units_folder + "/" + name;
  }

  const RunStoreOptions options;
  std::function<bool()> cancelled;  ///< Set before others use the store.
  FileSystem& files;
  std::atomic<uint64_t> held = 0;
  std::atomic<uint64_t> freed = 0;  ///< Bytes freed since memory last went back.
  std::atomic<uint64_t> disk = 0;
  std::atomic<uint64_t> peak_disk = 0;
  std::atomic<uint64_t> temporaries = 0;  ///< Number made so far; used in their names.
  OpenFiles kept_open;
  std::mutex reporting;  ///< Serializes options.finished.

  std::mutex mutex;  ///< Guards the members below.
  bool folder_made = false;
  std::vector<std::string> unremoved;
  std::set<std::string> opened;  ///< Names of durable files that count in `disk`.
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_STATE_H_
