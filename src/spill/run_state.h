// What a run store shares with its runs and writers.
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
#include "spill/run.h"

namespace lookalike {

/// Safe from several threads. Destroyed with the last run or writer of the store.
struct RunStore::State {
  /// Files that runs keep open between reads; beyond, a run opens its file for each read, so that
  /// the limit of open files (1024 in most places) is not met.
  static constexpr uint32_t kFilesKeptOpen = 512;

  State(RunStoreOptions store_options, FileSystem& file_system)
      : options(std::move(store_options)), files(file_system) {}
  ~State();

  /// Takes this much of what may be held in memory; false when that is too much.
  bool TryHold(uint64_t bytes);
  void Release(uint64_t bytes) { held -= bytes; }

  /// To be told of memory of runs that was freed. Every now and then all that is free goes back to
  /// the system: malloc keeps it for the thread that had it, where another one that writes the next
  /// run does not find it.
  void ReturnFreed(uint64_t bytes);

  /// RunStore::CheckStop(); of a read, where it is large enough.
  [[nodiscard]] Status CheckStop() const;
  [[nodiscard]] Status CheckStop(size_t bytes) const;

  void AddDiskBytes(uint64_t bytes);

  /// Removes a file whose `bytes` were added. A failure is tried again at the end.
  void RemoveFile(const std::string& path, uint64_t bytes);

  /// Makes the folder when it is first needed; synced in its parent when units are durable.
  Status MakeFolder();

  std::string PathOf(const std::string& name) const { return options.folder + "/" + name; }

  const RunStoreOptions options;
  std::function<bool()> cancelled;  ///< Set before others use the store.
  FileSystem& files;
  std::atomic<uint64_t> held = 0;
  std::atomic<uint64_t> freed = 0;  ///< Since memory last went back.
  std::atomic<uint64_t> disk = 0;
  std::atomic<uint64_t> peak_disk = 0;
  std::atomic<uint64_t> temporaries = 0;  ///< Made so far; numbers their names.
  std::atomic<uint32_t> kept_open = 0;
  std::mutex reporting;  ///< Serializes options.finished.

  std::mutex mutex;  ///< Guards what follows.
  bool folder_made = false;
  std::vector<std::string> unremoved;
  std::set<std::string> opened;  ///< Names of durable files that count in `disk`.
};

}  // namespace lookalike

#endif  // LOOKALIKE_SPILL_RUN_STATE_H_
