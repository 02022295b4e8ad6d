// What two texts share, as passages of the original texts: for `compare` and the report.
#ifndef LOOKALIKE_API_PASSAGES_H_
#define LOOKALIKE_API_PASSAGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cancel_check.h"
#include "fingerprint/feature_extractor.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// A text cut into its units (words, characters ...), and its features.
struct UnitText {
  /// One word, character, byte, token or point.
  struct Unit {
    std::string_view value;  ///< Normalised; of characters a run of white space is one blank.
    uint32_t begin, end;     ///< Code points of the original text, or of the page's source, that it
                             ///< came from.
  };
  NormalizedText normalized;
  std::vector<Unit> units;         ///< Values point into `normalized` or into constants.
  std::vector<uint64_t> features;  ///< The feature stream.
  std::vector<uint32_t> first;     ///< The first unit of each feature, never descending.
};

/// Cuts `text` up; of a page, what FeatureSpec::pages takes of it. Heap-allocated, as the units
/// point into it. Where `check` says so, it ends early with a result of no use.
std::unique_ptr<const UnitText> ReadUnits(std::string_view text, const FeatureSpec& spec,
                                          TextKind kind = TextKind::kUnknown,
                                          CancelCheck* check = nullptr);

/// Passages with the same units on both sides, as long as they can be, that together hold every
/// shared feature; sorted by a_begin, then b_begin. Each place of either text that has a shared
/// feature lies in one, so repetitions can make passages overlap. A code point whose normalised
/// form has several words is in a passage whole.
/// Of points, series and URLs see shared_places.h.
/// Offsets count code points, with invalid UTF-8 replaced. Ends early as ReadUnits does.
std::vector<Passage> SharedPassages(const UnitText& a, const UnitText& b, const FeatureSpec& spec,
                                    CancelCheck* check = nullptr);

/// The same for two texts of one kind.
std::vector<Passage> SharedPassages(std::string_view a, std::string_view b, const FeatureSpec& spec,
                                    TextKind kind = TextKind::kUnknown);

/// A stretch of one text, shared with the other or not.
struct Segment {
  std::string text;
  bool shared = false;
  bool operator==(const Segment&) const = default;
};

enum class Side { kA, kB };

/// Cuts one side's text into stretches inside and outside of `passages`, in order, alternating,
/// none of them empty; concatenated they are the first `limit` code points of the text, invalid
/// UTF-8 replaced.
std::vector<Segment> SplitByPassages(std::string_view text, const std::vector<Passage>& passages,
                                     Side side, size_t limit = SIZE_MAX);

}  // namespace lookalike

#endif  // LOOKALIKE_API_PASSAGES_H_
