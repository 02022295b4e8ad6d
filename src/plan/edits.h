// The effect of edits on the resemblance of a text, in closed form.
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

  /// Returns the resemblance of the text before and after an edit of m words that are new to the
  /// text; nothing if the text is too short for the edit.
  [[nodiscard]] std::optional<double> After(Edit edit, uint64_t m) const;

  /// Returns the most words that leave a resemblance of `at` or more; if there are none, 0 words
  /// and resemblance 1. REQUIRES: at > 0.
  [[nodiscard]] EditCost MostWords(Edit edit, double at) const;

 private:
  uint64_t words_, shingle_;
};

/// Returns the member of EditCosts for an edit.
EditCost& CostOf(EditedText::Edit edit, EditCosts* costs);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_EDITS_H_
