#include "io/scratch_folder.h"

#include <fmt/format.h>

#include <random>
#include <utility>
#include <vector>

#include "io/whole_file.h"

namespace lookalike {
namespace {

std::string MarkOf(const std::string& path) {
  return path + "/" + std::string(ScratchFolder::kMark);
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

/// True if a folder belongs to a claim: by its mark, or because it holds nothing but a mark that a
/// dying run did not finish.
Result<bool> IsOf(const ScratchFolder::Claim& claim, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(claim.path));
  if (names.empty()) return true;
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts mark, files.Stat(MarkOf(claim.path)));
  if (mark.kind != FileKind::kFile) return false;
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(MarkOf(claim.path), files));
  if (names.size() == 1 && claim.run.starts_with(text)) return true;
  return FirstLine(text) == claim.run;
}

Status PutMark(const ScratchFolder::Claim& claim, const std::string& output, FileSystem& files) {
  return WriteDurably(
      MarkOf(claim.path),
      claim.run + "\nTemporary files of a run of lookalike that writes " + output + "\n", files);
}

}  // namespace

ScratchFolder::Claim ScratchFolder::NewClaim(const std::string& place) {
  std::random_device random;  // from the system: two machines must not draw the same
  Claim claim;
  for (int i = 0; i < 4; ++i) claim.run += fmt::format("{:08x}", random());
  claim.path = place + "/lookalike-" + claim.run;
  return claim;
}

std::string ScratchFolder::Encode(const Claim& claim) {
  return claim.run + "\n" + claim.path + "\n";
}

std::optional<ScratchFolder::Claim> ScratchFolder::Decode(std::string_view text) {
  const std::string_view run = FirstLine(text);
  if (run.empty() || text.size() < run.size() + 3 || !text.ends_with('\n')) return std::nullopt;
  text.remove_prefix(run.size() + 1);
  text.remove_suffix(1);
  return Claim{std::string(run), std::string(text)};
}

Result<ScratchFolder> ScratchFolder::Make(const Claim& claim, const std::string& output,
                                          FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const bool made, files.MakeDirectory(claim.path));
  if (!made) {
    return UsageError("already exists and may belong to another run; run again", claim.path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(DirectoryLock lock, files.LockDirectory(claim.path));
  if (Status marked = PutMark(claim, output, files); !marked) {
    (void)files.RemoveTree(claim.path);
    return tl::make_unexpected(std::move(marked).error());
  }
  return ScratchFolder(claim, std::move(lock));
}

Result<ScratchFolder> ScratchFolder::Take(const Claim& claim, const std::string& output,
                                          FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(claim.path));
  if (facts.kind == FileKind::kMissing) return Make(claim, output, files);
  if (facts.kind == FileKind::kDirectory) {
    LOOKALIKE_ASSIGN_OR_RETURN(DirectoryLock lock, files.LockDirectory(claim.path));
    if (lock.state == DirectoryLock::State::kBusy) {
      return UsageError("another run is using this scratch folder; wait for it", claim.path);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const bool own, IsOf(claim, files));
    if (own) {
      LOOKALIKE_RETURN_IF_ERROR(PutMark(claim, output, files));
      return ScratchFolder(claim, std::move(lock));
    }
  }
  return UsageError("is not the scratch folder of the interrupted run; run again without $<resume>",
                    claim.path);
}

Status ScratchFolder::Remove(const Claim& claim, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(claim.path));
  if (facts.kind != FileKind::kDirectory) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const DirectoryLock lock, files.LockDirectory(claim.path));
  if (lock.state == DirectoryLock::State::kBusy) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const bool own, IsOf(claim, files));
  return own ? files.RemoveTree(claim.path) : Status();
}

}  // namespace lookalike
