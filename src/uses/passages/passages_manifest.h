// manifest.json of a result of `passages`.
#ifndef LOOKALIKE_USES_PASSAGES_PASSAGES_MANIFEST_H_
#define LOOKALIKE_USES_PASSAGES_PASSAGES_MANIFEST_H_

#include <string>

#include "lookalike/passages.h"
#include "lookalike/status.h"
#include "run/job.h"

namespace lookalike {

/// Writes the rules, the counts and the options of a run to `path`.
Status WritePassagesManifest(const Job& job, const PassageRules& rules,
                             const PassagesSummary& summary, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_PASSAGES_MANIFEST_H_
