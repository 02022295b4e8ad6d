// The file of --profile: what each stage of a run cost.
#ifndef LOOKALIKE_RESULTS_PROFILE_H_
#define LOOKALIKE_RESULTS_PROFILE_H_

#include <span>
#include <string>
#include <vector>

#include "lookalike/lookalike.h"
#include "lookalike/status.h"

namespace lookalike {

/// Checks, before a run, that its profile may be written to `path`: that is not one of the files
/// that the run reads, and not in its result. Empty: none is asked for.
Status CheckProfilePlace(const std::string& path, const std::string& output,
                         std::span<const std::string> read);

/// Writes the profile as JSON. Empty `path`: does nothing.
Status WriteProfile(const std::string& path, const std::vector<StageCost>& stages);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PROFILE_H_
