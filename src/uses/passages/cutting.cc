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
  std::vector<uint64_t> hashes;  ///< One for each word.
  CuttableText text;
  std::vector<EarlierRun> runs;
};

class Planner {
 public:
  Planner(const PassageContext& context, CutUnit unit, const CutRules& rules,
          const PagedRecords<RedundantPlace>& redundant, PlannedCuts* cuts)
      : context_(context),
        unit_(unit),
        redundant_(redundant),
        cuts_(*cuts),
        plan_(rules, cuts->cuts.get()),
        extractors_([&] { return FeatureExtractor(context.job.features); }) {}

  Result<std::vector<Cuttable>> Read(const PassItem& item) const {
    const std::vector<Document>& documents = item.batch.documents;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto all, ReadDocuments(redundant_, item.first_doc, item.first_doc + documents.size(),
                                      [](const RedundantPlace& place) { return place.run.doc; }));
    std::vector<Cuttable> texts;
    auto end = all.records.begin();
    for (auto begin = end; begin != all.records.end(); begin = end) {
      const DocNumber doc = begin->run.doc;
      while (end != all.records.end() && end->run.doc == doc) ++end;
      const Document& document = documents[doc - item.first_doc];
      if (document.repaired || !IsUtf8(document.text)) continue;
      Cuttable& one = texts.emplace_back();
      one.doc = doc;
      one.original = document.text;
      // A batch waits with its words for those before it: only as much is kept as the plan needs.
      const auto units = ReadUnits(one.original, context_.job.features, document.kind);
      one.hashes = HashesOfWords(*units);
      one.text.words = BytesOfWords(one.original, *units);
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
      const uint64_t before = cuts_.cuts->cuts().size();
      plan_.Decide(one.doc, one.text, one.runs, WordsJoin(one.original, &extractors_.local()));
      LOOKALIKE_RETURN_IF_ERROR(cuts_.cuts->status());
      if (cuts_.cuts->cuts().size() == before) continue;
      for (const TextCut& cut : plan_.CutsOf(one.doc)) {
        LOOKALIKE_RETURN_IF_ERROR(
            cuts_.hashes.Add(HashRun(std::span(one.hashes).subspan(cut.word, cut.words))));
      }
    }
    return cuts_.cuts->status();
  }

 private:
  const PassageContext& context_;
  CutUnit unit_;
  const PagedRecords<RedundantPlace>& redundant_;
  PlannedCuts& cuts_;
  CutPlan plan_;
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
                             Sorted<RedundantPlace>* redundant, Workspace* workspace) {
  RunStore& store = workspace->store();
  Bitmap wanted(documents);
  PagedRecords<RedundantPlace> all(&store);
  while (const RedundantPlace* place = redundant->Next()) {
    wanted.Set(place->run.doc);
    LOOKALIKE_RETURN_IF_ERROR(all.Add(*place));
  }
  LOOKALIKE_RETURN_IF_ERROR(redundant->status());
  *redundant = {};
  PlannedCuts cuts{std::make_unique<StoredCuts>(&store, documents), PagedRecords<uint64_t>(&store)};
  Planner planner(context, unit, rules, all, &cuts);
  LOOKALIKE_RETURN_IF_ERROR(ReadAgain(
      context, known, wanted, "plan", [&](const PassItem& item) { return planner.Read(item); },
      [&](const Result<std::vector<Cuttable>>& texts) -> Status {
        if (!texts) return tl::make_unexpected(texts.error());
        return planner.Plan(*texts);
      }));
  return cuts;
}

}  // namespace lookalike
