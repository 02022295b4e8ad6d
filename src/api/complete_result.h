// A result folder that `--resume` finds complete.
#ifndef LOOKALIKE_API_COMPLETE_RESULT_H_
#define LOOKALIKE_API_COMPLETE_RESULT_H_

#include <optional>
#include <string>

#include "lookalike/lookalike.h"

namespace lookalike {

/// The summary of the result at `output`; nothing where there is none. An Error where something
/// else stands there, or a result of other options.
Result<std::optional<DedupSummary>> FindComplete(const std::string& output, const Options& options);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPLETE_RESULT_H_
