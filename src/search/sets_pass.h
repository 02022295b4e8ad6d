// Pass two: the feature sets of the documents that some pair needs, and the audit's exact join.
#ifndef LOOKALIKE_SEARCH_SETS_PASS_H_
#define LOOKALIKE_SEARCH_SETS_PASS_H_

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "records/bitmap.h"
#include "run/units.h"
#include "search/audit_sample.h"
#include "search/containment_audit.h"
#include "search/search_context.h"
#include "spill/columns.h"
#include "stages/verify/edges.h"

namespace lookalike {

/// The feature sets of some documents, wherever they are kept. Reading is safe from several
/// threads.
class StoredSets {
 public:
  StoredSets() = default;
  explicit StoredSets(Bitmap wanted) : wanted_(std::move(wanted)) {}

  /// Gets the numbers of features. REQUIRES: documents are ascending, and all of them are wanted.
  Status Sizes(std::span<const DocNumber> documents, std::vector<uint64_t>* sizes) const;

  /// Gets the sets themselves. REQUIRES: as for Sizes().
  Status Gather(std::span<const DocNumber> documents, DocumentSets* sets) const;

  [[nodiscard]] const RankedBitmap& wanted() const { return wanted_; }
  /// Returns the size of all sets in bytes.
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

  /// Adds the sets of the next unit's wanted documents: two streams of a run.
  void AddPart(const RunPointer& run, uint32_t ends, uint32_t sets, const Unit& unit);

  /// Frees the memory of the sets of a unit that are no longer `needed`; they count as empty from
  /// then on. Sets in files stay.
  Status Shrink(const Unit& unit, const std::function<bool(DocNumber)>& needed, RunStore* store);

 private:
  [[nodiscard]] std::vector<uint64_t> Positions(std::span<const DocNumber> documents) const;

  RankedBitmap wanted_;
  VariableColumn column_;
  uint64_t bytes_ = 0;
};

/// The questions of the audit, which the pass answers.
struct AuditQuestions {
  const AuditIndex& index;
  std::vector<AuditLook> looks;  ///< Documents to compare with the sample, by document.
  /// With guards: a document of each sampled class, in their order. (Classes at the end of the
  /// sample may have none.)
  std::vector<DocNumber> sampled;
  /// For containment: all searched documents are compared with the classes that they find here.
  std::optional<FeatureLookup> lookup;
};

struct SetsPass {
  StoredSets sets;  ///< For the wanted documents.
  AuditHits hits;
  /// If samples are compared: documents that have enough features, but none in the sample. They are
  /// in no pair.
  uint64_t unsampled_documents = 0;
};

/// A callback that uses the sets of a unit, and of the units before it, once they are available.
using UseSets = std::function<Status(const Unit&, StoredSets*)>;

/// Reads the inputs again. `wanted`: flags by document number. Makes one unit for each unit of pass
/// one, and passes each to `use` in turn.
Result<SetsPass> CollectSets(const SearchContext& context, Bitmap wanted,
                             const AuditQuestions& audit, const UseSets& use);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_SETS_PASS_H_
