// Clusters of an index, which keep their names as documents come and go.
//
// Documents that are alike are linked, and a cluster is everything that links lead to. Copies count
// as one: links are between classes (encoding.h). A cluster's name is the number of the document it
// began with, or, for a part that was split off, the next number, which no document gets then; no
// name is ever used again. Where clusters merge, the older name stays; where one is split, the
// largest part keeps it. Every change is logged in the batch that causes it, so that the log,
// replayed, gives the clusters.
#ifndef LOOKALIKE_INDEX_CLUSTERS_H_
#define LOOKALIKE_INDEX_CLUSTERS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/encoding.h"
#include "index/rules.h"
#include "index/search.h"
#include "index/store.h"

namespace lookalike {

/// The number that names a cluster.
using ClusterName = uint64_t;

/// Returns the name as people see it: "c17".
std::string TextOf(ClusterName name);

/// A link between a class and another one.
struct Link {
  ClassHash other;
  double score = 0;
};

/// Returns the links of a class.
Result<std::vector<Link>> LinksOf(const StoreView& view, const ClassHash& hash);

/// Returns the cluster of a class whose first document is `first`.
Result<ClusterName> ClusterOf(const StoreView& view, const ClassHash& hash, DocumentNumber first);

/// Takes the ids of removed documents out of the log, which then still leads to the same clusters.
Status ForgetRemoved(const StoreView& view, StoreBatch* changes);

/// Keeps links, clusters and the log up to date within a batch of changes.
class ClusterLog {
 public:
  /// All outlive this object. `view` shows `changes`.
  ClusterLog(const IndexRules& rules, const StoreView& view, IndexState* state, StoreBatch* changes)
      : rules_(rules), view_(view), state_(*state), changes_(*changes) {}

  /// A document is about to be added. `first`: the first one of its class, if there is one.
  Status Add(DocumentNumber number, const std::string& id, const Probe& probe,
             std::optional<DocumentNumber> first);

  /// A document has been removed from its class. `was_first`: it was the first one; `first`: the
  /// first one now, if any is left.
  Status Remove(DocumentNumber number, const DocumentRecord& record, bool was_first,
                std::optional<DocumentNumber> first);

 private:
  using Part = std::vector<ClassHash>;

  /// Returns how many documents of a key a new class is compared with. Those of a key of codes are
  /// alike among themselves; those that hold one short text need have nothing else in common.
  [[nodiscard]] size_t MostOfKey() const;
  Status AddClass(DocumentNumber number, const std::string& id, const Probe& probe);
  Status RemoveClass(const ClassHash& hash, ClusterName name);
  Status Relink(const std::vector<Part>& parts, ClusterName name);
  /// Returns the parts that links lead to, the largest first.
  [[nodiscard]] Result<std::vector<Part>> PartsOf(const std::vector<Link>& links) const;
  void PutLink(const ClassHash& hash, const SimilarClass& other);
  Result<Part> PartWith(const ClassHash& hash, std::set<ClassHash>* seen) const;
  Result<std::vector<std::string>> IdsOf(const Part& part) const;
  void SetCluster(const ClassHash& hash, ClusterName name);
  void Log(std::string_view change, ClusterName name, const std::vector<std::string>& ids,
           const std::vector<ClusterName>& from = {});

  const IndexRules& rules_;
  const StoreView& view_;
  IndexState& state_;
  StoreBatch& changes_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_INDEX_CLUSTERS_H_
