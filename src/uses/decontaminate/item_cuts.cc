#include "uses/decontaminate/item_cuts.h"

#include <algorithm>

#include "results/passages.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/shorten.h"

namespace lookalike {
namespace {

/// The number of a document that is cut; items have lower numbers.
constexpr DocNumber kThisDocument = UINT32_MAX;
/// The number of times that the rest of a document is searched again.
constexpr int kMostRounds = 8;

uint32_t WordAt(const UnitText& text, uint64_t code_point) {
  const auto word = std::ranges::lower_bound(text.units, code_point, {}, &UnitText::Unit::begin);
  return static_cast<uint32_t>(word - text.units.begin());
}

}  // namespace

std::vector<ItemSpan> SpansOf(const UnitText& text, uint32_t item, const UnitText& item_text,
                              const FeatureSpec& spec) {
  std::vector<ItemSpan> spans;
  for (const Passage& passage : SharedPassages(text, item_text, spec)) {
    ItemSpan span;
    span.item = item;
    span.passage = passage;
    span.word = WordAt(text, passage.a_begin);
    span.words = WordAt(text, passage.a_end) - span.word;
    span.item_word = WordAt(item_text, passage.b_begin);
    spans.push_back(span);
  }
  return spans;
}

/// Returns the runs of words that items have in what is left of a text: of the words of the text,
/// piece by piece, as cuts may stand between them.
std::vector<EarlierRun> ItemCutter::RunsLeft(std::string_view text, const CuttableText& cuttable,
                                             std::span<const TextCut> cuts) {
  const std::string left = WithoutParts(text, cuts);
  std::vector<EarlierRun> runs;
  const auto found = finder_.Find(extractor_.Features(left, TextKind::kPlain));
  if (found.empty()) return runs;
  std::vector<uint32_t> words;  // the words that are left
  auto cut = cuts.begin();
  for (uint32_t i = 0; i < cuttable.words.size(); ++i) {
    while (cut != cuts.end() && cut->word + cut->words <= i) ++cut;
    if (cut == cuts.end() || i < cut->word) words.push_back(i);
  }
  const auto units = ReadUnits(left, spec_, TextKind::kPlain);
  for (const FoundItem& one : found) {
    const BenchmarkItem& item = benchmarks_.items[one.item];
    const auto item_units = ReadUnits(item.text, spec_, item.kind);
    for (const ItemSpan& span : SpansOf(*units, one.item, *item_units, spec_)) {
      for (uint32_t i = 0; i < span.words && span.word + i < words.size(); ++i) {
        runs.push_back({words[span.word + i], 1, span.item, span.item_word + i});
      }
    }
  }
  return runs;
}

ItemCuts ItemCutter::Cut(std::string_view text, const UnitText& units,
                         std::span<const ItemSpan> spans) {
  CuttableText cuttable;
  cuttable.words = BytesOfWords(text, units);
  const auto joins = WordsJoin(text, &extractor_);
  std::vector<EarlierRun> runs;
  for (const ItemSpan& span : spans) {
    runs.push_back({span.word, span.words, span.item, span.item_word});
  }
  for (int round = 0; round < kMostRounds; ++round) {
    std::ranges::sort(runs, {}, &EarlierRun::word);
    CutPlan plan({});
    plan.Decide(kThisDocument, cuttable, runs, joins);
    const std::vector<EarlierRun> more = RunsLeft(text, cuttable, plan.cuts());
    if (more.empty()) return {plan.cuts(), true};
    runs.insert(runs.end(), more.begin(), more.end());
  }
  return {{}, false};
}

}  // namespace lookalike
