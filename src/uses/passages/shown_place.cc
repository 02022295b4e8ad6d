#include "uses/passages/shown_place.h"

#include <algorithm>

#include "stages/features/words.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

/// Code points that are shown of what is before and after a passage, and of its two ends.
constexpr uint64_t kAround = 80, kHead = 300, kTail = 120;

/// Returns the first byte from `byte` on that follows white space, or `byte` if none does.
size_t BeginOfWord(std::string_view text, size_t byte, size_t end) {
  for (size_t at = byte; at < end;) {
    const CodePoint next = ReadValidCodePoint(text.data() + at);
    at += next.length;
    if (IsWhiteSpace(next.value)) return at;
  }
  return byte;
}

/// Returns the last byte before `byte` at which white space begins, or `byte` if there is none.
size_t EndOfWord(std::string_view text, size_t begin, size_t byte) {
  size_t end = byte;
  for (size_t at = begin; at < byte;) {
    const CodePoint next = ReadValidCodePoint(text.data() + at);
    if (IsWhiteSpace(next.value)) end = at;
    at += next.length;
  }
  return end;
}

}  // namespace

ShownPlace ShowPlace(std::string_view text, uint64_t begin, uint64_t end) {
  const uint64_t left = std::min(begin, kAround);
  const size_t outer = SkipCodePoints(text, 0, begin - left);
  const size_t first = SkipCodePoints(text, outer, left);
  const size_t last = SkipCodePoints(text, first, end - begin);
  const size_t behind = SkipCodePoints(text, last, kAround);
  ShownPlace place;
  place.bytes = last - first;
  place.continues_before = outer > 0;
  place.continues_after = behind < text.size();
  const size_t from = place.continues_before ? BeginOfWord(text, outer, first) : outer;
  const size_t to = place.continues_after ? EndOfWord(text, last, behind) : behind;
  place.before = text.substr(from, first - from);
  place.after = text.substr(last, to - last);
  place.lacks_middle = end - begin > kHead + kTail;
  if (!place.lacks_middle) {
    place.head = text.substr(first, last - first);
    return place;
  }
  const size_t head = SkipCodePoints(text, first, kHead);
  const size_t tail = SkipCodePoints(text, head, end - begin - kHead - kTail);
  place.head = text.substr(first, EndOfWord(text, first, head) - first);
  const size_t tail_word = BeginOfWord(text, tail, last);
  place.tail = text.substr(tail_word, last - tail_word);
  return place;
}

}  // namespace lookalike
