// Runs of words in documents, as they pass between the steps of a search for passages. With
// PassageRules::min_chars a word is a character.
#ifndef LOOKALIKE_USES_PASSAGES_PLACES_H_
#define LOOKALIKE_USES_PASSAGES_PLACES_H_

#include <compare>
#include <cstdint>
#include <tuple>

#include "records/records.h"

namespace lookalike {

/// A run of words in a document.
struct WordRun {
  DocNumber doc = 0;
  uint32_t word = 0;  ///< Its first word, from 0.
  uint32_t words = 0;
  auto operator<=>(const WordRun&) const = default;
};

/// One of the listed places of a passage. Records of one passage follow each other, those of the
/// passage with the largest saving first.
struct ListedPlace {
  uint64_t saving = 0;  ///< Words of all places but one.
  uint64_t first = 0;   ///< The position of the passage's first place, which tells passages apart.
  uint64_t words = 0;   ///< Words of the passage.
  uint64_t places = 0;  ///< Places of the passage, listed or not.
  uint64_t order = 0;   ///< Number of this place among the listed, from 0.
  WordRun run;

  [[nodiscard]] bool IsOfSamePassage(const ListedPlace& other) const {
    return first == other.first && words == other.words;
  }
  std::strong_ordering operator<=>(const ListedPlace& other) const {
    if (saving != other.saving) return other.saving <=> saving;
    if (first != other.first) return first <=> other.first;
    if (words != other.words) return words <=> other.words;
    return order <=> other.order;
  }
  bool operator==(const ListedPlace& other) const { return (*this <=> other) == 0; }
};

/// A place of a passage at which no longer run stands elsewhere. In the order of ListedPlaces.
struct PassagePlace {
  uint64_t saving = 0, first = 0, words = 0;  ///< As in ListedPlace.
  DocNumber doc = 0;
  uint64_t word = 0;
  bool is_first = false;  ///< The passage's first place is this one.
  bool operator<(const PassagePlace& other) const {
    if (saving != other.saving) return saving > other.saving;
    if (first != other.first) return first < other.first;
    return std::tie(words, doc, word) < std::tie(other.words, other.doc, other.word);
  }
};

/// The same, with the number of the passage. By document.
struct NumberedPlace {
  WordRun run;
  uint64_t passage = 0;
  bool is_first = false;
  auto operator<=>(const NumberedPlace&) const = default;
};

/// A passage, by its number.
struct NumberedPassage {
  uint64_t words = 0, places = 0, listed = 0;
};

/// The order of a run that ends with its last word, and not behind the white space after that.
inline constexpr uint64_t kToItsEnd = UINT64_MAX;

/// A run of words that is to be found in its text. By document.
struct RunToLocate {
  WordRun run;
  uint64_t owner = 0;  ///< The passage, or the cut, that it belongs to.
  uint64_t order = 0;  ///< Its number there, or kToItsEnd.
  auto operator<=>(const RunToLocate&) const = default;
};

/// The place of a run in its text. By owner.
struct LocatedRun {
  uint64_t owner = 0, order = 0;
  uint64_t name = 0;            ///< The number of its document's name (DocNames).
  uint64_t begin = 0, end = 0;  ///< Code points.
  uint64_t hash = 0;            ///< The hash of its words (HashRun).
  auto operator<=>(const LocatedRun&) const = default;
};

/// A run that stands earlier too. By document, which both places name by its rank.
struct RedundantPlace {
  WordRun run;
  Rank earlier_doc = 0;
  uint64_t earlier_word = 0;
  auto operator<=>(const RedundantPlace&) const = default;
};

/// The facts about a cut besides its place.
struct CutFact {
  LocatedRun stays;      ///< Where the same words stay.
  uint64_t passage = 0;  ///< The passage that it begins in.
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_PLACES_H_
