// Shingles by Rabin's fingerprints (docs/format/fingerprint-v1.md).
#ifndef LOOKALIKE_FINGERPRINT_RABIN_SHINGLES_H_
#define LOOKALIKE_FINGERPRINT_RABIN_SHINGLES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/rabin.h"

namespace lookalike {

/// The fingerprints of all runs of units of a text, in time linear in its bytes: the fingerprint of
/// a run is the fingerprint of the text through the run, minus the fingerprint of the text before
/// the run, shifted by the run's length. Holds scratch memory; use one per thread.
class RabinShingles {
 public:
  /// Separates units. UTF-8 has no such byte, so different runs of units are different strings.
  static constexpr uint8_t kSeparator = 0xFF;

  /// The polynomial is drawn from `seed`.
  explicit RabinShingles(uint64_t seed);

  /// Begins a text.
  void Clear();

  /// Adds a unit to the current text. REQUIRES: the unit does not contain the separator.
  void Add(std::string_view unit);

  [[nodiscard]] size_t units() const { return through_.size(); }

  /// Sets out[i] = f(1 ◆ unit i ◆ separator ◆ unit i + 1 ◆ ... ◆ unit i + window - 1). REQUIRES: 1
  /// <= window <= units(); room for units() - window + 1 values.
  void Fingerprints(size_t window, uint64_t* out);

  [[nodiscard]] const RabinFunction& function() const { return function_; }

 private:
  [[nodiscard]] uint64_t ShiftOf(uint64_t bytes) const {
    return bytes < shifts_.size() ? shifts_[bytes] : function_.Shift(bytes);
  }

  RabinFunction function_;
  std::vector<uint64_t> shifts_;   ///< RabinFunction::Shift() of small numbers of bytes.
  std::vector<uint64_t> through_;  ///< Fingerprints up to the end of each unit;
  std::vector<uint64_t> before_;   ///< up to the beginning of each and of one more, with 1 added;
  std::vector<uint64_t> begins_;   ///< and these beginnings, in bytes with the separators.
  std::vector<uint64_t> factors_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_RABIN_SHINGLES_H_
