// What was decided about every document, in input order: steps 6 to 8.
#ifndef LOOKALIKE_BATCH_DECISIONS_H_
#define LOOKALIKE_BATCH_DECISIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batch/search.h"
#include "flow/records.h"
#include "stages/cluster/groups.h"

namespace lookalike {

/// A removed document and its witness, as document numbers.
struct DocRemoval {
  DocNumber doc, witness;
  double resemblance;
  RemovalKind kind;
};

struct Decisions {
  std::vector<DocRemoval> removals;  ///< By doc.
  std::vector<bool> removed;         ///< By document number.
  Clusters clusters;
  /// (document, cluster number from 1) of every document in a cluster, by document.
  std::vector<std::pair<DocNumber, uint64_t>> cluster_of;

  /// The removal of a document, or null where it stays.
  [[nodiscard]] const DocRemoval* RemovalOf(DocNumber doc) const;
  /// The cluster number of a document, or 0.
  [[nodiscard]] uint64_t ClusterOf(DocNumber doc) const;
};

/// `components`: group clusters by connected components instead of by leader.
Decisions Decide(const SearchResult& search, bool components);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_DECISIONS_H_
