// The only path from a text to its features, sketch and band keys, shared by all engines.
#ifndef LOOKALIKE_FINGERPRINT_DOCUMENT_FINGERPRINT_H_
#define LOOKALIKE_FINGERPRINT_DOCUMENT_FINGERPRINT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// Everything that decides the fingerprint of a document.
struct FingerprintSpec {
  FeatureSpec features = {};
  SketchSpec sketch = {};
  std::optional<Design> design = {};  ///< None: no keys.
  uint64_t min_features = 1;          ///< Fewest distinct features of a document in a pair.
};

/// Makes fingerprints. Holds scratch memory; use one per thread. Each span is valid until the next
/// call of the same function.
class DocumentFingerprint {
 public:
  explicit DocumentFingerprint(const FingerprintSpec& spec);

  /// Returns the feature stream of a text, as FeatureExtractor makes it.
  std::span<const uint64_t> Features(std::string_view text, TextKind kind = TextKind::kUnknown) {
    return extractor_.Features(text, kind);
  }

  /// True if the last text held invalid UTF-8.
  [[nodiscard]] bool replaced_invalid() const { return extractor_.replaced_invalid(); }

  /// Returns the feature set of a stream, sorted and without repetitions.
  std::span<const uint64_t> FeatureSet(std::span<const uint64_t> features);

  /// True if a feature stream certainly has more than `than` (at most 255) distinct features; reads
  /// only a little more of it than necessary.
  [[nodiscard]] static bool HasMoreFeatures(std::span<const uint64_t> features, size_t than);

  /// True if a document with these features takes part in the search. May call FeatureSet().
  bool IsSearched(std::span<const uint64_t> features);

  /// Returns the sketch of the last text, whose feature stream is `features`. REQUIRES: features
  /// not empty.
  std::span<const uint32_t> MakeSketch(std::span<const uint64_t> features);

  /// Returns the number of band keys of a document.
  [[nodiscard]] uint32_t keys() const { return spec_.design ? spec_.design->keys : 0; }

  /// Makes the band keys of a sketch. REQUIRES: keys.size() == keys().
  void MakeKeys(std::span<const uint32_t> sketch, std::span<uint64_t> keys) const;

 private:
  FingerprintSpec spec_;
  FeatureExtractor extractor_;
  Sketcher sketcher_;
  std::vector<uint64_t> set_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_FINGERPRINT_DOCUMENT_FINGERPRINT_H_
