// Where items stand in a document, and what is cut so that they do not any more.
#ifndef LOOKALIKE_USES_DECONTAMINATE_ITEM_CUTS_H_
#define LOOKALIKE_USES_DECONTAMINATE_ITEM_CUTS_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "lookalike/lookalike.h"
#include "results/unit_text.h"
#include "stages/passages/cut_plan.h"
#include "uses/decontaminate/benchmarks.h"

namespace lookalike {

/// A run of words that a document and an item have.
struct ItemSpan {
  uint32_t item = 0;
  Passage passage;     ///< Code points; a: the document, b: the item.
  uint32_t word = 0;   ///< The first word of the run in the document,
  uint32_t words = 0;  ///< and their number.
  uint32_t item_word = 0;
};

/// Returns the longest runs that a text and an item have, which together have all features that
/// both have.
std::vector<ItemSpan> SpansOf(const UnitText& text, uint32_t item, const UnitText& item_text,
                              const FeatureSpec& spec);

/// The parts of a document that items take with them.
struct ItemCuts {
  std::vector<TextCut> cuts;  ///< `same_doc` is the number of the item.
  bool is_clean = true;       ///< The rest has no item.
};

/// Cuts items out of documents. Holds scratch memory; use one per thread.
class ItemCutter {
 public:
  ItemCutter(const Benchmarks& benchmarks, const FeatureSpec& spec)
      : benchmarks_(benchmarks), spec_(spec), extractor_(spec), finder_(benchmarks.index) {}

  /// Returns the cuts of the spans, whose words go, and of what makes up an item again once they
  /// are gone. `text`: UTF-8, with its `units`.
  ItemCuts Cut(std::string_view text, const UnitText& units, std::span<const ItemSpan> spans);

 private:
  std::vector<EarlierRun> RunsLeft(std::string_view text, const CuttableText& cuttable,
                                   std::span<const TextCut> cuts);

  const Benchmarks& benchmarks_;
  const FeatureSpec& spec_;
  FeatureExtractor extractor_;
  ItemFinder finder_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_USES_DECONTAMINATE_ITEM_CUTS_H_
