#include "stages/passages/repeats.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace lookalike {
namespace {

constexpr uint64_t kInReference = uint64_t{1} << 63;  ///< In a key of places: these come last.
constexpr uint32_t kNone = UINT32_MAX;

/// An interval of the places of a class of which all have so many equal words after them, and its
/// places so far.
struct OpenInterval {
  uint64_t words = 0;
  uint64_t places = 0;
  std::vector<uint64_t> listed;  ///< The least keys, ascending.
  std::vector<uint32_t> starts;  ///< Places at which it is a passage of its own.
};

/// Merges ascending keys into others, and keeps the least.
void MergeLeast(std::span<const uint64_t> more, size_t most, std::vector<uint64_t>* keys) {
  if (more.empty() || (keys->size() >= most && more.front() >= keys->back())) return;
  const auto middle = static_cast<ptrdiff_t>(keys->size());
  keys->insert(keys->end(), more.begin(), more.end());
  std::inplace_merge(keys->begin(), keys->begin() + middle, keys->end());
  if (keys->size() > most) keys->resize(most);
}

}  // namespace

void FindWindows(const RunSampling& sampling, std::span<const uint32_t> words,
                 std::span<RunMember> members) {
  const uint32_t window = sampling.window;
  std::vector<size_t> open;  // samples that no later one has replaced, by ascending group
  for (size_t i = 0; i < members.size(); ++i) {
    RunMember& member = members[i];
    member.least_before = 0;
    member.most_before = std::min(window - 1, words[i]);
    while (!open.empty() && members[open.back()].group >= member.group) {
      const uint32_t words_between = words[i] - words[open.back()];
      if (words_between < window) members[open.back()].least_before = window - words_between;
      open.pop_back();
    }
    if (!open.empty()) {
      member.most_before = std::min(member.most_before, words[i] - words[open.back()] - 1);
    }
    open.push_back(i);
  }
}

void FoundRepeats::Clear() {
  passages.clear();
  here.clear();
  redundant.clear();
}

void RepeatFinder::Find(std::span<const RunMember> members, FoundRepeats* found) {
  found->Clear();
  found_ = found;
  if (!TakePlaces(members)) return;
  SortByWordsAfter();
  SortByWordsBefore();
  longest_.assign(places_.size(), 0);
  if (settings_.finds_redundant) longest_earlier_.assign(places_.size(), {});
  if (settings_.finds_redundant) first_.resize(places_.size());
  const uint32_t window = settings_.sampling.window;
  ConsiderClasses(window, false);
  std::vector<uint32_t> borders(equal_before_.begin() + 1, equal_before_.end());
  std::ranges::sort(borders, std::greater<>());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  for (const uint32_t before : borders) {
    if (before < window) ConsiderClasses(before, true);
  }
}

/// Returns false if no passage begins with a sample of the group.
bool RepeatFinder::TakePlaces(std::span<const RunMember> members) {
  places_.clear();
  if (members.size() < 2 || members.back().position < settings_.reference_end) return false;
  members_ = members;
  bool inside = true;
  const uint32_t window = settings_.sampling.window;
  const auto& parts = parts_.parts();
  for (uint32_t i = 0; i < members.size(); ++i) {
    const uint64_t position = members[i].position;
    const auto part = static_cast<uint32_t>(&parts_.At(position) - parts.data());
    // A text that is shorter than it was before has lost the sample.
    if (position + settings_.sampling.length > parts[part].end()) continue;
    places_.push_back({i, part});
    inside = inside && parts_.CountEqualBefore(position, parts[part].first, PositionAt(0),
                                               PartAt(0).first, window) == window;
  }
  return !inside && places_.size() > 1;
}

uint64_t RepeatFinder::EqualAfter(uint32_t a, uint32_t b) const {
  return parts_.CountEqualAfter(PositionAt(a), PartAt(a).end(), PositionAt(b), PartAt(b).end());
}

