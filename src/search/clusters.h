// Step 8: groups the findings for clusters.jsonl. Grouping never changes which documents stay.
#ifndef LOOKALIKE_SEARCH_CLUSTERS_H_
#define LOOKALIKE_SEARCH_CLUSTERS_H_

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "records/records.h"
#include "run/workspace.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"

namespace lookalike {

/// Links a document to the group of `root`.
struct GroupLink {
  uint64_t root;
  DocNumber doc;
  auto operator<=>(const GroupLink&) const = default;
};

/// The cluster of a document.
struct ClusterOfDoc {
  DocNumber doc;
  uint64_t cluster;  ///< From 1.
  uint64_t size;
  auto operator<=>(const ClusterOfDoc&) const = default;
};

/// Clusters of two or more documents, numbered from 1: largest first, then by first member.
struct ClusterTable {
  uint64_t count = 0;
  uint64_t documents = 0;              ///< In all clusters.
  std::map<uint64_t, uint64_t> sizes;  ///< Size -> clusters of that size.
  /// Stream 0: the members, DocNumber, of one cluster after the other, in input order. Stream 1:
  /// the size of each cluster, uint64_t.
  RunPointer members;
  RunPointer by_doc;  ///< Stream 0: ClusterOfDoc, by document.
};

/// Makes clusters from links, which may repeat; every member of a group needs a link, and so does
/// its root if that is a document.
Result<ClusterTable> MakeClusters(Sorter<GroupLink>* links, Workspace* workspace);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_CLUSTERS_H_
