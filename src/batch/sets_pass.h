// Pass two: the feature sets of the documents that some pair needs, and the audit's exact join.
#ifndef LOOKALIKE_BATCH_SETS_PASS_H_
#define LOOKALIKE_BATCH_SETS_PASS_H_

#include <functional>
#include <span>
#include <vector>

#include "batch/audit_sample.h"
#include "batch/job.h"
#include "batch/units.h"
#include "batch/workspace.h"
#include "flow/bitmap.h"
#include "lookalike/lookalike.h"
#include "spill/columns.h"
#include "stages/verify/edges.h"

namespace lookalike {

/// The feature sets of some documents, wherever they are kept. Reading is safe from several
/// threads.
class StoredSets {
 public:
  StoredSets() = default;
  explicit StoredSets(Bitmap wanted) : wanted_(std::move(wanted)) {}

  /// Numbers of features. REQUIRES: documents ascending, all of them wanted.
  Status Sizes(std::span<const DocNumber> documents, std::vector<uint64_t>* sizes) const;

  /// The sets themselves. REQUIRES: as Sizes().
  Status Gather(std::span<const DocNumber> documents, DocumentSets* sets) const;

  [[nodiscard]] const RankedBitmap& wanted() const { return wanted_; }
  /// Bytes of all sets.
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

  /// Adds the sets of the next unit's wanted documents: two streams of a run.
  void AddPart(const RunPointer& run, uint32_t ends, uint32_t sets, const Unit& unit);

  /// Frees the memory of those sets of a unit that are not `needed` any more; they count as empty
  /// from then on. Sets in files stay.
  Status Shrink(const Unit& unit, const std::function<bool(DocNumber)>& needed, RunStore* store);

 private:
  [[nodiscard]] std::vector<uint64_t> Positions(std::span<const DocNumber> documents) const;

  RankedBitmap wanted_;
  VariableColumn column_;
  uint64_t bytes_ = 0;
};

struct SetsPass {
  StoredSets sets;  ///< Of the wanted documents.
  AuditHits hits;
};

/// In the places of sets, the stored sketches of pass one, of all documents; empty where a document
/// is not searched.
StoredSets SketchesOf(const DocumentUnits& units);

/// What is done with the sets of a unit, and of those before it, once they are there.
using UseSets = std::function<Status(const Unit&, StoredSets*)>;

/// Reads the inputs again. `wanted` are flags by document number; `looks`, by document, are what
/// the audit compares. One unit for each of pass one, each of which is used in turn.
Result<SetsPass> CollectSets(const Job& job, const DocumentUnits& units, Bitmap wanted,
                             const AuditIndex& audit, const std::vector<AuditLook>& looks,
                             const UseSets& use, const Observer& observer, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SETS_PASS_H_