void RepeatFinder::SortByWordsAfter() {
  std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
    const uint64_t at_a = members_[a.member].position, at_b = members_[b.member].position;
    if (at_a == at_b) return false;
    const uint64_t end_a = parts_.parts()[a.part].end(), end_b = parts_.parts()[b.part].end();
    const uint64_t equal = parts_.CountEqualAfter(at_a, end_a, at_b, end_b);
    const bool a_ends = at_a + equal == end_a, b_ends = at_b + equal == end_b;
    if (a_ends || b_ends) return a_ends && b_ends ? at_a < at_b : a_ends;
    return parts_.WordAt(at_a + equal) < parts_.WordAt(at_b + equal);
  });
}

void RepeatFinder::SortByWordsBefore() {
  const uint32_t window = settings_.sampling.window;
  const auto equal = [&](uint32_t a, uint32_t b) {
    return static_cast<uint32_t>(parts_.CountEqualBefore(PositionAt(a), PartAt(a).first,
                                                         PositionAt(b), PartAt(b).first, window));
  };
  by_before_.resize(places_.size());
  std::iota(by_before_.begin(), by_before_.end(), 0);
  std::sort(by_before_.begin(), by_before_.end(), [&](uint32_t a, uint32_t b) {
    if (a == b) return false;
    const uint32_t same = equal(a, b);
    if (same == window) return a < b;
    const uint64_t at_a = PositionAt(a) - same;
    const uint64_t at_b = PositionAt(b) - same;
    const bool a_ends = at_a == PartAt(a).first, b_ends = at_b == PartAt(b).first;
    if (a_ends || b_ends) return a_ends && b_ends ? a < b : a_ends;
    return parts_.WordAt(at_a - 1) < parts_.WordAt(at_b - 1);
  });
  equal_before_.assign(places_.size(), 0);
  for (size_t i = 1; i < by_before_.size(); ++i) {
    equal_before_[i] = equal(by_before_[i - 1], by_before_[i]);
  }
}

/// Considers all places that have `before` equal words before them as one class. Only classes that
/// have become larger are looked at, unless it is the first time.
void RepeatFinder::ConsiderClasses(uint32_t before, bool emits) {
  for (size_t begin = 0; begin < by_before_.size();) {
    size_t end = begin + 1;
    bool grew = !emits;
    while (end < by_before_.size() && equal_before_[end] >= before) {
      grew = grew || equal_before_[end] == before;
      ++end;
    }
    if (grew && end - begin > 1) {
      class_.assign(by_before_.begin() + static_cast<ptrdiff_t>(begin),
                    by_before_.begin() + static_cast<ptrdiff_t>(end));
      std::ranges::sort(class_);
      ConsiderClass(before, emits);
    }
    begin = end;
  }
}

void RepeatFinder::ConsiderClass(uint32_t before, bool emits) {
  equal_after_.assign(class_.size() + 1, 0);
  for (size_t i = 1; i < class_.size(); ++i) {
    equal_after_[i] = EqualAfter(class_[i - 1], class_[i]);
  }
  FindLongest(before, emits);
  if (emits) FindPassages(before);
  if (settings_.finds_redundant) FindEarlier(before, emits);
}

bool RepeatFinder::IsStart(uint32_t place, uint32_t before, uint64_t words) const {
  const RunMember& member = MemberAt(place);
  return before >= member.least_before && before <= member.most_before &&
         before + words >= settings_.sampling.least_words();
}

void RepeatFinder::FindLongest(uint32_t before, bool emits) {
  class_longest_.resize(class_.size());
  starts_.assign(class_.size(), false);
  for (size_t i = 0; i < class_.size(); ++i) {
    class_longest_[i] = std::max(equal_after_[i], equal_after_[i + 1]);
    uint64_t& longest = longest_[class_[i]];
    // With one word more before it, a shorter run is all that stands elsewhere: this one begins
    // here.
    starts_[i] =
        emits && longest < class_longest_[i] && IsStart(class_[i], before, class_longest_[i]);
    longest = class_longest_[i];
  }
}

uint64_t RepeatFinder::ListKey(uint32_t place, uint32_t before) const {
  const uint64_t position = PositionAt(place);
  return (position < settings_.reference_end ? kInReference : 0) | (position - before);
}

