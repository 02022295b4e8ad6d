// The items of one list, being turned into item text.
#ifndef LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_
#define LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "records/item_text.h"
#include "records/weight_sum.h"

namespace lookalike {

/// Builds item text (records/item_text.h) item by item, and says why a list is invalid. Not
/// thread-safe.
class ItemList {
 public:
  /// `most_bytes`: limit on the text.
  explicit ItemList(ItemWeights weights = ItemWeights::kAny, uint64_t most_bytes = UINT64_MAX)
      : weights_(weights), most_bytes_(most_bytes), sum_(weights) {}

  /// Begins a new list.
  void Begin();

  /// Adds an item, optionally with a weight: a JSON number. Returns false if the list is invalid;
  /// nothing may be added then.
  bool Add(std::string_view item);
  bool Add(std::string_view item, std::string_view weight);

  /// Adds a number, if all items are numbers (ItemWeights::kNumbers): as spelled, or the shortest
  /// decimal that reads back as it. Each number is followed by a blank.
  bool AddNumber(std::string_view spelled);
  bool AddNumber(double number);

  /// True if all items are numbers.
  [[nodiscard]] bool TakesNumbers() const { return weights_.kind == ItemWeights::kNumbers; }

  /// Records what is wrong with the next item: "is null, expected ...". Always returns false.
  bool Refuse(std::string_view why);

  /// Returns what is wrong with the list, or empty.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// Returns the item text. Valid until the next Begin().
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  bool AddText(std::string_view item);
  bool EndItem(char end);

  ItemWeights weights_;
  uint64_t most_bytes_;
  std::string text_;
  std::string problem_;
  uint64_t items_ = 0;
  WeightSum sum_;
};

/// Returns why a string with one item per line is invalid; empty if it is valid.
std::string ProblemOfLines(std::string_view text, ItemWeights weights);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_
