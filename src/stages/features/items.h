// Items of a list, and how their weights count.
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

/// Finds the items of item text (records/item_text.h). Text without U+001E and U+001F is a list of
/// lines, which end at "\n" or "\r\n"; empty lines are not items. A weight that is not a finite
/// number is ignored. REQUIRES: text below 4 GiB.
void ReadItems(std::string_view text, std::vector<ListItem>* items);

/// A rule for reading the weights of items as ratings (MMDS, section 3.1.3).
struct Ratings {
  enum class How : uint8_t {
    kOff,      ///< Weights are ignored: every item counts once.
    kAtLeast,  ///< Items rated below `high` are left out.
    kLiked,    ///< Rated `high` or more: liked. `low` or less: hated. Otherwise left out.
    kStars,    ///< An item occurs as many times as it has stars.
    kWeights,  ///< An item has its weight, counted in units.
  };
  How how = How::kOff;
  double high = 0, low = 0;
  bool operator==(const Ratings&) const = default;
};

/// Parses "off", "at-least:3", "liked:4,2", "stars" or "weights"; the Error says what is allowed.
Result<Ratings> ParseRatings(std::string_view text);

/// Returns the text that ParseRatings turns into these.
std::string ToString(const Ratings& ratings);

/// The result of rating one item.
struct RatedItem {
  std::string_view mark;  ///< Prefix of the item's text; no item's own text has it.
  uint32_t times = 0;     ///< Number of times it occurs.
};

/// Rates one item. An item without a weight has no rating: it counts only where weights are
/// ignored. With kStars, a weight that is not a whole number from 0 to kMostOccurrences leaves the
/// item out.
RatedItem Rate(const Ratings& ratings, const ListItem& item);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_FEATURES_ITEMS_H_
