// Step 1 of the definition of the kept set (ARCHITECTURE.md): classes of equal feature streams.
#ifndef LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
#define LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "flow/records.h"

namespace lookalike {

/// One document's part in the search for exact copies.
struct ClassMember {
  StreamHash hash;
  Rank rank;
};

/// Groups members by hash and names the lowest rank of each group its representative. Sorts
/// `members` in place. The result is sorted by `copy`.
std::vector<ExactCopy> FindExactCopies(std::vector<ClassMember>* members);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
