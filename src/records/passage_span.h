// Passages of a document, as they are added to its record.
#ifndef LOOKALIKE_RECORDS_PASSAGE_SPAN_H_
#define LOOKALIKE_RECORDS_PASSAGE_SPAN_H_

#include <cstdint>
#include <span>

namespace lookalike {

/// A part of a text that stands elsewhere too.
struct PassageSpan {
  uint64_t passage = 0;         ///< The number of the passage, from 1.
  uint64_t begin = 0, end = 0;  ///< Code points.
  bool first = false;           ///< No place of the passage comes before this one.
};

/// All of them in one document, by place.
using PassageSpans = std::span<const PassageSpan>;

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_PASSAGE_SPAN_H_
