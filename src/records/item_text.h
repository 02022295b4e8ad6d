// A list of items as text: the form in which it goes from a reader to the fingerprint.
//
// Each item is followed by U+001E (INFORMATION SEPARATOR TWO, "record separator"). If it has a
// weight, U+001F and the weight, a decimal number, come between the two. Empty text has no items.
#ifndef LOOKALIKE_RECORDS_ITEM_TEXT_H_
#define LOOKALIKE_RECORDS_ITEM_TEXT_H_

#include <cstdint>
#include <string_view>

namespace lookalike {

inline constexpr char kItemEnd = '\x1E';      ///< After each item.
inline constexpr char kWeightBegin = '\x1F';  ///< Between an item and its weight.
inline constexpr std::string_view kItemSeparators = "\x1E\x1F";

/// Most occurrences of all items of a list together, where weights count occurrences.
inline constexpr uint64_t kMostOccurrences = uint64_t{1} << 20;

/// The form in which a reader takes the text field.
enum class TextForm : uint8_t {
  kText,     ///< A string.
  kItems,    ///< A list, turned into item text; or a string, unchanged, whose lines are items.
  kNumbers,  ///< A list of numbers, turned into blank-separated text; or a string, unchanged.
  kValue,    ///< One string, number or boolean, as text; also used for numbers in the id field.
};

/// The rule of a reader for the weights of items.
struct ItemWeights {
  enum Kind : uint8_t {
    kAny,      ///< Optional. Each is a finite number.
    kNeeded,   ///< Each item has a weight.
    kCounts,   ///< Each item has a weight, a whole number of 0 or more, kMostOccurrences in all.
    kSums,     ///< Each item has a weight of 0 or more, kMostOccurrences units in all.
    kNumbers,  ///< Items are numbers, none of which has a weight (TextForm::kNumbers).
  };
  // NOLINTNEXTLINE(google-explicit-constructor): usually just a kind is given.
  constexpr ItemWeights(Kind which = kAny, double size_of_unit = 1)
      : kind(which), unit(size_of_unit) {}
  Kind kind;
  double unit;  ///< For kSums.
};

}  // namespace lookalike

#endif  // LOOKALIKE_RECORDS_ITEM_TEXT_H_
