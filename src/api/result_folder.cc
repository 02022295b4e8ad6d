#include "lookalike/result_folder.h"

#include "io/file_system.h"
#include "io/object_uri.h"
#include "run/attempt.h"
#include "run/no_exceptions.h"
#include "run/result_checks.h"
#include "run/store_result.h"

namespace lookalike {

Status DiscardInterrupted(const std::string& output) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string place, LocalPath(output));
    if (IsObjectUri(place)) {
      return UsageError("is in an object store; pass the path of a folder on this machine",
                        PublicName(place));
    }
    return RemoveLeftovers(place);
  });
}

Status CheckOverwrite(const std::string& folder) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(folder));
    if (facts.kind == FileKind::kMissing) return {};
    if (facts.kind == FileKind::kDirectory) return CheckReplaceable(folder);
    return UsageError("exists and is not a folder; move it away or choose another output", folder);
  });
}

}  // namespace lookalike
