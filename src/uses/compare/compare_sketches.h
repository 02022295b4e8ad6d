// Estimates for two texts from their sketches: `compare --verify sketch`.
#ifndef LOOKALIKE_USES_COMPARE_COMPARE_SKETCHES_H_
#define LOOKALIKE_USES_COMPARE_COMPARE_SKETCHES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "format/sketch_bytes.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"

namespace lookalike {

/// Estimates all measures from the sketches of two texts (Options::sketch, of coordinates or of a
/// sample) and nothing else, as if the texts were gone. The result has no passages.
Result<Comparison> CompareSketches(std::string_view a, std::string_view b, const Options& options);

/// A document of a sketch file, or a text sketched in the same way.
struct StoredDocument {
  StoredSketch sketch;
  uint64_t features = 0;  ///< Number of distinct features, counted.
};

/// A text and its number of distinct features.
struct CountedText {
  std::string_view text;
  uint64_t features;
  std::string spec;  ///< The definition of its features.
};

/// Returns what a sketch file would hold for a text. Returns an Error if the options do not make
/// sketches like `like`, which comes from the file `place`.
Result<StoredDocument> StoreLike(const StoredSketch& like, const std::string& place,
                                 const CountedText& text, const Options& options);

/// Estimates all measures from two sketches; the sizes are the stored counts.
Result<Comparison> CompareStored(const StoredDocument& a, const StoredDocument& b);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_COMPARE_COMPARE_SKETCHES_H_
