// What edits of a text cost its resemblance, in closed form.
#ifndef LOOKALIKE_PLAN_EDITS_H_
#define LOOKALIKE_PLAN_EDITS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "lookalike/design_study.h"

namespace lookalike {

/// A text of n words, all distinct, in shingles of w words: S = n - w + 1 shingles.
class EditedText {
 public:
  enum class Edit { kRemoved, kRemovedEnd, kInserted, kReplaced, kChanged };
  static constexpr std::array kEdits = {Edit::kRemoved, Edit::kRemovedEnd, Edit::kInserted,
                                        Edit::kReplaced, Edit::kChanged};

  /// REQUIRES: words >= shingle >= 1.
  EditedText(uint64_t words, uint64_t shingle) : words_(words), shingle_(shingle) {}

  [[nodiscard]] uint64_t shingles() const { return words_ - shingle_ + 1; }

  /// The resemblance of the text and of what an edit of m words, none of which is in the text,
  /// makes of it; nothing where the text is too short for it.
  [[nodiscard]] std::optional<double> After(Edit edit, uint64_t m) const;

  /// The most words that leave a resemblance of `at` or more; none: 0 words and 1. REQUIRES: at >
  /// 0.
  [[nodiscard]] EditCost MostWords(Edit edit, double at) const;

 private:
  uint64_t words_, shingle_;
};

/// The member of EditCosts for an edit.
EditCost& CostOf(EditedText::Edit edit, EditCosts* costs);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_EDITS_H_
