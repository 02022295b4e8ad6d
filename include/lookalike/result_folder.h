// What may be done to a result folder, and to what an interrupted run left beside one.
#ifndef LOOKALIKE_RESULT_FOLDER_H_
#define LOOKALIKE_RESULT_FOLDER_H_

#include <string>

#include "lookalike/status.h"

namespace lookalike {

/// Removes what an interrupted Dedup() into the folder `output` left to go on from, here and below
/// Options::scratch. Takes the lock that a run has: what another run is using is an Error, and
/// stays; so does a folder that no run made. Nothing there is fine.
Status DiscardInterrupted(const std::string& output);

/// Whether Options::overwrite may replace what stands at `folder`: nothing, an empty folder, or a
/// result that holds nothing else. The Error says what stands there.
Status CheckOverwrite(const std::string& folder);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULT_FOLDER_H_
