// Step 1 of the definition of the kept set (ARCHITECTURE.md): classes of equal feature streams.
#ifndef LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
#define LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_

#include <compare>
#include <cstdint>
#include <optional>

#include "records/records.h"

namespace lookalike {

/// One document's entry in the search for exact copies.
struct ClassMember {
  StreamHash hash;
  Rank rank;
  uint64_t text_hash;  ///< Hash of the text field's bytes.
  auto operator<=>(const ClassMember&) const = default;
};

/// Finds the copies among sorted members: the lowest rank of each class represents it.
class ClassScan {
 public:
  /// If only pairs across two collections are wanted, a class is split at `split`, the first rank
  /// of the second collection, so that each side has a representative.
  explicit ClassScan(Rank split = 0) : split_(split) {}

  /// Returns this member as a copy, or nothing if it represents its class.
  std::optional<ExactCopy> Take(const ClassMember& member) {
    const bool across = rep_.rank < split_ && member.rank >= split_;
    if (!any_ || rep_.hash != member.hash || across) {
      rep_ = member;
      any_ = true;
      return std::nullopt;
    }
    return ExactCopy{rep_.rank, member.rank, rep_.text_hash == member.text_hash ? 1U : 0U};
  }

 private:
  Rank split_;
  ClassMember rep_ = {};
  bool any_ = false;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
