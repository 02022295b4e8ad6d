// The options that decide features, parsed.
#ifndef LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_
#define LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_

#include <string>

#include "fingerprint/feature_spec.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Reads the same options as ReadFeatureSpec(), except the tables: stop_words and weights.
Result<FeatureSpec> ReadFeatureWords(const Options& options);

/// Reads Options::shingle, normalize, segment, stop_words (a file too), weights, weight_unit,
/// pages, bag, ratings, hash, feature_bits and seed. Returns an Error if one is invalid, or if a
/// file cannot be read. Options::Validate() checks that they apply to the shingles.
Result<FeatureSpec> ReadFeatureSpec(const Options& options);

/// Reads the same options for searches and sketches, which work on sets: `bag` sum is an Error,
/// whose message names an alternative.
Result<FeatureSpec> ReadSetSpec(const Options& options);

/// Checks that Options::weight_unit is valid; the Error says what it takes.
Status CheckWeightUnit(const Options& options);

/// True if the value of an option that takes a name or a table is a file: it has a slash or a dot.
bool IsTablePath(const std::string& name);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_FEATURE_OPTIONS_H_
