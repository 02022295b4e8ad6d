// Lists the clusters of an index.
#ifndef LOOKALIKE_INDEX_CLUSTER_LIST_H_
#define LOOKALIKE_INDEX_CLUSTER_LIST_H_

#include <functional>

#include "index/encoding.h"
#include "index/rules.h"
#include "index/store.h"
#include "lookalike/index.h"

namespace lookalike {

/// As Index::Clusters says.
Status ListClusters(const IndexRules& rules, const StoreView& view, double threshold,
                    const std::function<bool(const IndexCluster&)>& take);

/// Returns an Error that names the first thing that is wrong with clusters, links or their log.
Status CheckClusters(const IndexRules& rules, const StoreView& view, const IndexState& state);

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CLUSTER_LIST_H_
