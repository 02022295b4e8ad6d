#include "stages/features/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "records/item_text.h"

namespace lookalike {
namespace {

using How = Ratings::How;

/// No item holds U+001F, so no plain item can be mistaken for a marked one.
constexpr std::string_view kLiked = "liked\x1F", kHated = "hated\x1F";

bool ParseNumber(std::string_view text, double* number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, *number);
  return read.ec == std::errc() && read.ptr == end && std::isfinite(*number);
}

ByteSpan SpanOf(size_t begin, size_t end) {
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

ListItem ReadItem(std::string_view text, size_t begin, size_t end) {
  // Searches within the item only: searching all that follows would make long lists quadratic.
  const size_t found = text.substr(begin, end - begin).find(kWeightBegin);
  const size_t weight = found == std::string_view::npos ? end : begin + found;
  ListItem item{SpanOf(begin, weight)};
  double number = 0;
  item.has_weight = weight < end && ParseNumber(text.substr(weight + 1, end - weight - 1), &number);
  if (item.has_weight) item.weight = number;
  return item;
}

void ReadLines(std::string_view text, std::vector<ListItem>* items) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t line_end = std::min(text.find('\n', begin), text.size());
    const size_t end = line_end - (line_end > begin && text[line_end - 1] == '\r' ? 1 : 0);
    if (end > begin) items->push_back({SpanOf(begin, end)});
    begin = line_end + 1;
  }
}

Result<Ratings> ParseNumbers(std::string_view name, std::string_view numbers) {
  Ratings ratings;
  if (name == "at-least" && ParseNumber(numbers, &ratings.high)) {
    ratings.how = How::kAtLeast;
    return ratings;
  }
  const size_t comma = std::min(numbers.find(','), numbers.size());
  if (name == "liked" && comma < numbers.size() &&
      ParseNumber(numbers.substr(0, comma), &ratings.high) &&
      ParseNumber(numbers.substr(comma + 1), &ratings.low) && ratings.low < ratings.high) {
    ratings.how = How::kLiked;
    return ratings;
  }
  return OptionError(
      fmt::format("$<ratings='{}:{}'> is not understood; use off, at-least:X, liked:X,Y with Y "
                  "below X, stars or weights",
                  name, numbers));
}

}  // namespace

void ReadItems(std::string_view text, std::vector<ListItem>* items) {
  items->clear();
  if (text.find_first_of(kItemSeparators) == std::string_view::npos) return ReadLines(text, items);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(kItemEnd, begin), text.size());
    items->push_back(ReadItem(text, begin, end));
    begin = end + 1;
  }
}

Result<Ratings> ParseRatings(std::string_view text) {
  if (text == "off") return Ratings{};
  if (text == "stars") return Ratings{How::kStars};
  if (text == "weights") return Ratings{How::kWeights};
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    return ParseNumbers(text.substr(0, colon), text.substr(colon + 1));
  }
  return OptionError(fmt::format(
      "$<ratings='{}'> is not allowed; use off, at-least:X, liked:X,Y, stars or weights", text));
}

std::string ToString(const Ratings& ratings) {
  switch (ratings.how) {
    case How::kAtLeast:
      return fmt::format("at-least:{}", ratings.high);
    case How::kLiked:
      return fmt::format("liked:{},{}", ratings.high, ratings.low);
    case How::kStars:
      return "stars";
    case How::kWeights:
      return "weights";
    case How::kOff:
      break;
  }
  return "off";
}

RatedItem Rate(const Ratings& ratings, const ListItem& item) {
  if (ratings.how == How::kOff) return {{}, 1};
  if (!item.has_weight) return {};
  switch (ratings.how) {
    case How::kAtLeast:
      return {{}, item.weight >= ratings.high ? 1U : 0U};
    case How::kLiked:
      if (item.weight >= ratings.high) return {kLiked, 1};
      return {kHated, item.weight <= ratings.low ? 1U : 0U};
    case How::kWeights:
      return {{}, item.weight > 0 ? 1U : 0U};
    default: {
      constexpr auto kMost = static_cast<double>(kMostOccurrences);
      const bool counts = item.weight >= 0 && item.weight <= kMost;
      const auto times = counts ? static_cast<uint32_t>(item.weight) : 0;
      return {{}, static_cast<double>(times) == item.weight ? times : 0};
    }
  }
}

}  // namespace lookalike
