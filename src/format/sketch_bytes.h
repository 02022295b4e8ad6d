// The bytes of one sketch (docs/format/sketch-v1.md).
#ifndef LOOKALIKE_FORMAT_SKETCH_BYTES_H_
#define LOOKALIKE_FORMAT_SKETCH_BYTES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// What is stored of a sketch. What its fields mean together is not known here.
struct StoredSketch {
  uint8_t kind = 0;
  uint16_t fingerprint_version = 0;
  uint64_t seed = 0;
  std::string shingle = {};
  std::vector<uint32_t> coordinates = {};
  uint8_t bits = 32;      ///< Of a coordinate: 1, 2, 4, 8, 16 or 32; those are below 2^bits.
  bool is_empty = false;  ///< Of fewer bits than 32: whether it stands for no features.
  /// Of a sample instead: what its kind takes, and its values of 64 bits.
  uint32_t parameter = 0;
  std::vector<uint64_t> values = {};

  [[nodiscard]] bool IsSample() const { return parameter != 0; }
  bool operator==(const StoredSketch&) const = default;
};

/// The bytes; equal for equal sketches.
std::string EncodeSketch(const StoredSketch& sketch);

/// What EncodeSketch was given. The Error says which part of the bytes is not as it must be. What
/// is allocated is no more than the bytes are.
Result<StoredSketch> DecodeSketch(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_SKETCH_BYTES_H_
