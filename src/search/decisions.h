// Decides about every document: steps 6 to 8.
#ifndef LOOKALIKE_SEARCH_DECISIONS_H_
#define LOOKALIKE_SEARCH_DECISIONS_H_

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "records/bitmap.h"
#include "records/records.h"
#include "search/clusters.h"
#include "search/keep_levels.h"
#include "search/search.h"

namespace lookalike {

/// A removed document and its witness, as document numbers.
struct DocRemoval {
  DocNumber doc, witness;
  double resemblance;
  RemovalKind kind;
  KeepLevel kept_by;                      ///< The level that decided for the witness.
  double in_witness = 1, of_witness = 1;  ///< As in Removal.

  bool operator<(const DocRemoval& other) const { return doc < other.doc; }
};

/// Two documents that both stay, and would not but for a guard.
struct GuardedPair {
  DocNumber a, d;  ///< `a` has the lower rank.
  double resemblance;
};

struct Decisions {
  RunPointer removals;  ///< Stream 0: DocRemoval, by document.
  uint64_t removed_exact = 0, removed_near = 0;
  LevelCounts kept_by = {};  ///< Removals by what decided which document stays.
  Bitmap removed;            ///< By document number.
  ClusterTable clusters;
  /// With guards, stream 0: GuardedPair, by the ranks of d and a; else null.
  RunPointer guarded;

  /// Returns the number of guarded pairs.
  [[nodiscard]] uint64_t guarded_pairs() const {
    return guarded == nullptr ? 0 : guarded->bytes(0) / sizeof(GuardedPair);
  }

  /// Returns the removals of some documents, given in ascending order; documents that stay are not
  /// in the result.
  Result<std::map<DocNumber, DocRemoval>> RemovalsOf(std::span<const DocNumber> docs) const;
};

/// Decides which documents stay by one scan of the edges.
Result<Decisions> Decide(const Job& job, const SearchResult& search, Workspace* workspace);

/// Lists the guarded pairs whose documents both stay, if the search has guards.
Status ListGuarded(const SearchResult& search, Workspace* workspace, Decisions* decisions);

/// Returns the decisions that other removals make, given by document. Documents in clusters are
/// those that removals name.
Result<Decisions> DecideByRemovals(RunPointer removals, uint64_t documents, Workspace* workspace);

/// Stores decisions for the tasks that write the result, and records them.
Status RecordDecisions(const Decisions& decisions, Workspace* workspace);

/// Returns the recorded decisions about `documents` documents.
Result<Decisions> ReadDecisions(uint64_t documents, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_DECISIONS_H_
