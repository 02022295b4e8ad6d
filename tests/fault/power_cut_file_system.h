// A file system for tests that forgets everything that was not synced.
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

/// A file system that remembers the effects of SyncPath() and SyncDevice(), so that PowerCut() can
/// remove the rest from the real files. A new name is durable once its folder was synced, appended
/// bytes once their file was; syncing one does nothing for the other. Not modelled: removed or
/// overwritten files come back. Safe from several threads.
class PowerCutFileSystem : public ForwardingFileSystem {
 public:
  explicit PowerCutFileSystem(FileSystem& base) : ForwardingFileSystem(base) {}

  /// Leaves the files in a state that a power cut could have left. With seed 0, only synced data
  /// survives. With other seeds, a random prefix of each file's appended bytes also survives, and
  /// so does a random number of each folder's new names, the first ones. The files must not be in
  /// use; the remaining state is durable.
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
    std::string path;   ///< The path made, the new name, or one of two names.
    std::string other;  ///< The old name, or the other of two names.
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
