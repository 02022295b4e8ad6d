// A result folder that `--resume` finds complete.
#ifndef LOOKALIKE_RESULTS_COMPLETE_RESULT_H_
#define LOOKALIKE_RESULTS_COMPLETE_RESULT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "io/object_access.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// An existing result, on this machine or in a store.
struct StandingResult {
  std::string name;  ///< Its name in messages.
  std::string manifest;
  std::optional<std::string> checks;       ///< Empty if it has no checks.jsonl.
  std::map<std::string, uint64_t> sizes;   ///< Sizes of all files, by their paths in the result.
  std::optional<std::string> folder = {};  ///< Folder in which its files can be read.
};

/// Returns the summary of the result at `output`, or nothing if there is none. Returns an Error if
/// something else is there, or a result that these inputs and options would not give: from another
/// version of this program, other options or other inputs (compared by name, size, modification
/// time, and first and last MiB), or with files missing or damaged.
Result<std::optional<DedupSummary>> FindComplete(const Inputs& inputs, const std::string& output,
                                                 const Options& options,
                                                 const ObjectReading& objects,
                                                 const Observer& observer);

/// Does the same for an existing result. For objects in a store, inputs or results, the first and
/// last MiB and the hashes are not checked.
Result<DedupSummary> ReadComplete(const StandingResult& result, const Inputs& inputs,
                                  const Options& options, const ObjectReading& objects,
                                  const Observer& observer);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_COMPLETE_RESULT_H_
