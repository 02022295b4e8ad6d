// A run's own folder below a shared one.
#ifndef LOOKALIKE_IO_SCRATCH_FOLDER_H_
#define LOOKALIKE_IO_SCRATCH_FOLDER_H_

#include <optional>
#include <string>
#include <string_view>

#include "io/file_system.h"
#include "lookalike/status.h"

namespace lookalike {

/// A folder for the temporary files of one run. Several runs, on several machines or containers,
/// may be given one folder for their temporary files (--scratch), and their outputs may have equal
/// paths there. So each makes a folder of a random name, which it locks while this object lives,
/// and puts a mark into it. The content of the mark is also written beside the output (Claim): the
/// holder of the lock of the output's working folder can tell by it which folder was that run's
/// own, takes it over or removes it, and never touches another one, whatever it is called. If the
/// file system has no locks, the lock of the working folder and the random name have to do.
/// Movable, not thread-safe.
class ScratchFolder {
 public:
  /// Its mark, a file.
  static constexpr std::string_view kMark = ".lookalike-scratch";

  /// The proof of a folder's owner.
  struct Claim {
    std::string run;   ///< Unique to this run.
    std::string path;  ///< The folder.
  };

  /// Returns a claim to a folder below `place` that no run has.
  static Claim NewClaim(const std::string& place);

  static std::string Encode(const Claim& claim);
  static std::optional<Claim> Decode(std::string_view text);

  /// Makes the folder of a new claim. Returns an Error if the folder exists: it belongs to another
  /// run. `output` is for people who find the mark.
  static Result<ScratchFolder> Make(const Claim& claim, const std::string& output,
                                    FileSystem& files = RealFileSystem());

  /// Takes over the folder of an earlier attempt, or makes it if it is gone. Returns an Error if
  /// another run is using it, or if it does not have the claim's mark.
  static Result<ScratchFolder> Take(const Claim& claim, const std::string& output,
                                    FileSystem& files = RealFileSystem());

  /// Removes the folder of a claim and its contents. A folder that a run is using, or that does not
  /// have the claim's mark, stays.
  static Status Remove(const Claim& claim, FileSystem& files = RealFileSystem());

  [[nodiscard]] const std::string& path() const { return claim_.path; }

 private:
  ScratchFolder(Claim claim, DirectoryLock lock)
      : claim_(std::move(claim)), lock_(std::move(lock)) {}

  Claim claim_;
  DirectoryLock lock_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_IO_SCRATCH_FOLDER_H_
