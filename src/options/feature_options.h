// The options that decide features, read.
#ifndef LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_
#define LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_

#include <string>

#include "fingerprint/feature_spec.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Reads Options::shingle, normalize, segment, stop_words (a file too), weights, weight_unit,
/// pages, bag, ratings, hash, feature_bits and seed. An Error where one is not allowed or has no
/// use with another, or the file cannot be read.
Result<FeatureSpec> ReadFeatureSpec(const Options& options);

/// The same for a search and for sketches, which are of sets: not `bag` sum, of which the Error
/// says what to give instead.
Result<FeatureSpec> ReadSetSpec(const Options& options);

/// Whether Options::weight_unit is a unit; an Error says what it takes.
Status CheckWeightUnit(const Options& options);

/// Whether an option that takes a name or a table names a file: it has a slash or a dot.
bool IsTablePath(const std::string& name);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_
