// What the report shows of two texts of which one may stand deep inside of the other.
#ifndef LOOKALIKE_API_EXCERPTS_H_
#define LOOKALIKE_API_EXCERPTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flow/records.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// How much of a document's text the report may show.
constexpr size_t kExcerptBytes = 6000;

/// A part of a text.
struct TextExcerpt {
  std::string text;
  uint64_t before = 0;  ///< Code points in front of it.
  bool cut = false;     ///< The text goes on behind it.
};

/// Of a removed document, a, and its witness, b.
struct ExcerptPair {
  TextExcerpt a, b;
};

/// By removed document.
using ExcerptPairs = std::map<DocNumber, ExcerptPair>;

/// The parts, of `bytes` at most, that hold most of the passages that two texts share: the first
/// that holds three quarters of what the best one does, the beginning before all others. The second
/// text's is about what the first one's shows. A text that is no longer than that is taken whole,
/// and without passages its beginning.
/// REQUIRES: well-formed UTF-8.
ExcerptPair ChooseExcerpts(std::string_view a, std::string_view b,
                           const std::vector<Passage>& passages, size_t bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_API_EXCERPTS_H_
