// Items of a list, and what their weights say of them.
#ifndef LOOKALIKE_STAGES_FEATURES_ITEMS_H_
#define LOOKALIKE_STAGES_FEATURES_ITEMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lookalike/status.h"
#include "stages/features/words.h"

namespace lookalike {

/// One item of a list.
struct ListItem {
  ByteSpan text;  ///< Its bytes, in the text that it was read from.
  double weight = 1;
  bool has_weight = false;
};

/// Finds the items of item text (flow/item_text.h). Text without U+001E and U+001F is a list of
/// lines: these end at "\n" or "\r\n", and empty ones are no items. What stands for a weight but is
/// no finite number is none. REQUIRES: text below 4 GiB.
void ReadItems(std::string_view text, std::vector<ListItem>* items);

/// What the weights of items, as ratings, make of a list (MMDS, section 3.1.3).
struct Ratings {
  enum class How : uint8_t {
    kOff,      ///< Weights do not count: each item is there.
    kAtLeast,  ///< Items that are rated below `high` are not there.
    kLiked,    ///< Rated `high` or more: liked. `low` or less: hated. Else: not there.
    kStars,    ///< An item is there as often as it has stars.
    kWeights,  ///< An item weighs what its weight says, counted in units.
  };
  How how = How::kOff;
  double high = 0, low = 0;
  bool operator==(const Ratings&) const = default;
};

/// "off", "at-least:3", "liked:4,2", "stars", "weights" -> Ratings; the Error says what is allowed.
Result<Ratings> ParseRatings(std::string_view text);

/// The text that ParseRatings turns into these.
std::string ToString(const Ratings& ratings);

/// What one item counts as.
struct RatedItem {
  std::string_view mark;  ///< Stands before its text; no item has it.
  uint32_t times = 0;     ///< How often it is there.
};

/// An item without a weight has no rating: it is there where ratings do not count, and only there.
/// Nor has one any stars whose weight is no whole number from 0 to kMostOccurrences.
RatedItem Rate(const Ratings& ratings, const ListItem& item);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_ITEMS_H_
