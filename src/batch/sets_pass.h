// Pass two: the feature sets of the documents that some pair needs, and the audit's exact join.
#ifndef LOOKALIKE_BATCH_SETS_PASS_H_
#define LOOKALIKE_BATCH_SETS_PASS_H_

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

  /// Adds the sets of the next unit's wanted documents.
  void AddPart(const RunPointer& run, const Unit& unit);

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

/// Reads the inputs again. `wanted` are flags by document number; `looks`, by document, are what
/// the audit compares. One unit for each of pass one.
Result<SetsPass> CollectSets(const Job& job, const DocumentUnits& units, Bitmap wanted,
                             const AuditIndex& audit, const std::vector<AuditLook>& looks,
                             const Observer& observer, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SETS_PASS_H_
