// The documents of an index that a run over new inputs is compared with.
#ifndef LOOKALIKE_INDEX_AGAINST_H_
#define LOOKALIKE_INDEX_AGAINST_H_

#include <cstdint>
#include <string>

#include "lookalike/index.h"
#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Writes a file of features (format/feature_file.h) of the documents that are like one of the
/// inputs, in the order in which they were added: what `dedup` must know of the index. The cost
/// follows the inputs, not the index. Returns an Error if the options ask for another comparison
/// than that of the index, or it keeps nothing that can be compared exactly.
Status WriteMatches(const Index& index, const Inputs& inputs, const Options& options,
                    const Observer& observer, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_AGAINST_H_
