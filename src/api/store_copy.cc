#include "lookalike/store_copy.h"

#include <utility>

#include "io/file_system.h"
#include "run/no_exceptions.h"
#include "run/result_checks.h"
#include "run/steady_observer.h"
#include "run/store_result.h"

namespace lookalike {
namespace {

Status CopyUnguarded(const std::string& path, const std::string& output, const Options& options,
                     const Observer& observer) {
  const ObjectReading objects = ReadingOf(options, observer, output);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  if (facts.kind == FileKind::kMissing) return InputError("does not exist", path);
  LOOKALIKE_ASSIGN_OR_RETURN(const StoreResult place, StoreResult::OpenFor(path, output, objects));
  if (facts.kind == FileKind::kDirectory) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts manifest,
                               RealFileSystem().Stat(path + "/" + std::string(kManifestFile)));
    if (manifest.kind != FileKind::kFile) {
      return InputError("is not a result: it has no manifest.json; pass the folder of a dedup run",
                        path);
    }
    LOOKALIKE_RETURN_IF_ERROR(place.CheckFolder(options.overwrite, false));
    return place.CopyFolder(observer);
  }
  LOOKALIKE_RETURN_IF_ERROR(place.CheckObject());
  if (!options.overwrite) LOOKALIKE_RETURN_IF_ERROR(place.CheckFree());
  return place.CopyFile(observer);
}

}  // namespace

Status CopyToStore(const std::string& path, const std::string& output, const Options& options,
                   const Observer& observer) {
  return WithoutExceptions([&]() -> Status {
    LOOKALIKE_RETURN_IF_ERROR(options.Validate());
    return CopyUnguarded(path, output, options, MakeSteady(observer));
  });
}

}  // namespace lookalike
