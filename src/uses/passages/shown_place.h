// Places of passages with what is around them, for people.
#ifndef LOOKALIKE_USES_PASSAGES_SHOWN_PLACE_H_
#define LOOKALIKE_USES_PASSAGES_SHOWN_PLACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace lookalike {

/// The report shows so many passages, and so many places of each.
inline constexpr uint64_t kShownPassages = 200, kShownPlaces = 3;

/// A place of a passage in its surroundings. A passage that is too long is shown without its
/// middle.
struct ShownPlace {
  uint64_t name = 0;   ///< The number of its document's name (DocNames).
  uint64_t bytes = 0;  ///< Bytes of the passage here.
  std::string before, head, tail, after;
  bool lacks_middle = false;  ///< There is text between head and tail.
  bool continues_before = false, continues_after = false;
};

/// By passage and by the place's number among its listed ones.
using ShownPlaces = std::map<std::pair<uint64_t, uint64_t>, ShownPlace>;

/// Returns the place of the code points from `begin` to before `end`. REQUIRES: `text` is UTF-8.
ShownPlace ShowPlace(std::string_view text, uint64_t begin, uint64_t end);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_SHOWN_PLACE_H_
