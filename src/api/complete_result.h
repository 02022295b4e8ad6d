// A result folder that `--resume` finds complete.
#ifndef LOOKALIKE_API_COMPLETE_RESULT_H_
#define LOOKALIKE_API_COMPLETE_RESULT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "io/object_access.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// A result that stands somewhere, on this machine or in a store.
struct StandingResult {
  std::string name;  ///< What messages call it.
  std::string manifest;
  std::optional<std::string> checks;       ///< Nothing where it has no checks.jsonl.
  std::map<std::string, uint64_t> sizes;   ///< Of all files, by their paths in the result.
  std::optional<std::string> folder = {};  ///< Where its files can be read.
};

/// The summary of the result at `output`; nothing where there is none. An Error where something
/// else stands there, or a result that is not the one that these inputs and options give: of
/// another version of this program, other options or inputs (told by name, size, time of change,
/// and first and last MiB), or of which files are missing or damaged.
Result<std::optional<DedupSummary>> FindComplete(const Inputs& inputs, const std::string& output,
                                                 const Options& options,
                                                 const ObjectReading& objects,
                                                 const Observer& observer);

/// The same of a result that stands. Of objects in a store, inputs or results, the first and last
/// MiB and the hashes are not looked at.
Result<DedupSummary> ReadComplete(const StandingResult& result, const Inputs& inputs,
                                  const Options& options, const ObjectReading& objects,
                                  const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPLETE_RESULT_H_
