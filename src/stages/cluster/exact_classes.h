// Step 1 of the definition of the kept set (ARCHITECTURE.md): classes of equal feature streams.
#ifndef LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
#define LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_

#include <compare>
#include <cstdint>
#include <optional>

#include "flow/records.h"

namespace lookalike {

/// One document's part in the search for exact copies.
struct ClassMember {
  StreamHash hash;
  Rank rank;
  uint64_t text_hash;  ///< Of the text field's bytes.
  auto operator<=>(const ClassMember&) const = default;
};

/// Finds the copies among members that come sorted: the lowest rank of each class stands for it.
class ClassScan {
 public:
  /// The copy that this member is, or nothing where it stands for its class.
  std::optional<ExactCopy> Take(const ClassMember& member) {
    if (!rep_ || rep_->hash != member.hash) {
      rep_ = member;
      return std::nullopt;
    }
    return ExactCopy{rep_->rank, member.rank, rep_->text_hash == member.text_hash ? 1U : 0U};
  }

 private:
  std::optional<ClassMember> rep_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_EXACT_CLASSES_H_
