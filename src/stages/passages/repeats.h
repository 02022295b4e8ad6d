// Finds all runs of words that stand at more than one place, as long as they can be.
#ifndef LOOKALIKE_STAGES_PASSAGES_REPEATS_H_
#define LOOKALIKE_STAGES_PASSAGES_REPEATS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/passages/run_samples.h"
#include "stages/passages/text_parts.h"

namespace lookalike {

/// A sample that occurs more than once.
struct RunMember {
  uint64_t group = 0;     ///< The same for samples of equal hashes, and in the order of the hashes.
  uint64_t position = 0;  ///< In TextParts.
  /// The windows that give this sample begin so many words before it. None if the first number is
  /// larger than the second.
  uint32_t least_before = 0, most_before = 0;
};

/// Fills in `least_before` and `most_before` of the samples of one document, by place, that occur
/// more than once. A run that stands at two places begins with a window of which the sample is one
/// of these, so others need not be known. `words`: the first word of each.
void FindWindows(const RunSampling& sampling, std::span<const uint32_t> words,
                 std::span<RunMember> members);

/// A run of words with all of its places. At one of them at least, no longer run around it stands
/// anywhere else.
struct FoundPassage {
  uint64_t words = 0;
  uint64_t places = 0;
  /// The positions of its first places: those that are not in the reference come first.
  std::vector<uint64_t> listed;
};

/// A run of words that can go, because it stands earlier too.
struct RedundantRun {
  uint64_t position = 0;
  uint64_t words = 0;
  /// Where the same words begin, before `position`. They can overlap the run if a text repeats a
  /// row of words. A part that goes then must be no longer than the row, because a longer part
  /// overlaps the place where its words stay.
  uint64_t earlier = 0;
};

/// One of the places of a passage at which no longer run stands elsewhere.
struct PassageHere {
  uint64_t position = 0;
  size_t passage = 0;  ///< Its index among the passages of the group.
};

/// The runs that a group of equal samples leads to.
struct FoundRepeats {
  std::vector<FoundPassage> passages;
  std::vector<PassageHere> here;
  std::vector<RedundantRun> redundant;

  void Clear();
};

/// Finds the repeated runs that begin with the samples of a group. Let L(p) be the length of the
/// longest run from word p on that stands elsewhere too. Passages are the runs [p, p + L(p)) of
/// least_words() words or more for which L(p) is not less than L(p - 1): those that are in no
/// longer one at their place. Every run that stands at two places is in a passage at each of them.
///
/// Each passage is found once, from the sample of its first window, as this depends on its words
/// alone. The samples of a group are sorted by the words after them, and divided by the words
/// before them; the longest common run of a sample is then that with one of its neighbours. The
/// time for a group of m samples is O(m log m) for each number of words at which some of them begin
/// to differ to the left, at most window + 1; groups whose samples are all inside of the same run
/// are passed over.
class RepeatFinder {
 public:
  struct Settings {
    RunSampling sampling;
    uint64_t reference_end = 0;    ///< Lower positions are in the reference.
    size_t most_listed = 100;      ///< Places that are listed of a passage.
    bool finds_redundant = false;  ///< RedundantRuns are wanted.
  };

  RepeatFinder(const TextParts& parts, const Settings& settings)
      : parts_(parts), settings_(settings) {}

  /// Replaces `found` by what a group leads to. `members`: all samples of a group, by position.
  void Find(std::span<const RunMember> members, FoundRepeats* found);

 private:
  /// A sample of the group, and its part: two numbers, as a group may have very many.
  struct Place {
    uint32_t member = 0, part = 0;
  };
  /// The most equal words after a place, over earlier places that are considered so far.
  struct LongestEarlier {
    uint64_t other_document = 0, same_document = 0;  ///< Earlier places only.
    uint64_t first = UINT64_MAX;                     ///< The position of the first of all.
    uint64_t period = 0;  ///< How far before it is the place of `same_document`; 0: none.
  };
  using Indices = std::vector<uint32_t>;  ///< Indices of places_, in the order of words.

  bool TakePlaces(std::span<const RunMember> members);
  void SortByWordsAfter();
  void SortByWordsBefore();
  [[nodiscard]] const RunMember& MemberAt(uint32_t place) const {
    return members_[places_[place].member];
  }
  [[nodiscard]] uint64_t PositionAt(uint32_t place) const { return MemberAt(place).position; }
  [[nodiscard]] const TextPart& PartAt(uint32_t place) const {
    return parts_.parts()[places_[place].part];
  }
  [[nodiscard]] DocNumber DocAt(uint32_t place) const { return PartAt(place).doc; }
  [[nodiscard]] uint64_t EqualAfter(uint32_t a, uint32_t b) const;
  void ConsiderClasses(uint32_t before, bool emits);
  void ConsiderClass(uint32_t before, bool emits);
  void FindLongest(uint32_t before, bool emits);
  void FindPassages(uint32_t before);
  void FindFirst(uint32_t before);
  void AddFirst(uint32_t place, uint32_t before, bool emits);
  [[nodiscard]] uint64_t RowOf(uint64_t period) const;
  [[nodiscard]] bool IsOfOneRow(uint32_t place, uint32_t first) const;
  void FindEarlier(uint32_t before, bool emits);
  void FindEarlierIn(const Indices& some, bool same_document, uint32_t before, bool emits);
  void AddRedundant(uint32_t place, uint32_t earlier, uint32_t before, uint64_t words);
  [[nodiscard]] bool IsStart(uint32_t place, uint32_t before, uint64_t words) const;
  [[nodiscard]] uint64_t ListKey(uint32_t place, uint32_t before) const;

  const TextParts& parts_;
  Settings settings_;
  FoundRepeats* found_ = nullptr;
  std::span<const RunMember> members_;
  std::vector<Place> places_;           ///< By the words after them.
  Indices by_before_;                   ///< By the words before them.
  std::vector<uint32_t> equal_before_;  ///< Words that each has like the one before.
  std::vector<uint64_t> longest_;       ///< By place: the most equal words after it so far.
  std::vector<LongestEarlier> longest_earlier_;  ///< By place, if redundant runs are wanted.
  Indices first_;                                ///< By place: the first one with the same words.
  // The class that is considered: places with the same words before them.
  Indices class_;
  std::vector<uint64_t> equal_after_;  ///< Words that each has like the one before.
  std::vector<uint64_t> class_longest_;
  std::vector<bool> starts_;
  // Scratch memory.
  Indices some_, smaller_before_, smaller_after_, stack_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_PASSAGES_REPEATS_H_
