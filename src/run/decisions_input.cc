#include "run/decisions_input.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/file_system.h"
#include "io/whole_file.h"

namespace lookalike {
namespace {

/// Refuses runs whose kept set decisions cannot change.
Status CheckReplay(const Choices& choices) {
  if (choices.cluster != Clustering::kLeader) {
    return OptionError("$<decisions> only works with $<cluster=leader>, the default");
  }
  if (!choices.estimates()) return {};
  return OptionError(
      "$<decisions> needs exact scores, which $<verify=sketch> and none do not have; use "
      "$<verify=exact>");
}

}  // namespace

Result<DecisionsInput> ReadDecisionsInput(const Options& options, const Choices& choices) {
  DecisionsInput input;
  const std::string& path = options.decisions;
  if (path.empty()) return input;
  LOOKALIKE_RETURN_IF_ERROR(CheckReplay(choices));
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  if (facts.kind == FileKind::kMissing) {
    return OptionError("$<decisions> names a file that does not exist", path);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path, RealFileSystem()));
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  input.hash = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  LOOKALIKE_ASSIGN_OR_RETURN(input.decisions, ReadDecisions(path));
  std::erase_if(input.decisions,
                [](const Decision& each) { return each.kind == DecisionKind::kNone; });
  return input;
}

}  // namespace lookalike
