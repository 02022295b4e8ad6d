// Excerpts of two texts for the report; one text may lie deep inside the other.
#ifndef LOOKALIKE_RESULTS_EXCERPTS_H_
#define LOOKALIKE_RESULTS_EXCERPTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/lookalike.h"
#include "records/records.h"

namespace lookalike {

/// The number of bytes of a document's text that the report may show.
constexpr size_t kExcerptBytes = 6000;

/// A part of a text.
struct TextExcerpt {
  std::string text;
  uint64_t before = 0;  ///< Code points before it.
  bool cut = false;     ///< The text continues after it.
};

/// Excerpts of a removed document, a, and its witness, b.
struct ExcerptPair {
  TextExcerpt a, b;
};

/// Excerpts by removed document.
using ExcerptPairs = std::map<DocNumber, ExcerptPair>;

/// Chooses the parts, of at most `bytes` each, that hold most of the passages that two texts share:
/// the first part that holds three quarters of what the best one does, trying the beginning first.
/// The second text's part covers the passages that the first text's part shows. A text no longer
/// than `bytes` is taken whole; without passages the beginning is taken.
/// REQUIRES: well-formed UTF-8.
ExcerptPair ChooseExcerpts(std::string_view a, std::string_view b,
                           const std::vector<Passage>& passages, size_t bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_EXCERPTS_H_