/// Goes through the intervals of equal words of the class, from the inside out (Abouelhoda, Kurtz
/// and Ohlebusch, "Replacing suffix trees with enhanced suffix arrays", 2004, algorithm 4.4).
void RepeatFinder::FindPassages(uint32_t before) {
  if (std::ranges::find(starts_, true) == starts_.end()) return;
  std::vector<OpenInterval> open(1);
  const auto add_place = [&](size_t i) {
    // A place belongs to the innermost interval that it shares with a neighbour.
    OpenInterval& inner = open.back();
    const uint64_t key = ListKey(class_[i], before);
    MergeLeast({&key, 1}, settings_.most_listed, &inner.listed);
    ++inner.places;
    if (starts_[i]) inner.starts.push_back(class_[i]);
  };
  const auto close = [&] {
    OpenInterval inner = std::move(open.back());
    open.pop_back();
    if (!inner.starts.empty() && inner.listed.front() < kInReference) {
      for (const uint32_t start : inner.starts) {
        found_->here.push_back({PositionAt(start) - before, found_->passages.size()});
      }
      FoundPassage passage{before + inner.words, inner.places, inner.listed};
      for (uint64_t& key : passage.listed) key &= ~kInReference;
      found_->passages.push_back(std::move(passage));
    }
    return inner;
  };
  const auto merge = [&](OpenInterval inner) {
    MergeLeast(inner.listed, settings_.most_listed, &open.back().listed);
    open.back().places += inner.places;
  };
  for (size_t i = 1; i <= class_.size(); ++i) {
    const uint64_t equal = equal_after_[i];
    std::vector<OpenInterval> closed;
    while (open.back().words > equal) {
      OpenInterval inner = close();
      if (open.back().words >= equal) {
        merge(std::move(inner));
      } else {
        closed.push_back(std::move(inner));
      }
    }
    if (open.back().words < equal) {
      open.emplace_back().words = equal;
      for (OpenInterval& inner : closed) merge(std::move(inner));
    }
    if (class_longest_[i - 1] == equal && equal_after_[i - 1] < equal) add_place(i - 1);
    if (i < class_.size() && class_longest_[i] == equal) add_place(i);
  }
}

/// Finds, for each place of the class, the first of all places of a run that is long enough: the
/// one that has lost the least by cuts.
void RepeatFinder::FindFirst(uint32_t before) {
  const uint64_t least = settings_.sampling.least_words();
  for (size_t begin = 0; begin < class_.size();) {
    size_t end = begin + 1;
    while (end < class_.size() && before + equal_after_[end] >= least) ++end;
    const auto first =
        *std::min_element(class_.begin() + static_cast<ptrdiff_t>(begin),
                          class_.begin() + static_cast<ptrdiff_t>(end),
                          [&](uint32_t a, uint32_t b) { return PositionAt(a) < PositionAt(b); });
    for (; begin < end; ++begin) first_[class_[begin]] = first;
  }
}

void RepeatFinder::FindEarlier(uint32_t before, bool emits) {
  FindFirst(before);
  FindEarlierIn(class_, false, before, emits);
  some_ = class_;
  std::ranges::stable_sort(some_, {}, [&](uint32_t place) { return DocAt(place); });
  for (size_t begin = 0; begin < some_.size();) {
    size_t end = begin + 1;
    while (end < some_.size() && DocAt(some_[end]) == DocAt(some_[begin])) ++end;
    if (end - begin > 1) {
      FindEarlierIn({some_.begin() + static_cast<ptrdiff_t>(begin),
                     some_.begin() + static_cast<ptrdiff_t>(end)},
                    true, before, emits);
    }
    begin = end;
  }
  for (const uint32_t place : class_) AddFirst(place, before, emits);
}

/// Adds the run of a place that the first place has too, unless that was done.
void RepeatFinder::AddFirst(uint32_t place, uint32_t before, bool emits) {
  const uint32_t first = first_[place];
  const uint64_t position = PositionAt(first);
  LongestEarlier& longest = longest_earlier_[place];
  if (place == first || position >= longest.first) return;
  longest.first = position;
  const uint64_t row = IsOfOneRow(place, first) ? RowOf(longest_earlier_[place].period) : 0;
  // The place where a row of repetitions begins has the redundant runs of all of it but its front.
  // Those of each other place would be as many again.
  if (row > 0 && PositionAt(place) - position >= 2 * row) return;
  const uint64_t words = EqualAfter(place, first);
  if (emits && IsStart(place, before, words) && PositionAt(place) >= settings_.reference_end) {
    const uint64_t run = before + words;
    AddRedundant(place, first, before, row > 0 ? std::min(run, 6 * row) : run);
  }
}

