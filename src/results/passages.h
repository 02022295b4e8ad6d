// The passages that two texts share, in the original texts: for `compare` and the report.
#ifndef LOOKALIKE_RESULTS_PASSAGES_H_
#define LOOKALIKE_RESULTS_PASSAGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "lookalike/lookalike.h"
#include "results/unit_text.h"
#include "run/cancel_check.h"

namespace lookalike {

/// Returns passages with the same units on both sides, as long as possible, that together hold
/// every shared feature; sorted by a_begin, then b_begin. Each place of a shared feature in either
/// text lies in a passage, so repetitions can make passages overlap. A code point whose normalised
/// form has several words is always in a passage as a whole.
/// For points, series and URLs see shared_places.h.
/// Offsets count code points, with invalid UTF-8 replaced. Ends early as ReadUnits does.
std::vector<Passage> SharedPassages(const UnitText& a, const UnitText& b, const FeatureSpec& spec,
                                    CancelCheck* check = nullptr);

/// Does the same for two texts of one kind.
std::vector<Passage> SharedPassages(std::string_view a, std::string_view b, const FeatureSpec& spec,
                                    TextKind kind = TextKind::kUnknown);

/// A stretch of one text that is either shared with the other or not.
struct Segment {
  std::string text;
  bool shared = false;
  bool operator==(const Segment&) const = default;
};

enum class Side { kA, kB };

/// Cuts one side's text into stretches inside and outside of `passages`, in order, alternating,
/// none of them empty; concatenated they are the first `limit` code points of the text, with
/// invalid UTF-8 replaced.
std::vector<Segment> SplitByPassages(std::string_view text, const std::vector<Passage>& passages,
                                     Side side, size_t limit = SIZE_MAX);

/// False for lists, numbers and URLs, which cannot be cut at arbitrary places.
bool CanBeCut(const FeatureSpec& spec);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PASSAGES_H_
