// Checks that apply to sketches of every type.
#ifndef LOOKALIKE_USES_SKETCHES_SKETCH_CHECKS_H_
#define LOOKALIKE_USES_SKETCHES_SKETCH_CHECKS_H_

#include <span>
#include <string>
#include <string_view>

#include "format/sketch_bytes.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns an Error for sketches of another fingerprint version: they cannot be compared with new
/// ones.
Status CheckFingerprintVersion(const StoredSketch& stored);

/// A property in which two sketches must agree.
struct Fact {
  std::string_view what;
  std::string here, there;
};

/// Returns an Error that names the differences, if there are any.
Status CheckEqual(std::span<const Fact> facts);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_SKETCHES_SKETCH_CHECKS_H_
