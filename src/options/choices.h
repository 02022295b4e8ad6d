// The options that name a way of working, read once from their texts into values.
#ifndef LOOKALIKE_OPTIONS_CHOICES_H_
#define LOOKALIKE_OPTIONS_CHOICES_H_

#include <cstdint>
#include <optional>

#include "lookalike/options.h"
#include "lookalike/status.h"
#include "measures/distance_kind.h"
#include "measures/threshold.h"
#include "options/keep_option.h"
#include "options/method_option.h"
#include "options/text_fields.h"
#include "stages/guards/guard_spec.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// The way in which candidates are checked.
enum class Verification : uint8_t {
  kExact,            ///< By their features.
  kSketchThenExact,  ///< By their features, if their sketches agree often enough.
  kSketch,           ///< By their sketches alone.
  kNone,             ///< Not at all: each candidate is a pair.
};

/// The way in which clusters are formed.
enum class Clustering : uint8_t { kLeader, kComponents };

/// The form in which kept documents are written.
enum class OutputForm : uint8_t { kCopies, kAnnotated };

struct Choices {
  Measure measure = Measure::kResemblance;
  std::optional<DistanceKind> distance = {};  ///< None: documents are compared by their features.
  MethodOption method = {};
  Verification verify = Verification::kExact;
  SketchSpec sketch = {};
  std::optional<SetSketchSpec> sample = {};  ///< Takes the place of `sketch`.
  bool sketch_is_default = true;             ///< The option has its default value.
  KeepPolicy keep = {};
  Clustering cluster = Clustering::kLeader;
  OutputForm output = OutputForm::kCopies;
  GuardSpec guards = {};
  TextFields text_fields = {};

  [[nodiscard]] bool measures_containment() const { return measure == Measure::kContainment; }

  /// True if features decide, at least in the end.
  [[nodiscard]] bool verifies() const {
    return verify == Verification::kExact || verify == Verification::kSketchThenExact;
  }

  /// True if pairs are judged by sketches alone.
  [[nodiscard]] bool estimates() const { return !verifies(); }
};

/// Reads the choices. An Error names the first option whose text has no meaning, and the accepted
/// values.
Result<Choices> ReadChoices(const Options& options);

/// Returns the options with `verify` changed so that sketches judge the pairs, not features.
Options Estimating(const Options& options, const Choices& choices);

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_CHOICES_H_
