// The sketch of a document where no features are compared: made of its text, or as it was stored.
#ifndef LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_
#define LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/document_fingerprint.h"
#include "flow/document_batch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

struct DocumentSketch {
  uint64_t features = 0;                  ///< Distinct ones; 0: a document without features.
  std::span<const uint32_t> coordinates;  ///< Of `bits` bits each; empty without features.
  bool repaired = false;                  ///< Invalid UTF-8 was replaced on the way.
};

/// Makes sketches of documents. Holds scratch memory; one per thread.
class DocumentSketcher {
 public:
  /// `bits`: kept of each coordinate (KeepBits).
  DocumentSketcher(const FeatureSpec& features, const SketchSpec& sketch, uint32_t bits)
      : fingerprint_({features, sketch}), count_(sketch.coordinates), bits_(bits) {}

  /// Valid until the next call. REQUIRES: of a stored sketch, as many coordinates of as many bits.
  DocumentSketch Make(const Document& document);

 private:
  DocumentFingerprint fingerprint_;
  uint32_t count_, bits_;
  std::vector<uint32_t> coordinates_;
};

/// Appends what the verification compares (stages/verify/edges.h): the number of features, then the
/// coordinates, two in a word; the last has a 0 above an odd one.
void AppendStored(const DocumentSketch& sketch, std::vector<uint64_t>* words);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_DOCUMENT_SKETCH_H_
