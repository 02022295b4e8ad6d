// Step 1 of the definition of the kept set: documents with equal feature streams are one class.
#ifndef LOOKALIKE_SEARCH_CLASSES_PASS_H_
#define LOOKALIKE_SEARCH_CLASSES_PASS_H_

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "records/bitmap.h"
#include "run/job.h"
#include "run/units.h"
#include "run/workspace.h"
#include "search/keep_order.h"
#include "spill/sorter.h"

namespace lookalike {

struct DocumentClasses {
  /// Stream 0 of each: ExactCopy records by (rep, copy). No class is in two of them.
  std::vector<RunPointer> copies;
  uint64_t copy_count = 0;
  Bitmap reps;                ///< By document: it is searched and represents its class.
  Bitmap keyed;               ///< By document: it has keys and codes.
  std::vector<Rank> sampled;  ///< Representatives of the audit's classes, in their order.

  /// Adds copies. REQUIRES: `reps` still has them.
  Status AddCopies(const RunPointer& run, const Ranking& ranking);
};

/// A reader of all copies, by (rep, copy).
class CopyReader : public SortedMerge<ExactCopy, std::less<>> {
 public:
  explicit CopyReader(const DocumentClasses& classes)
      : SortedMerge(classes.copies, kMostBuffers, Repeats::kKeep) {}

 private:
  static constexpr uint64_t kMostBuffers = uint64_t{4} << 20;
};

/// The facts that class records state of each document.
struct DocumentFlags {
  Bitmap searched, keyed;     ///< By document.
  std::vector<Rank> sampled;  ///< As DocumentClasses::sampled.
};

/// The classes that are looked for: of all hashes, cut into `count` equal ranges, those `to_do`,
/// ascending.
struct ClassUnits {
  uint32_t count = 1;
  std::vector<size_t> to_do = {0};
};

/// A callback that takes the copies of a unit, by (rep, copy).
using TakeCopies = std::function<Status(size_t unit, const DocumentFlags&, Sorted<ExactCopy>*)>;

/// Finds the copies of some classes; if only pairs across two collections count, it does so
/// separately for each side. `sample`: the stream hashes of the audit's sample, ascending. Reads
/// all class records, and sorts those of the units.
Result<DocumentFlags> FindCopies(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                                 std::span<const StreamHash> sample, const ClassUnits& which,
                                 Workspace* workspace, const TakeCopies& take);

/// Returns the documents that have keys and codes.
Result<Bitmap> KeyedDocuments(const DocumentUnits& units);

/// Finds all classes.
Result<DocumentClasses> FindClasses(const Job& job, const DocumentUnits& units,
                                    const Ranking& ranking, std::span<const StreamHash> sample,
                                    Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CLASSES_PASS_H_
