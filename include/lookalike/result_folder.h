// Operations on a result folder, and on the files that an interrupted run left beside it.
#ifndef LOOKALIKE_RESULT_FOLDER_H_
#define LOOKALIKE_RESULT_FOLDER_H_

#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// Removes the files that an interrupted Dedup() into the folder `output` kept for resuming, beside
/// that folder and below Options::scratch. Takes the lock that a run holds: if another run is using
/// the folder, or if no run made it, returns an Error and removes nothing. It is not an error if
/// there is nothing to remove.
Status DiscardInterrupted(const std::string& output);

/// Succeeds if Options::overwrite may replace `folder`: it does not exist, is an empty folder, or
/// is a result that holds nothing else. The Error says what is there instead.
Status CheckOverwrite(const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULT_FOLDER_H_
