#include "stages/input/item_list.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "text/decimal.h"

namespace lookalike {
namespace {

constexpr std::string_view kSeparatorInside =
    "holds U+001E or U+001F, which stand between items here; replace it";

constexpr size_t kLongText = size_t{8} << 20;

bool HasSeparator(std::string_view text) {
  return text.find_first_of(kItemSeparators) != std::string_view::npos;
}

}  // namespace

void ItemList::Begin() {
  // One huge list does not keep its memory for good.
  if (text_.capacity() > kLongText) text_ = {};
  text_.clear();
  problem_.clear();
  items_ = 0;
  occurrences_ = 0;
}

bool ItemList::Refuse(std::string_view why) {
  problem_ = fmt::format("item {} {}", items_ + 1, why);
  return false;
}

bool ItemList::AddText(std::string_view item) {
  if (HasSeparator(item)) return Refuse(kSeparatorInside);
  text_ += item;
  return true;
}

bool ItemList::EndItem() {
  text_ += kItemEnd;
  ++items_;
  if (text_.size() <= most_bytes_) return true;
  problem_ =
      fmt::format("the items are longer than the limit of {} bytes (--max-record)", most_bytes_);
  return false;
}

bool ItemList::Add(std::string_view item) {
  if (weights_.kind != ItemWeights::kAny) {
    return Refuse("has no rating, expected [item, number] or an object of numbers (--ratings)");
  }
  return AddText(item) && EndItem();
}

bool ItemList::Add(std::string_view item, std::string_view weight) {
  double number = 0;
  const auto read = std::from_chars(weight.data(), weight.data() + weight.size(), number);
  if (read.ec != std::errc() || !std::isfinite(number)) {
    return Refuse(fmt::format("has the weight {}, which no number of 64 bits holds", weight));
  }
  if (!CountWeight(number, weight)) return false;
  if (!AddText(item)) return false;
  text_ += kWeightBegin;
  text_ += CanonicalDecimal(weight);
  return EndItem();
}

bool ItemList::CountWeight(double number, std::string_view weight) {
  const bool counts = weights_.kind == ItemWeights::kCounts;
  if (!counts && weights_.kind != ItemWeights::kSums) return true;
  if (number < 0 || (counts && number != std::floor(number))) {
    return Refuse(fmt::format("is rated {}, expected a {} of 0 or more (--ratings {})", weight,
                              counts ? "whole number" : "number", counts ? "stars" : "weights"));
  }
  occurrences_ += number / weights_.unit;
  if (occurrences_ <= static_cast<double>(kMostOccurrences)) return true;
  if (!counts) {
    return Refuse(
        fmt::format("weighs {}, and the list has more than {} units then, the most that it may "
                    "have; give a larger --weight-unit",
                    weight, kMostOccurrences));
  }
  return Refuse(
      fmt::format("is rated {}, and the list has more than {} stars then, the most that "
                  "--ratings stars takes",
                  weight, kMostOccurrences));
}

std::string ProblemOfLines(std::string_view text, ItemWeights weights) {
  if (HasSeparator(text)) return std::string(kSeparatorInside);
  const bool rated =
      weights.kind == ItemWeights::kAny || text.find_first_not_of("\r\n") == std::string_view::npos;
  return rated ? std::string()
               : "is a string, whose items have no rating, expected a list of [item, number] or an "
                 "object of numbers (--ratings)";
}

}  // namespace lookalike
