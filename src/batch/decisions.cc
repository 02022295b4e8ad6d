#include "batch/decisions.h"

#include <algorithm>

#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

std::vector<Link> LeaderLinks(const Decisions& decisions) {
  std::vector<Link> links;
  for (const DocRemoval& removal : decisions.removals) {
    links.push_back({removal.doc, removal.witness});
  }
  return links;
}

std::vector<Link> ComponentLinks(const SearchResult& search) {
  std::vector<Link> links;
  for (const Edge& edge : search.edges) {
    links.push_back({search.DocOf(edge.a), search.DocOf(edge.d)});
  }
  for (const ExactCopy& copy : search.copies) {
    links.push_back({search.DocOf(copy.copy), search.DocOf(copy.rep)});
  }
  return links;
}

void NumberClusters(Decisions* decisions) {
  for (size_t i = 0; i < decisions->clusters.size(); ++i) {
    for (const DocNumber doc : decisions->clusters[i]) {
      decisions->cluster_of.emplace_back(doc, i + 1);
    }
  }
  std::sort(decisions->cluster_of.begin(), decisions->cluster_of.end());
}

}  // namespace

const DocRemoval* Decisions::RemovalOf(DocNumber doc) const {
  const auto at = std::lower_bound(
      removals.begin(), removals.end(), doc,
      [](const DocRemoval& removal, DocNumber wanted) { return removal.doc < wanted; });
  return at != removals.end() && at->doc == doc ? &*at : nullptr;
}

uint64_t Decisions::ClusterOf(DocNumber doc) const {
  const auto at = std::lower_bound(cluster_of.begin(), cluster_of.end(), doc,
                                   [](const std::pair<DocNumber, uint64_t>& entry,
                                      DocNumber wanted) { return entry.first < wanted; });
  return at != cluster_of.end() && at->first == doc ? at->second : 0;
}

Decisions Decide(const SearchResult& search, bool components) {
  const auto near = KeepGreedily(search.edges, search.table.documents);
  const auto same_text = [&](Rank x, Rank y) {
    return search.table.text_hashes[search.DocOf(x)] == search.table.text_hashes[search.DocOf(y)];
  };
  Decisions decisions;
  decisions.removed.resize(search.table.documents);
  for (const Removal& removal : AddCopies(near, search.copies, same_text)) {
    const DocNumber doc = search.DocOf(removal.removed);
    decisions.removals.push_back(
        {doc, search.DocOf(removal.witness), removal.resemblance, removal.kind});
    decisions.removed[doc] = true;
  }
  std::sort(decisions.removals.begin(), decisions.removals.end(),
            [](const DocRemoval& x, const DocRemoval& y) { return x.doc < y.doc; });
  decisions.clusters = GroupByLinks(components ? ComponentLinks(search) : LeaderLinks(decisions));
  NumberClusters(&decisions);
  return decisions;
}

}  // namespace lookalike
