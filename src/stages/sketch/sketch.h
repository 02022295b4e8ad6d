// Sketches: k coordinates whose probability of being equal is the resemblance of the feature sets.
#ifndef LOOKALIKE_STAGES_SKETCH_SKETCH_H_
#define LOOKALIKE_STAGES_SKETCH_SKETCH_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// How coordinates are made. All promise the same; docs/decisions/0012 has what they cost and how
/// far their estimates scatter.
enum class SketchKind : uint8_t {
  kFss,             ///< Fast similarity sketching: `fss`.
  kPermutations,    ///< One hash function a coordinate: `permutations`.
  kOnePermutation,  ///< Bins, and fresh hashes for empty ones: `one-permutation`.
};

/// `fss:128`: the kind of sketch and its number of coordinates.
struct SketchSpec {
  uint32_t coordinates = 128;  ///< A power of two, 16 to 1024.
  SketchKind kind = SketchKind::kFss;
};

/// "fss:256" -> SketchSpec; "fss" alone has 128 coordinates.
Result<SketchSpec> ParseSketch(std::string_view text);

/// The name that ParseSketch knows a kind by.
std::string_view SketchName(SketchKind kind);

/// How many codes of one byte go with a sketch of so many coordinates.
constexpr uint32_t kMaxCodes = 128;
constexpr uint32_t CodeCount(uint32_t coordinates) {
  return coordinates < kMaxCodes ? coordinates : kMaxCodes;
}

/// Makes sketches. Holds scratch memory; one per thread.
class Sketcher {
 public:
  explicit Sketcher(const SketchSpec& spec) : spec_(spec), sketch_(spec.coordinates) {}

  /// The sketch of a feature stream (repetitions change nothing); valid until the next call.
  /// REQUIRES: features not empty.
  std::span<const uint32_t> Run(std::span<const uint64_t> features);

 private:
  SketchSpec spec_;
  std::vector<uint32_t> scratch_;
  std::vector<uint32_t> sketch_;
};

/// One byte of each of the first CodeCount() coordinates: enough to reject most candidates
/// (b-bit minwise hashing, Li and Koenig 2010, b = 8), and what refinement of buckets re-keys by.
void MakeCodes(std::span<const uint32_t> sketch, uint8_t* codes);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_SKETCH_H_
