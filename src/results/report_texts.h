// Two texts shown side by side in the report.
#ifndef LOOKALIKE_RESULTS_REPORT_TEXTS_H_
#define LOOKALIKE_RESULTS_REPORT_TEXTS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fingerprint/feature_spec.h"
#include "lookalike/lookalike.h"
#include "results/excerpts.h"

namespace lookalike {

/// Returns the parts of a removed document's text and of its witness's that are shown: those where
/// the two share most, so that there is something to compare. Invalid UTF-8 is replaced.
ExcerptPair ExcerptsOfTexts(const TextExcerpt& removed, const TextExcerpt& witness,
                            const FeatureSpec& spec);

/// A stretch of a text, in code points, that is either shared with the other text or not.
struct Stretch {
  uint64_t begin, end;
  bool shared;
};

/// Returns pairs of stretches, one of each text by position, to be shown side by side: both ascend,
/// each pair holds a passage that the two share, and together they hold as much as possible.
std::vector<std::pair<size_t, size_t>> AlignStretches(std::span<const Stretch> a,
                                                      std::span<const Stretch> b,
                                                      std::span<const Passage> passages);

/// Adds the parts of the two texts that the page shows to a member (web/report/src/data.ts).
void AddTexts(const ExcerptPair& texts, const FeatureSpec& spec, nlohmann::ordered_json* member);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_REPORT_TEXTS_H_