/// Returns the length of the shortest row of a run of `period` words that is long enough.
uint64_t RepeatFinder::RowOf(uint64_t period) const {
  return (settings_.sampling.least_words() + period - 1) / period * period;
}

/// True if the text from a place's first place on repeats the period of the place over and over.
bool RepeatFinder::IsOfOneRow(uint32_t place, uint32_t first) const {
  const uint64_t period = longest_earlier_[place].period;
  const uint64_t distance = PositionAt(place) - PositionAt(first);
  if (places_[place].part != places_[first].part || period == 0) return false;
  const uint64_t end = PartAt(place).end(), begin = PositionAt(first);
  return parts_.CountEqualAfter(begin, end, begin + period, end) + period >= distance;
}

/// Finds, for each of some places of the class, the longest run that an earlier one has as well:
/// in an earlier document, or earlier in the same one. Of all earlier places the next one to either
/// side, in the order of the words after them, has the most in common with it.
void RepeatFinder::FindEarlierIn(const Indices& some, bool same_document, uint32_t before,
                                 bool emits) {
  const auto key = [&](uint32_t i) { return same_document ? PositionAt(some[i]) : DocAt(some[i]); };
  const auto count = static_cast<uint32_t>(some.size());
  smaller_before_.assign(count, kNone);
  smaller_after_.assign(count, kNone);
  stack_.clear();
  for (uint32_t i = 0; i < count; ++i) {
    while (!stack_.empty() && key(stack_.back()) > key(i)) {
      smaller_after_[stack_.back()] = i;
      stack_.pop_back();
    }
    if (!stack_.empty()) {
      smaller_before_[i] =
          key(stack_.back()) < key(i) ? stack_.back() : smaller_before_[stack_.back()];
    }
    stack_.push_back(i);
  }
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t words = 0;
    uint32_t earlier = kNone;
    for (const uint32_t next : {smaller_before_[i], smaller_after_[i]}) {
      if (next == kNone) continue;
      const uint64_t equal = EqualAfter(some[i], some[next]);
      if (equal < words ||
          (equal == words && earlier != kNone && PositionAt(earlier) < PositionAt(some[next]))) {
        continue;
      }
      words = equal;
      earlier = some[next];
    }
    LongestEarlier& longest = longest_earlier_[some[i]];
    if (same_document && earlier != kNone) {
      longest.period = PositionAt(some[i]) - PositionAt(earlier);
    }
    const uint32_t first = first_[some[i]];
    const bool is_like = (DocAt(first) == DocAt(some[i])) == same_document;
    if (earlier != kNone && is_like && first != some[i] && EqualAfter(some[i], first) == words) {
      earlier = first;
    }
    uint64_t& known = same_document ? longest.same_document : longest.other_document;
    if (emits && known < words && IsStart(some[i], before, words) &&
        PositionAt(some[i]) >= settings_.reference_end) {
      AddRedundant(some[i], earlier, before, before + words);
      if (earlier == first) longest.first = PositionAt(first);
    }
    known = words;
  }
}

/// Adds a run of `words` words that begins `before` words before a place. If it overlaps the
/// earlier one, the text there repeats a shorter run over and over: what is left is the shortest
/// row of these that is long enough, and everything after it can go, as it stands a row earlier.
void RepeatFinder::AddRedundant(uint32_t place, uint32_t earlier, uint32_t before, uint64_t words) {
  const uint64_t begin = PositionAt(place) - before;
  const uint64_t first = PositionAt(earlier) - before;
  const uint64_t period = begin - first;
  if (DocAt(place) != DocAt(earlier) || period >= words) {
    found_->redundant.push_back({begin, words, first});
    return;
  }
  const uint64_t row = RowOf(period);
  const uint64_t end = begin + words;
  if (first + row + settings_.sampling.least_words() > end) return;
  found_->redundant.push_back({first + row, end - (first + row), first});
}

}  // namespace lookalike
