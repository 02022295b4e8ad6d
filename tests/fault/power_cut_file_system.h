// A file system for tests that forgets what was not synced.
#ifndef LOOKALIKE_TESTS_FAULT_POWER_CUT_FILE_SYSTEM_H_
#define LOOKALIKE_TESTS_FAULT_POWER_CUT_FILE_SYSTEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "io/forwarding_file_system.h"

namespace lookalike {

/// Remembers what SyncPath() and SyncDevice() made durable, so that PowerCut() can take the rest
/// away from the real files. A new name is durable once its folder was synced, appended bytes once
/// their file was; syncing the one does nothing for the other. Not modelled: removed or overwritten
/// files come back. Safe from several threads.
class PowerCutFileSystem : public ForwardingFileSystem {
 public:
  explicit PowerCutFileSystem(FileSystem& base) : ForwardingFileSystem(base) {}

  /// What a power cut would have left. Seed 0: nothing that was not synced. Others: of each file a
  /// random prefix of its appended bytes as well, and of each folder's new names a random first
  /// few. The files must not be in use; what is left is durable.
  Status PowerCut(uint64_t seed);

  Result<std::unique_ptr<OutputFile>> Create(const std::string& path) override;
  Status Rename(const std::string& from, const std::string& to) override;
  Status Exchange(const std::string& a, const std::string& b) override;
  Status RemoveTree(const std::string& path) override;
  Result<bool> MakeDirectory(const std::string& path) override;
  Status SyncPath(const std::string& path) override;
  Status SyncDevice(const std::string& path) override;

 private:
  friend class PowerCutFile;

  struct Length {
    uint64_t written = 0, synced = 0;
  };
  /// A change of names that is not durable yet.
  struct Change {
    enum class Kind { kMade, kRenamed, kExchanged } kind;
    std::string path;   ///< What was made; the new name; one of both.
    std::string other;  ///< The old name; the other one.
  };
  using LengthPointer = std::shared_ptr<Length>;  ///< Shared with the open file.

  void Rekey(const std::string& a, const std::string& b, bool exchange);
  void MakeDurable(size_t change);
  Status Undo(const Change& change);
  Status TearFiles(std::mt19937_64* random);

  std::mutex mutex_;
  std::map<std::string, LengthPointer> lengths_;
  std::vector<Change> changes_;  ///< In the order in which they were made.
};

}  // namespace lookalike

#endif  // LOOKALIKE_TESTS_FAULT_POWER_CUT_FILE_SYSTEM_H_
