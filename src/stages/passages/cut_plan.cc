#include "stages/passages/cut_plan.h"

#include <algorithm>

namespace lookalike {
namespace {

/// True for what CuttableText says is white space.
bool IsWhiteSpace(const TextSpan& word) { return word.begin == word.end; }

/// Returns how many words a text has without some parts. White space counts once between two
/// others, as it would if the text that is left were read.
uint64_t WordsLeft(const CuttableText& text, std::span<const TextCut> cuts) {
  uint64_t left = 0;
  bool space = false;
  auto cut = cuts.begin();
  for (const TextSpan& word : text.words) {
    while (cut != cuts.end() && cut->bytes.end <= word.begin) ++cut;
    if (cut != cuts.end() && cut->bytes.begin <= word.begin) continue;
    const bool follows = space && left > 0;
    space = IsWhiteSpace(word);
    if (!space) left += follows ? 2 : 1;
  }
  return left;
}

}  // namespace

void CutPlan::FindUnits(const CuttableText& text) {
  units_.clear();
  const auto count = static_cast<uint32_t>(text.words.size());
  if (text.borders.empty()) {
    for (uint32_t i = 0; i < count; ++i) {
      const TextSpan word = text.words[i];
      if (!units_.empty() && word.begin < units_.back().bytes.end) {  // a sign of several words
        units_.back().end = units_.back().shortest_end = i + 1;
        units_.back().bytes.end = std::max(units_.back().bytes.end, word.end);
      } else {
        units_.push_back({i, i + 1, i + 1, word});
      }
    }
    return;
  }
  uint32_t word = 0;
  uint64_t begin = text.borders.front();
  for (size_t i = 1; i < text.borders.size(); ++i) {
    const uint64_t end = text.borders[i];
    uint32_t first = word, last = word;
    while (last < count && text.words[last].end <= end) ++last;
    if (last < count && text.words[last].begin < end) continue;  // the border is within a word
    word = last;
    while (first < last && IsWhiteSpace(text.words[first])) ++first;
    while (first < last && IsWhiteSpace(text.words[last - 1])) --last;
    units_.push_back({first, word, last, {begin, end}});
    begin = end;
  }
}

std::span<const TextCut> CutPlan::CutsOf(DocNumber doc) const {
  if (IsStored(doc)) return store_->CutsOf(doc);
  const auto [begin, end] = std::ranges::equal_range(cuts_, doc, {}, &TextCut::doc);
  return {begin, end};
}

bool CutPlan::IsDropped(DocNumber doc) const {
  return IsStored(doc) ? store_->IsDropped(doc) : std::ranges::binary_search(dropped_, doc);
}

/// Returns where words of a document, which may have been cut, stay.
CutPlan::Source CutPlan::FindSource(DocNumber doc, uint32_t word, uint32_t words) const {
  const std::span<const TextCut> cuts = CutsOf(doc);
  const auto cut = std::ranges::lower_bound(
      cuts, word, {}, [](const TextCut& one) { return one.word + one.words - 1; });
  const bool touches = cut != cuts.end() && cut->word < word + words;
  if (!touches) return {!IsDropped(doc), doc, word, words};
  if (cut->word > word || cut->word + cut->words < word + words) return {};
  return {true, cut->same_doc, cut->same_word + (word - cut->word), words};
}

/// Returns where words within a run stay. What is not before them in their own document goes with
/// them, or is not decided yet.
CutPlan::Source CutPlan::SourceIn(const EarlierRun& run, uint32_t begin, uint32_t end) const {
  const uint32_t earlier = run.earlier_word + (begin - run.word);
  const uint32_t words = end - begin;
  if (run.earlier_doc == open_doc_ && earlier + words > begin) return {};
  return FindSource(run.earlier_doc, earlier, words);
}

/// Returns where the words of a unit stay. Units must come in order.
CutPlan::Source CutPlan::SourceOf(const Unit& unit, std::span<const EarlierRun> runs) {
  while (next_run_ < runs.size() && runs[next_run_].word <= unit.begin) {
    near_.push_back(runs[next_run_++]);
  }
  Source source;
  size_t too_short = 0;
  for (const EarlierRun& run : near_) {
    const uint32_t end = run.word + run.words;
    if (end < unit.shortest_end) {
      ++too_short;
      continue;
    }
    source = SourceIn(run, unit.begin, std::min(end, unit.end));
    if (source.stays) break;
    if (unit.shortest_end == unit.end) continue;
    source = SourceIn(run, unit.begin, unit.shortest_end);
    if (source.stays) break;
  }
  // Not for every unit: in a text that repeats one word, half of all places begin such a run.
  if (2 * too_short > near_.size()) {
    std::erase_if(near_, [&](const EarlierRun& run) { return run.word + run.words <= unit.begin; });
  }
  return source.stays ? source : Source();
}

void CutPlan::Cut(DocNumber doc, const Unit& unit, const Source& source) {
  if (!cuts_.empty() && cuts_.back().doc == doc && last_cut_end_ == unit.begin) {
    TextCut& last = cuts_.back();
    const bool touches = last.word + last.words == unit.begin;  // no white space in between
    if (touches && last.same_doc == source.doc && last.same_word + last.words == source.word) {
      last.words += source.words;
      last.bytes.end = unit.bytes.end;
      last_cut_end_ = unit.end;
      return;
    }
    last.bytes.end = unit.bytes.begin;  // what is between two words that go goes as well
  }
  cuts_.push_back({doc, unit.begin, source.words, unit.bytes, source.doc, source.word});
  last_cut_end_ = unit.end;
}

/// Leaves the last words of cuts standing where the words around would become one.
void CutPlan::KeepWordsApart(const CuttableText& text, size_t first_cut, const JoinsWords& joins) {
  const auto stands_alone = [&](const TextCut& first, const TextCut& last) {
    const uint32_t left = first.word - 1;  // if there is one
    uint32_t right = last.word + last.words;
    while (right < text.words.size() && text.words[right].begin < last.bytes.end) ++right;
    if (first.word == 0 || right == text.words.size()) return true;
    return !joins({text.words[left].begin, first.bytes.begin},
                  {last.bytes.end, text.words[right].end});
  };
  std::vector<TextCut> apart;
  for (size_t begin = first_cut; begin < cuts_.size();) {
    size_t end = begin + 1;  // cuts that touch are like one
    while (end < cuts_.size() && cuts_[end].bytes.begin == cuts_[end - 1].bytes.end) ++end;
    const size_t next = end;
    while (end > begin && !stands_alone(cuts_[begin], cuts_[end - 1])) {
      TextCut& last = cuts_[end - 1];
      const uint32_t tail = last.word + last.words;
      const auto unit = std::ranges::lower_bound(units_, tail, {}, &Unit::end);
      if (unit == units_.end() || unit->begin <= last.word) {
        --end;
        continue;
      }
      last.words = unit->begin - last.word;
      last.bytes.end = unit->bytes.begin;
    }
    apart.insert(apart.end(), cuts_.begin() + static_cast<ptrdiff_t>(begin),
                 cuts_.begin() + static_cast<ptrdiff_t>(end));
    begin = next;
  }
  cuts_.resize(first_cut);
  cuts_.insert(cuts_.end(), apart.begin(), apart.end());
}

void CutPlan::Apply(DocNumber doc, const CuttableText& text, size_t first_cut) {
  if (cuts_.size() == first_cut) return;
  const auto own = cuts_.begin() + static_cast<ptrdiff_t>(first_cut);
  if (rules_.min_left > 0 && WordsLeft(text, std::span(own, cuts_.end())) < rules_.min_left) {
    dropped_.push_back(doc);
    cuts_.erase(std::remove_if(own, cuts_.end(),
                               [&](const TextCut& cut) {
                                 return cut.same_doc == doc || cut.bytes.begin == cut.bytes.end;
                               }),
                cuts_.end());
  } else if (rules_.whole_only) {
    cuts_.resize(first_cut);
  }
}

void CutPlan::Decide(DocNumber doc, const CuttableText& text, std::span<const EarlierRun> runs,
                     const JoinsWords& joins) {
  FindUnits(text);
  near_.clear();
  next_run_ = 0;
  open_doc_ = doc;
  const size_t first_cut = cuts_.size();
  for (const Unit& unit : units_) {
    if (unit.begin == unit.end) continue;
    const Source source = SourceOf(unit, runs);
    if (source.stays && !(rules_.whole_only && source.doc == doc)) Cut(doc, unit, source);
  }
  if (!rules_.whole_only) KeepWordsApart(text, first_cut, joins);
  Apply(doc, text, first_cut);
  if (store_ != nullptr) HandOver(doc);
}

/// Gives the cuts of a document to the store.
void CutPlan::HandOver(DocNumber doc) {
  store_->Add(doc, cuts_, !dropped_.empty());
  cuts_.clear();
  dropped_.clear();
  open_doc_ = UINT64_MAX;
}

}  // namespace lookalike
