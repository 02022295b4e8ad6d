// The file of --profile: what each stage of a run cost.
#ifndef LOOKALIKE_RESULTS_PROFILE_H_
#define LOOKALIKE_RESULTS_PROFILE_H_

#include <string>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/status.h"

namespace lookalike {

/// Checks, before a run, that its profile can be written to `path`. Empty: none is asked for.
Status CheckProfilePlace(const std::string& path);

/// Writes the profile as JSON. Empty `path`: does nothing.
Status WriteProfile(const std::string& path, const std::vector<StageCost>& stages);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PROFILE_H_
