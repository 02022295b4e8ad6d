// A result folder that `--resume` finds complete.
#ifndef LOOKALIKE_API_COMPLETE_RESULT_H_
#define LOOKALIKE_API_COMPLETE_RESULT_H_

#include <optional>
#include <string>
#include <vector>

#include "io/object_access.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// The summary of the result at `output`; nothing where there is none. An Error where something
/// else stands there, or a result of other options or other inputs (told by name and size).
Result<std::optional<DedupSummary>> FindComplete(const Inputs& inputs, const std::string& output,
                                                 const Options& options,
                                                 const ObjectReading& objects);

/// The same by the text of its manifest; `output` is what messages call the result.
Result<DedupSummary> ReadComplete(const std::string& manifest, const Inputs& inputs,
                                  const std::string& output, const Options& options,
                                  const ObjectReading& objects);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPLETE_RESULT_H_
