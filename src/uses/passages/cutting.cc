#include "uses/passages/cutting.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "io/utf8.h"
#include "results/unit_text.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

/// A document that may be cut, with all that a plan needs.
struct Cuttable {
  DocNumber doc = 0;
  std::string original;
  std::unique_ptr<const UnitText> units;
  CuttableText text;
  std::vector<EarlierRun> runs;
};

class Planner {
 public:
  Planner(const PassageContext& context, CutUnit unit, const CutRules& rules,
          std::vector<RedundantPlace> redundant)
      : context_(context),
        unit_(unit),
        redundant_(std::move(redundant)),
        cuts_{CutPlan(rules), {}},
        extractors_([&] { return FeatureExtractor(context.job.features); }) {}

  std::vector<Cuttable> Read(const PassItem& item) const {
    std::vector<Cuttable> texts;
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const DocNumber doc = item.first_doc + i;
      const auto [begin, end] = std::ranges::equal_range(
          redundant_, doc, {}, [](const RedundantPlace& place) { return place.run.doc; });
      if (begin == end) continue;
      const Document& document = item.batch.documents[i];
      if (document.repaired || !IsUtf8(document.text)) continue;
      Cuttable& one = texts.emplace_back();
      one.doc = doc;
      one.original = document.text;
      one.units = ReadUnits(one.original, context_.job.features, document.kind);
      one.text.words = BytesOfWords(one.original, *one.units);
      if (unit_ != CutUnit::kWords) FindBorders(document.text, unit_, &one.text.borders);
      for (auto place = begin; place != end; ++place) {
        one.runs.push_back({place->run.word, place->run.words, place->earlier_doc,
                            static_cast<uint32_t>(place->earlier_word)});
      }
    }
    return texts;
  }

  Status Plan(const std::vector<Cuttable>& texts) {
    for (const Cuttable& one : texts) {
      const EarlierRun& last = one.runs.back();
      if (last.word + uint64_t{last.words} > one.text.words.size()) {
        return HasChanged();
      }
      cuts_.plan.Decide(one.doc, one.text, one.runs, WordsJoin(one.original, &extractors_.local()));
      const std::span<const UnitText::Unit> words = one.units->units;
      for (const TextCut& cut : cuts_.plan.CutsOf(one.doc)) {
        cuts_.hashes.push_back(HashWords(words.subspan(cut.word, cut.words)));
      }
    }
    return {};
  }

  PlannedCuts Take() { return std::move(cuts_); }

 private:
  const PassageContext& context_;
  CutUnit unit_;
  std::vector<RedundantPlace> redundant_;
  PlannedCuts cuts_;
  tbb::enumerable_thread_specific<FeatureExtractor> extractors_;
};

}  // namespace

Status CheckCanCut(const Job& job) {
  if (AppliedMode(job.features.pages, TextKind::kUnknown) != HtmlMode::kOff) {
    return OptionError(
        "pages cannot be cut, and $<pages> says that all texts are pages; use the "
        "action report or drop");
  }
  for (size_t i = job.reference_inputs; i < job.inputs.size(); ++i) {
    const Format format = job.inputs.FormatOf(i);
    if (format == Format::kHtml || format == Format::kWarc) {
      return InputError("has pages, which cannot be cut; use the action report or drop",
                        job.inputs[i].place());
    }
  }
  return {};
}

Result<PlannedCuts> PlanCuts(const PassageContext& context, const KnownInputs& known,
                             DocNumber documents, CutUnit unit, const CutRules& rules,
                             Sorted<RedundantPlace>* redundant) {
  Bitmap wanted(documents);
  std::vector<RedundantPlace> all;
  while (const RedundantPlace* place = redundant->Next()) {
    wanted.Set(place->run.doc);
    all.push_back(*place);
  }
  LOOKALIKE_RETURN_IF_ERROR(redundant->status());
  Planner planner(context, unit, rules, std::move(all));
  LOOKALIKE_RETURN_IF_ERROR(ReadAgain(
      context, known, wanted, "plan", [&](const PassItem& item) { return planner.Read(item); },
      [&](const std::vector<Cuttable>& texts) { return planner.Plan(texts); }));
  return planner.Take();
}

}  // namespace lookalike
