// The sketch of a document, for runs that compare sketches instead of features: made from its text,
// or as it was stored.
#ifndef LOOKALIKE_RUN_DOCUMENT_SKETCH_H_
#define LOOKALIKE_RUN_DOCUMENT_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fingerprint/document_fingerprint.h"
#include "records/document_batch.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// The kind of sketch that a run keeps for each document.
struct KeptSketch {
  SketchSpec sketch = {};
  uint32_t bits = 32;                        ///< Per coordinate (KeepBits).
  std::optional<SetSketchSpec> sample = {};  ///< In place of coordinates.

  /// True if keys of candidates can be made from the coordinates themselves. Coordinates of few
  /// bits are equal by chance so often that keys made from them find everything, and some kinds
  /// leave bins empty.
  [[nodiscard]] bool HasKeys() const;

  /// Returns the coordinates that keys are made from: the sketch's own coordinates, or the
  /// coordinates of a sketch of its values (KeyCoordinates).
  [[nodiscard]] SketchSpec KeySketch() const { return HasKeys() ? sketch : SketchSpec(); }

  /// Returns the least probability that one of these coordinates is equal in two documents whose
  /// estimated resemblance is at or above a threshold.
  [[nodiscard]] double KeyThreshold(double threshold) const;
};

struct DocumentSketch {
  uint64_t features = 0;                  ///< Distinct; 0: a document without features.
  std::span<const uint32_t> coordinates;  ///< `bits` bits each; empty without features.
  std::span<const uint64_t> sample;       ///< For a sample: its values, ascending.
  bool repaired = false;                  ///< Invalid UTF-8 in the text was replaced.
};

/// Makes sketches of documents. Holds scratch memory; one per thread.
class DocumentSketcher {
 public:
  DocumentSketcher(const FeatureSpec& features, const KeptSketch& kept);

  /// Returns a sketch that is valid until the next call. REQUIRES: a stored sketch is of this kind
  /// and size.
  DocumentSketch Make(const Document& document);

 private:
  DocumentSketch Take(const Document& stored);

  DocumentFingerprint fingerprint_;
  KeptSketch kept_;
  std::vector<uint32_t> coordinates_;
  std::vector<uint64_t> sample_;
};

/// Makes the coordinates that keys are made from. One per thread.
///
/// A sketch that cannot make keys itself is treated as a set: the values of a sample, or each
/// coordinate with its place. That set is sketched once more.
class KeyCoordinates {
 public:
  explicit KeyCoordinates(const KeptSketch& kept);

  /// Returns coordinates that are valid until the next call; empty if nothing is left to search
  /// with.
  std::span<const uint32_t> Of(const DocumentSketch& sketch);

 private:
  KeptSketch kept_;
  Sketcher sketcher_;
  std::vector<uint64_t> parts_;
};

/// Appends what the verification compares (stages/verify/edges.h): the number of features, then the
/// values of the sample, or the coordinates, two per word; the last word has a 0 above an odd
/// coordinate.
void AppendStored(const DocumentSketch& sketch, std::vector<uint64_t>* words);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_DOCUMENT_SKETCH_H_
