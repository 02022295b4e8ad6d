// A list of items as text: the form in which it goes from a reader to the fingerprint.
//
// Each item is followed by U+001E (INFORMATION SEPARATOR TWO, "record separator"). Where it has a
// weight, U+001F and the weight, a decimal number, stand between the two. Empty text has no items.
#ifndef LOOKALIKE_FLOW_ITEM_TEXT_H_
#define LOOKALIKE_FLOW_ITEM_TEXT_H_

#include <cstdint>
#include <string_view>

namespace lookalike {

inline constexpr char kItemEnd = '\x1E';      ///< Behind each item.
inline constexpr char kWeightBegin = '\x1F';  ///< Between an item and its weight.
inline constexpr std::string_view kItemSeparators = "\x1E\x1F";

/// Occurrences that the items of one list may have together, where weights say how many each has.
inline constexpr uint64_t kMostOccurrences = uint64_t{1} << 20;

/// What a reader takes the text field for.
enum class TextForm : uint8_t {
  kText,   ///< A string.
  kItems,  ///< A list, made item text; or a string, whose lines are items and which stays as it is.
  kNumbers,  ///< A list of numbers, made text with blanks between them; or a string as it stands.
  kValue,    ///< One string, number or boolean, as text; of the id field numbers are taken so too.
};

/// What a reader asks of the weights of items.
struct ItemWeights {
  enum Kind : uint8_t {
    kAny,      ///< There may be some. Each is a finite number.
    kNeeded,   ///< Each item has one.
    kCounts,   ///< Each item has one, a whole number of 0 or more, kMostOccurrences in all.
    kSums,     ///< Each item has one of 0 or more, kMostOccurrences units in all.
    kNumbers,  ///< Items are numbers, of which none has a weight (TextForm::kNumbers).
  };
  // NOLINTNEXTLINE(google-explicit-constructor): a kind is most of it.
  constexpr ItemWeights(Kind which = kAny, double size_of_unit = 1)
      : kind(which), unit(size_of_unit) {}
  Kind kind;
  double unit;  ///< With kSums.
};

}  // namespace lookalike

#endif  // LOOKALIKE_FLOW_ITEM_TEXT_H_
