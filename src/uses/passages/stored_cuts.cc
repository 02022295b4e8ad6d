#include "uses/passages/stored_cuts.h"

#include <utility>

namespace lookalike {

StoredCuts::StoredCuts(RunStore* store, DocNumber documents)
    : cuts_(store), dropped_(documents), cut_(documents) {}

void StoredCuts::Add(DocNumber doc, std::span<const TextCut> cuts, bool is_dropped) {
  if (is_dropped) dropped_.Set(doc);
  if (cuts.empty()) return;
  cut_.Set(doc);
  for (const TextCut& cut : cuts) words_ += cut.words;
  if (status_) status_ = cuts_.Add(cuts);
}

std::span<const TextCut> StoredCuts::CutsOf(DocNumber doc) {
  if (!cut_.Test(doc)) return {};
  Known& known = known_[doc % known_.size()];
  if (known.doc == doc) return known.cuts;
  auto range = ReadDocuments(cuts_, doc, doc + 1, [](const TextCut& cut) { return cut.doc; });
  if (!range) {
    if (status_) status_ = tl::make_unexpected(range.error());
    return {};
  }
  known = {doc, std::move(range->records)};
  return known.cuts;
}

}  // namespace lookalike
