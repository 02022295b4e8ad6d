#include "uses/passages/planned_cuts.h"

#include <tuple>
#include <vector>

#include "spill/sorter.h"

namespace lookalike {
namespace {

/// A cut with its hash. By document and place.
struct HashedCut {
  TextCut cut;
  uint64_t hash = 0;
  bool operator<(const HashedCut& other) const {
    return std::tie(cut.doc, cut.word) < std::tie(other.cut.doc, other.cut.word);
  }
};

}  // namespace

Result<PlannedCuts> ByDocument(const PlannedCuts& by_rank, const Ranking& ranking, RunStore* store,
                               uint64_t memory_bytes) {
  Sorter<HashedCut> sorter(store, memory_bytes);
  PagedScan<TextCut> cuts(by_rank.cuts->cuts());
  PagedScan<uint64_t> hashes(by_rank.hashes);
  while (const TextCut* cut = cuts.Next()) {
    const uint64_t* const hash = hashes.Next();
    LOOKALIKE_RETURN_IF_ERROR(hashes.status());
    HashedCut hashed{*cut, *hash};
    hashed.cut.doc = ranking.DocOf(cut->doc);
    hashed.cut.same_doc = ranking.DocOf(cut->same_doc);
    LOOKALIKE_RETURN_IF_ERROR(sorter.Add(hashed));
  }
  LOOKALIKE_RETURN_IF_ERROR(cuts.status());
  LOOKALIKE_ASSIGN_OR_RETURN(Sorted<HashedCut> sorted, sorter.Finish());
  PlannedCuts by_document(store, ranking.order.size());
  std::vector<TextCut> of_one;
  const auto end_document = [&] {
    if (!of_one.empty()) by_document.cuts->Add(of_one.front().doc, of_one, false);
    of_one.clear();
    return by_document.cuts->status();
  };
  while (const HashedCut* next = sorted.Next()) {
    if (!of_one.empty() && of_one.front().doc != next->cut.doc) {
      LOOKALIKE_RETURN_IF_ERROR(end_document());
    }
    of_one.push_back(next->cut);
    LOOKALIKE_RETURN_IF_ERROR(by_document.hashes.Add(next->hash));
  }
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  LOOKALIKE_RETURN_IF_ERROR(end_document());
  // A document can go without a cut: where its words stay in it alone.
  by_rank.cuts->dropped().ForEach(
      [&](Rank rank) { by_document.cuts->Add(ranking.DocOf(rank), {}, true); });
  return by_document;
}

}  // namespace lookalike
