// The bytes of one sketch (docs/format/sketch-v1.md).
#ifndef LOOKALIKE_FORMAT_SKETCH_BYTES_H_
#define LOOKALIKE_FORMAT_SKETCH_BYTES_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// The stored parts of a sketch. The meaning of their combination is not known here.
struct StoredSketch {
  uint8_t kind = 0;
  uint16_t fingerprint_version = 0;
  uint64_t seed = 0;
  std::string shingle = {};
  std::vector<uint32_t> coordinates = {};
  uint8_t bits = 32;      ///< Bits per coordinate: 1, 2, 4, 8, 16 or 32; values are below 2^bits.
  bool is_empty = false;  ///< With fewer bits than 32: true if it represents no features.
  /// For a sample instead: its kind's parameter, and its values of 64 bits.
  uint32_t parameter = 0;
  std::vector<uint64_t> values = {};

  [[nodiscard]] bool IsSample() const { return parameter != 0; }
  bool operator==(const StoredSketch&) const = default;
};

/// Returns the number of bytes of `count` numbers of `bits` bits: 1, 2, 4, 8, 16 or 32.
constexpr uint64_t PackedBytes(uint64_t count, uint32_t bits) { return (count * bits + 7) / 8; }

/// Appends numbers below 2^bits, the lowest bits of each byte first.
void AppendPacked(std::span<const uint32_t> numbers, uint32_t bits, std::string* bytes);

/// Replaces `numbers` with those that the bytes hold, in this machine's byte order.
template <class T>
void CopyNumbers(std::string_view bytes, std::vector<T>* numbers) {
  numbers->resize(bytes.size() / sizeof(T));
  if (numbers->empty()) return;  // it may have no address then, which memcpy must not be given
  std::memcpy(numbers->data(), bytes.data(), numbers->size() * sizeof(T));
}

/// Replaces `numbers` with `count` packed numbers. REQUIRES: bytes.size() == PackedBytes().
void Unpack(std::string_view bytes, uint32_t count, uint32_t bits, std::vector<uint32_t>* numbers);

/// Returns the bytes of a sketch, equal for equal sketches.
std::string EncodeSketch(const StoredSketch& sketch);

/// Returns what was passed to EncodeSketch. The Error says which part of the bytes is wrong.
/// Allocates no more than the size of the bytes.
Result<StoredSketch> DecodeSketch(std::string_view bytes);

}  // namespace lookalike

#endif  // LOOKALIKE_FORMAT_SKETCH_BYTES_H_
