// What sketches say of two texts: `compare --verify sketch`.
#ifndef LOOKALIKE_API_COMPARE_SKETCHES_H_
#define LOOKALIKE_API_COMPARE_SKETCHES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "format/sketch_bytes.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"

namespace lookalike {

/// Estimates all measures from the sketches of two texts (Options::sketch, of coordinates or of a
/// sample) and from nothing else, as if the texts were gone. Without passages.
Result<Comparison> CompareSketches(std::string_view a, std::string_view b, const Options& options);

/// A document of a sketch file, or a text that is sketched as those are.
struct StoredDocument {
  StoredSketch sketch;
  uint64_t features = 0;  ///< Distinct ones, counted.
};

/// A text and how many distinct features it has.
struct CountedText {
  std::string_view text;
  uint64_t features;
  std::string spec;  ///< What its features are.
};

/// What a sketch file would hold of a text. An Error where the options do not make sketches like
/// `like`, which is of the file `place`.
Result<StoredDocument> StoreLike(const StoredSketch& like, const std::string& place,
                                 const CountedText& text, const Options& options);

/// Estimates all measures from two sketches; the sizes are those that were counted.
Result<Comparison> CompareStored(const StoredDocument& a, const StoredDocument& b);

}  // namespace lookalike

#endif  // LOOKALIKE_API_COMPARE_SKETCHES_H_
