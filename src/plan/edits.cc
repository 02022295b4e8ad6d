#include "plan/edits.h"

#include <algorithm>

namespace lookalike {
namespace {

double Share(uint64_t common, uint64_t all) {
  return static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace

std::optional<double> EditedText::After(Edit edit, uint64_t m) const {
  const uint64_t all = shingles();
  if (m == 0) return 1;
  // Shingles that span the place of an edit in the middle, in addition to the m that begin in it.
  const uint64_t margins = 2 * (shingle_ - 1);
  switch (edit) {
    case Edit::kRemoved:
      if (m + margins > words_) return std::nullopt;
      return Share(words_ - margins - m, words_);
    case Edit::kRemovedEnd:
      if (m >= all) return std::nullopt;
      return Share(all - m, all);
    case Edit::kInserted:
      if (margins > words_) return std::nullopt;
      return Share(words_ - margins, words_ + m);
    case Edit::kReplaced:
      if (m + margins > words_) return std::nullopt;
      return Share(words_ - margins - m, words_ + m);
    case Edit::kChanged:
      // Each changed word is in W shingles, and no shingle contains two.
      if (m * shingle_ > all) return std::nullopt;
      return Share(all - shingle_ * m, all + shingle_ * m);
  }
  return std::nullopt;
}

EditCost EditedText::MostWords(Edit edit, double at) const {
  // Above this, every edit leaves less resemblance, or does not fit.
  uint64_t low = 0, high = static_cast<uint64_t>(static_cast<double>(words_) / at) + 1;
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    const auto left = After(edit, middle);
    if (left && *left >= at) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return {low, After(edit, low).value_or(0)};
}

EditCost& CostOf(EditedText::Edit edit, EditCosts* costs) {
  switch (edit) {
    case EditedText::Edit::kRemoved:
      return costs->removed;
    case EditedText::Edit::kRemovedEnd:
      return costs->removed_end;
    case EditedText::Edit::kInserted:
      return costs->inserted;
    case EditedText::Edit::kReplaced:
      return costs->replaced;
    case EditedText::Edit::kChanged:
      break;
  }
  return costs->changed;
}

}  // namespace lookalike
