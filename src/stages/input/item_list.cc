#include "stages/input/item_list.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>

#include "text/decimal.h"

namespace lookalike {
namespace {

constexpr std::string_view kSeparatorInside =
    "contains U+001E or U+001F, which separate items; replace it";

constexpr size_t kLongText = size_t{8} << 20;

bool HasSeparator(std::string_view text) {
  return text.find_first_of(kItemSeparators) != std::string_view::npos;
}

}  // namespace

void ItemList::Begin() {
  // Frees the memory of a single huge list.
  if (text_.capacity() > kLongText) text_ = {};
  text_.clear();
  problem_.clear();
  items_ = 0;
  sum_.Begin();
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

bool ItemList::EndItem(char end) {
  text_ += end;
  ++items_;
  if (text_.size() <= most_bytes_) return true;
  problem_ = fmt::format(
      "the items are longer than the limit of {} bytes ($<max-record>, or what $<memory> has room "
      "for)",
      most_bytes_);
  return false;
}

bool ItemList::Add(std::string_view item) {
  if (weights_.kind != ItemWeights::kAny) {
    return Refuse("has no rating, expected [item, number] or an object of numbers ($<ratings>)");
  }
  return AddText(item) && EndItem(kItemEnd);
}

bool ItemList::Add(std::string_view item, std::string_view weight) {
  double number = 0;
  const auto read = std::from_chars(weight.data(), weight.data() + weight.size(), number);
  if (read.ec != std::errc() || !std::isfinite(number)) {
    return Refuse(fmt::format("has the weight {}, which is too large for a 64-bit number", weight));
  }
  if (const std::string why = sum_.Add(number, weight); !why.empty()) return Refuse(why);
  if (!AddText(item)) return false;
  text_ += kWeightBegin;
  text_ += CanonicalDecimal(weight);
  return EndItem(kItemEnd);
}

bool ItemList::AddNumber(std::string_view spelled) {
  text_ += spelled;
  return EndItem(' ');
}

bool ItemList::AddNumber(double number) {
  fmt::format_to(std::back_inserter(text_), "{}", number);
  return EndItem(' ');
}

std::string ProblemOfLines(std::string_view text, ItemWeights weights) {
  if (HasSeparator(text)) return std::string(kSeparatorInside);
  const bool rated =
      weights.kind == ItemWeights::kAny || text.find_first_not_of("\r\n") == std::string_view::npos;
  return rated ? std::string()
               : "is a string, whose items have no rating, expected a list of [item, number] or an "
                 "object of numbers ($<ratings>)";
}

}  // namespace lookalike
