#include "uses/passages/cutting.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fingerprint/feature_extractor.h"
#include "io/utf8.h"
#include "results/unit_text.h"
#include "threads/parallel.h"
#include "uses/passages/byte_places.h"
#include "uses/passages/places.h"
#include "uses/passages/ranked_spool.h"
#include "uses/passages/word_hash.h"

namespace lookalike {
namespace {

/// Bytes of texts that wait for a plan together, in the order of ranks.
constexpr uint64_t kTextsAtOnce = uint64_t{1} << 20;

/// The text of a document that may be cut.
struct PlainText {
  Rank rank = 0;
  std::string_view text;
  TextKind kind = TextKind::kUnknown;
};

/// The same with all that a plan needs.
struct Cuttable {
  Rank rank = 0;
  std::string original;
  std::vector<uint64_t> hashes;  ///< One for each word.
  CuttableText text;
  std::vector<EarlierRun> runs;
};

/// Returns how texts with these features are read as words, which no cut may join.
FeatureSpec ReadAsWords(FeatureSpec features) {
  features.shingle = {.kind = ShingleSpec::Kind::kWord, .length = 1};
  return features;
}

/// Plans cuts of documents, which it knows by their ranks.
class Planner {
 public:
  Planner(const PassageContext& context, CutUnit unit, const CutRules& rules,
          const PagedRecords<RedundantPlace>& redundant, PlannedCuts* cuts)
      : context_(context),
        unit_(unit),
        redundant_(redundant),
        cuts_(*cuts),
        plan_(rules, cuts->cuts.get()),
        extractors_([&] { return FeatureExtractor(ReadAsWords(context.job.features)); }) {}

  /// Reads the words of some texts, by rank. Safe from several threads.
  Result<std::vector<Cuttable>> Read(std::span<const PlainText> texts) const {
    std::vector<Cuttable> read;
    if (texts.empty()) return read;
    LOOKALIKE_ASSIGN_OR_RETURN(
        const auto all, ReadDocuments(redundant_, texts.front().rank, texts.back().rank + 1,
                                      [](const RedundantPlace& place) { return place.run.doc; }));
    auto place = all.records.begin();
    for (const PlainText& text : texts) {
      while (place != all.records.end() && place->run.doc < text.rank) ++place;
      Cuttable& one = read.emplace_back();
      one.rank = text.rank;
      one.original = text.text;
      // A batch waits with its words for those before it: only as much is kept as the plan needs.
      const auto units = ReadUnits(one.original, context_.job.features, text.kind);
      one.hashes = HashesOfWords(*units);
      one.text.words = BytesOfWords(one.original, *units);
      if (unit_ != CutUnit::kWords) FindBorders(text.text, unit_, &one.text.borders);
      for (; place != all.records.end() && place->run.doc == text.rank; ++place) {
        one.runs.push_back({place->run.word, place->run.words, place->earlier_doc,
                            static_cast<uint32_t>(place->earlier_word)});
      }
    }
    return read;
  }

