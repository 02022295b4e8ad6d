// What sketches of every type must be, and have in common.
#ifndef LOOKALIKE_API_SKETCH_CHECKS_H_
#define LOOKALIKE_API_SKETCH_CHECKS_H_

#include <span>
#include <string>
#include <string_view>

#include "format/sketch_bytes.h"
#include "lookalike/status.h"

namespace lookalike {

/// Sketches of another version of the fingerprint cannot be compared with those made now.
Status CheckFingerprintVersion(const StoredSketch& stored);

/// Something that two sketches must agree in.
struct Fact {
  std::string_view what;
  std::string here, there;
};

/// An Error that names the differences; none is no Error.
Status CheckEqual(std::span<const Fact> facts);

}  // namespace lookalike

#endif  // LOOKALIKE_API_SKETCH_CHECKS_H_
