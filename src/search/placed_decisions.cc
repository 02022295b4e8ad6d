#include "search/placed_decisions.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "lookalike/result_lists.h"
#include "run/input_pass.h"
#include "run/members.h"

namespace lookalike {
namespace {

/// A document of the inputs: the number of its input, and its row.
using Place = std::pair<uint32_t, uint64_t>;

/// Returns the number of the input that a document names; nothing if there is none.
std::optional<uint32_t> SourceOf(const ListedDocument& document, const Job& job) {
  const uint32_t first = document.in_reference ? 0 : job.reference_inputs;
  const auto end =
      document.in_reference ? job.reference_inputs : static_cast<uint32_t>(job.inputs.size());
  for (uint32_t source = first; source < end; ++source) {
    if (job.inputs.NameOf(source) == document.source) return source;
  }
  return std::nullopt;
}

tl::unexpected<Error> FailUnknown(const Decision& decision, const ListedDocument& document) {
  return InputError(
      fmt::format("decision {} names the document {}, which the inputs of this "
                  "result do not have; was it made about another result?",
                  decision.number, PlaceOf(document)));
}

/// A document that a decision names, as the inputs have it now.
struct FoundDocument {
  DocNumber number = 0;
  std::string id;
};

using FoundDocuments = std::map<Place, std::optional<FoundDocument>>;

tl::unexpected<Error> FailOther(const Decision& decision, const ListedDocument& document,
                                const std::string& id) {
  return InputError(
      fmt::format("decision {} names the document \"{}\" at {}, where \"{}\" is now; the inputs "
                  "changed since it was made: decide again, or correct the rows",
                  decision.number, document.id, PlaceOf(document), id));
}

/// Finds the documents of one input; rows that are no document stay unset.
Status FindRows(uint32_t source, const SearchContext& context, const KnownInputs& known,
                FoundDocuments* found) {
  PassReader reader(context.job, &known, ReadColumns::kFields, "decisions", context.observer,
                    {.source = source,
                     .doc = known.first_of_source[source],
                     .end_source = source + 1,
                     .wanted = nullptr,
                     .ahead = context.workspace->memory().ahead});
  const auto take = [&](const PassItem& item) -> Status {
    for (size_t i = 0; i < item.batch.documents.size(); ++i) {
      const Document& document = item.batch.documents[i];
      const auto at = found->find({source, document.row});
      if (at == found->end()) continue;
      at->second =
          FoundDocument{item.first_doc + i, IdOf(document, context.job.inputs.NameOf(source))};
    }
    return {};
  };
  return RunPass(
      &reader, [](PassItem item) { return item; }, take, context.workspace->memory().batches);
}

}  // namespace

Result<std::vector<PlacedDecision>> PlaceDecisions(const std::vector<Decision>& decisions,
                                                   const SearchContext& context,
                                                   const KnownInputs& known) {
  FoundDocuments found;
  std::set<uint32_t> sources;
  const auto place_of = [&](const ListedDocument& document) -> std::optional<Place> {
    const auto source = SourceOf(document, context.job);
    if (!source || known.skipped[*source]) return std::nullopt;
    return Place(*source, document.row);
  };
  for (const Decision& decision : decisions) {
    for (const ListedDocument& document : decision.documents) {
      const auto place = place_of(document);
      if (!place) return FailUnknown(decision, document);
      found[*place] = std::nullopt;
      sources.insert(place->first);
    }
  }
  for (const uint32_t source : sources) {
    LOOKALIKE_RETURN_IF_ERROR(FindRows(source, context, known, &found));
  }
  std::vector<PlacedDecision> placed;
  for (const Decision& decision : decisions) {
    if (decision.kind == DecisionKind::kNone) continue;
    PlacedDecision& each = placed.emplace_back(PlacedDecision{decision.kind, {}});
    for (const ListedDocument& document : decision.documents) {
      const std::optional<FoundDocument>& now = found.at(*place_of(document));
      if (!now) return FailUnknown(decision, document);
      if (now->id != document.id) return FailOther(decision, document, now->id);
      each.documents.push_back(now->number);
    }
  }
  return placed;
}

Result<SplitOff> SplitDocuments(const std::vector<PlacedDecision>& decisions,
                                const Ranking& ranking, const DocumentClasses& classes,
                                uint64_t documents, Workspace* workspace) {
  SplitOff split;
  split.apart = Bitmap(documents);
  for (const PlacedDecision& decision : decisions) {
    if (decision.kind != DecisionKind::kSplit) continue;
    for (const DocNumber doc : decision.documents) split.apart.Set(ranking.RankOf(doc));
  }
  auto writer = workspace->store().Temporary(1);
  CopyReader copies(classes);
  while (const ExactCopy* copy = copies.Next()) {
    if (split.apart.Test(copy->copy)) continue;
    ++split.classes.copy_count;
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *copy));
    if (!split.apart.Test(copy->rep)) continue;
    split.next_of_class.emplace(ranking.DocOf(copy->rep), ranking.DocOf(copy->copy));
  }
  LOOKALIKE_RETURN_IF_ERROR(copies.status());
  for (const auto& [rep, next] : split.next_of_class) split.apart.Clear(ranking.RankOf(rep));
  LOOKALIKE_ASSIGN_OR_RETURN(split.classes.copies.emplace_back(), writer->Finish());
  return split;
}

}  // namespace lookalike