  /// Plans the cuts of the next documents.
  Status Plan(const Result<std::vector<Cuttable>>& texts) {
    if (!texts) return tl::make_unexpected(texts.error());
    for (const Cuttable& one : *texts) {
      const EarlierRun& last = one.runs.back();
      if (last.word + uint64_t{last.words} > one.text.words.size()) {
        return HasChanged();
      }
      const uint64_t before = cuts_.cuts->cuts().size();
      plan_.Decide(one.rank, one.text, one.runs, WordsJoin(one.original, &extractors_.local()));
      LOOKALIKE_RETURN_IF_ERROR(cuts_.cuts->status());
      if (cuts_.cuts->cuts().size() == before) continue;
      for (const TextCut& cut : plan_.CutsOf(one.rank)) {
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

/// A pass over the documents with redundant runs.
struct PlanPass {
  const PassageContext& context;
  const KnownInputs& inputs;
  const Ranking& ranking;
  const Bitmap& wanted;  ///< By document.

  /// Returns the texts of a batch that can be cut, as the documents are in it.
  [[nodiscard]] std::vector<PlainText> TextsOf(const PassItem& item) const {
    std::vector<PlainText> texts;
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const DocNumber doc = item.first_doc + i;
      const Document& document = item.batch.documents[i];
      if (!wanted.Test(doc) || document.repaired || !IsUtf8(document.text)) continue;
      texts.push_back({ranking.RankOf(doc), document.text, document.kind});
    }
    return texts;
  }
};

/// Plans documents as they are read.
Status PlanInOrder(const PlanPass& pass, Planner* planner) {
  return ReadAgain(
      pass.context, pass.inputs, pass.wanted, "plan",
      [&](const PassItem& item) { return planner->Read(pass.TextsOf(item)); },
      [&](const Result<std::vector<Cuttable>>& texts) { return planner->Plan(texts); });
}

/// A batch with those of its texts that can be cut.
struct TextBatch {
  PassItem item;
  std::vector<PlainText> texts;
};

/// Stores the texts that can be cut.
Status SpoolTexts(const PlanPass& pass, RankedSpool* spool) {
  const auto choose = [&](PassItem item) {
    TextBatch batch{std::move(item), {}};
    batch.texts = pass.TextsOf(batch.item);
    return batch;
  };
  const auto store = [&](const TextBatch& batch) -> Status {
    for (const PlainText& text : batch.texts) {
      LOOKALIKE_RETURN_IF_ERROR(spool->Add(text.rank, text.text, static_cast<uint64_t>(text.kind)));
    }
    return {};
  };
  LOOKALIKE_RETURN_IF_ERROR(
      ReadAgain(pass.context, pass.inputs, pass.wanted, "plan", choose, store));
  return spool->Finish();
}

/// Plans stored documents by rank, as a pass over inputs does: the words of some texts are read in
/// parallel, and those of a text that is long for the memory before any others.
Status PlanByRank(const PlanPass& pass, RankedSpool* spool, Planner* planner) {
  using Words = Result<std::vector<Cuttable>>;
  struct Texts {
    std::vector<RankedBytes> texts;
    std::optional<Words> words;
  };
  const auto read_words = [&](const std::vector<RankedBytes>& stored) {
    std::vector<PlainText> texts;
    for (const RankedBytes& one : stored) {
      texts.push_back({one.rank, one.bytes, static_cast<TextKind>(one.tag)});
    }
    return planner->Read(texts);
  };
  const uint64_t long_text = pass.context.job.limits.alone;
  Status read, planned;
  ParallelPipeline(
      pass.context.memory.batches,
      [&]() -> std::optional<Texts> {
        auto some = spool->Next(std::min(kTextsAtOnce, long_text));
        if (!some) read = tl::make_unexpected(some.error());
        if (!some || some->empty()) return std::nullopt;
        Texts texts{*std::move(some), {}};
        if (texts.texts.front().bytes.size() > long_text) texts.words = read_words(texts.texts);
        return texts;
      },
      [&](Texts texts) { return texts.words ? *std::move(texts.words) : read_words(texts.texts); },
      [&](const Words& words) {
        planned = planner->Plan(words);
        return planned.has_value();
      });
  return planned ? read : planned;
}

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

Result<PlannedCuts> PlanCuts(const PassageContext& context, CutUnit unit, const CutRules& rules,
                             RunsFound* found, Workspace* workspace) {
  RunStore& store = workspace->store();
  const uint64_t memory = context.memory.work / 5;
  Bitmap wanted(found->documents);
  PagedRecords<RedundantPlace> all(&store);
  while (const RedundantPlace* place = found->redundant.Next()) {
    wanted.Set(found->ranking.DocOf(place->run.doc));
    LOOKALIKE_RETURN_IF_ERROR(all.Add(*place));
  }
  LOOKALIKE_RETURN_IF_ERROR(found->redundant.status());
  found->redundant = {};
  PlannedCuts cuts(&store, found->documents);
  Planner planner(context, unit, rules, all, &cuts);
  const PlanPass pass{context, found->inputs, found->ranking, wanted};
  if (context.job.choices.keep.IsFirst()) {
    LOOKALIKE_RETURN_IF_ERROR(PlanInOrder(pass, &planner));
    return cuts;
  }
  RankedSpool spool(&store, memory);
  LOOKALIKE_RETURN_IF_ERROR(SpoolTexts(pass, &spool));
  LOOKALIKE_RETURN_IF_ERROR(PlanByRank(pass, &spool, &planner));
  return ByDocument(cuts, found->ranking, &store, memory);
}

}  // namespace lookalike
