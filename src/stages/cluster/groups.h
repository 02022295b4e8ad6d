// Step 8: how clusters.jsonl groups what was found. Grouping never changes which documents stay.
#ifndef LOOKALIKE_STAGES_CLUSTER_GROUPS_H_
#define LOOKALIKE_STAGES_CLUSTER_GROUPS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "flow/records.h"

namespace lookalike {

/// Clusters of two or more documents, numbered from 1: largest first, then by first member.
/// Members are document numbers in input order.
struct Clusters {
  std::vector<DocNumber> members;  ///< All clusters' members, one cluster after the other.
  std::vector<uint64_t> begin;     ///< Cluster i (from 0) is members[begin[i] .. begin[i+1]).

  [[nodiscard]] size_t size() const { return begin.empty() ? 0 : begin.size() - 1; }
  [[nodiscard]] std::span<const DocNumber> operator[](size_t i) const {
    return std::span(members).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// Two documents that belong together.
struct Link {
  DocNumber x, y;
};

/// Connected components of `links` over document numbers. For leader clusters the links are
/// (removed, witness); for components the verified edges and the exact copies.
Clusters GroupByLinks(std::span<const Link> links);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_CLUSTER_GROUPS_H_
