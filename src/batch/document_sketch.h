// The sketch of a document where no features are compared: made of its text, or as it was stored.
#ifndef LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_
#define LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fingerprint/document_fingerprint.h"
#include "flow/document_batch.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// What is kept of the features of documents.
struct KeptSketch {
  SketchSpec sketch = {};
  uint32_t bits = 32;                        ///< Of each coordinate (KeepBits).
  std::optional<SetSketchSpec> sample = {};  ///< In the place of coordinates.

  /// Whether keys of candidates can be made of the coordinates themselves. Those of few bits are
  /// equal by chance so often that keys of them find everything, and some kinds leave bins empty.
  [[nodiscard]] bool HasKeys() const;

  /// The coordinates that keys are made of: its own, or those of a sketch of what it has
  /// (KeyCoordinates).
  [[nodiscard]] SketchSpec KeySketch() const { return HasKeys() ? sketch : SketchSpec(); }

  /// The least probability that one of these coordinates is equal in two documents whose estimated
  /// resemblance is at or above a threshold.
  [[nodiscard]] double KeyThreshold(double threshold) const;
};

struct DocumentSketch {
  uint64_t features = 0;                  ///< Distinct ones; 0: a document without features.
  std::span<const uint32_t> coordinates;  ///< Of `bits` bits each; empty without features.
  std::span<const uint64_t> sample;       ///< Of a sample: its values, ascending.
  bool repaired = false;                  ///< Invalid UTF-8 was replaced on the way.
};

/// Makes sketches of documents. Holds scratch memory; one per thread.
class DocumentSketcher {
 public:
  DocumentSketcher(const FeatureSpec& features, const KeptSketch& kept);

  /// Valid until the next call. REQUIRES: of a stored sketch, that it is of this kind and size.
  DocumentSketch Make(const Document& document);

 private:
  DocumentSketch Take(const Document& stored);

  DocumentFingerprint fingerprint_;
  KeptSketch kept_;
  std::vector<uint32_t> coordinates_;
  std::vector<uint64_t> sample_;
};

/// Makes the coordinates that keys are made of. One per thread.
///
/// Where a sketch has no keys of its own, it is a set of what it has: the values of a sample, or
/// each coordinate with its place. That set is sketched once more.
class KeyCoordinates {
 public:
  explicit KeyCoordinates(const KeptSketch& kept);

  /// Empty where there is nothing to find the document by; else valid until the next call.
  std::span<const uint32_t> Of(const DocumentSketch& sketch);

 private:
  KeptSketch kept_;
  Sketcher sketcher_;
  std::vector<uint64_t> parts_;
};

/// Appends what the verification compares (stages/verify/edges.h): the number of features, then the
/// values of the sample, or the coordinates, two in a word; the last has a 0 above an odd one.
void AppendStored(const DocumentSketch& sketch, std::vector<uint64_t>* words);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_
