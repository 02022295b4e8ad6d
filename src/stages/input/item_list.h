// The items of one list, on their way to becoming item text.
#ifndef LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_
#define LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "flow/item_text.h"
#include "flow/weight_sum.h"

namespace lookalike {

/// Makes item text (flow/item_text.h) of items one by one, and says why a list is none. Not
/// thread-safe.
class ItemList {
 public:
  /// `most_bytes`: what the text may have.
  explicit ItemList(ItemWeights weights = ItemWeights::kAny, uint64_t most_bytes = UINT64_MAX)
      : weights_(weights), most_bytes_(most_bytes), sum_(weights) {}

  /// Begins another list.
  void Begin();

  /// Adds an item without a weight, or with one: a number of JSON. False where the list is none;
  /// nothing may be added then.
  bool Add(std::string_view item);
  bool Add(std::string_view item, std::string_view weight);

  /// Adds a number, where all items are (ItemWeights::kNumbers): as it is spelled, or the shortest
  /// decimal that reads back as it. Blanks end numbers.
  bool AddNumber(std::string_view spelled);
  bool AddNumber(double number);

  /// Whether all items are numbers.
  [[nodiscard]] bool TakesNumbers() const { return weights_.kind == ItemWeights::kNumbers; }

  /// Says what is wrong with the next item: "is null, expected ...". Always false.
  bool Refuse(std::string_view why);

  /// Empty, or what is wrong with the list.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// The item text. Valid until the next Begin().
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

/// Why a string whose lines are items cannot be taken; empty where it can.
std::string ProblemOfLines(std::string_view text, ItemWeights weights);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_ITEM_LIST_H_
