// Two texts of the report, side by side.
#ifndef LOOKALIKE_API_REPORT_TEXTS_H_
#define LOOKALIKE_API_REPORT_TEXTS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/excerpts.h"
#include "fingerprint/feature_spec.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// The parts of a removed document's text and its witness's that are shown: where the two texts
/// share most, so that there is something to compare. Invalid UTF-8 is replaced.
ExcerptPair ExcerptsOfTexts(const TextExcerpt& removed, const TextExcerpt& witness,
                            const FeatureSpec& spec);

/// A stretch of a text, in code points, that the other text has as well or not.
struct Stretch {
  uint64_t begin, end;
  bool shared;
};

/// Pairs of stretches, one of each text by position, that stand side by side: both ascend, each of
/// them holds a passage that the two share, and together they hold as much as such pairs can.
std::vector<std::pair<size_t, size_t>> AlignStretches(std::span<const Stretch> a,
                                                      std::span<const Stretch> b,
                                                      std::span<const Passage> passages);

/// Adds what the page shows of the two texts to a member (web/report/src/data.ts).
void AddTexts(const ExcerptPair& texts, const FeatureSpec& spec, nlohmann::ordered_json* member);

}  // namespace lookalike

#endif  // LOOKALIKE_API_REPORT_TEXTS_H_
