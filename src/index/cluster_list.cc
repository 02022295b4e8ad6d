#include "index/cluster_list.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "index/clusters.h"

namespace lookalike {
namespace {

/// A class with its documents, and the cluster that it is in.
struct Class {
  ClassHash hash;
  ClusterName cluster = 0;
  std::vector<DocumentNumber> members;
};

/// Reads classes in the order of their hashes, in which their clusters are stored too.
class ClassReader {
 public:
  explicit ClassReader(const StoreView& view)
      : members_(view.Scan(Family::kClasses, true)), names_(view.Scan(Family::kClusters, true)) {
    members_->Seek("");
    names_->Seek("");
  }

  /// Returns the next class, or nothing at the end.
  Result<std::optional<Class>> Next() {
    if (!members_->Valid()) {
      LOOKALIKE_RETURN_IF_ERROR(members_->status());
      return std::nullopt;
    }
    Class one{ClassAt(members_->Key()), 0, {}};
    const std::string prefix = ClassPrefix(one.hash);
    for (; members_->Valid() && members_->Key().starts_with(prefix); members_->Next()) {
      one.members.push_back(NumberAtEnd(members_->Key()));
    }
    while (names_->Valid() && names_->Key() < prefix) names_->Next();
    LOOKALIKE_RETURN_IF_ERROR(names_->status());
    const bool named = names_->Valid() && names_->Key() == prefix;
    one.cluster = named ? DecodeName(names_->Value()) : one.members.front();
    return one;
  }

 private:
  std::unique_ptr<StoreCursor> members_, names_;
};

/// Joins classes that links connect (union-find).
class Components {
 public:
  void Join(const ClassHash& a, const ClassHash& b) {
    const ClassHash x = RootOf(a), y = RootOf(b);
    if (x != y) parents_[std::max(x, y)] = std::min(x, y);
  }
  ClassHash RootOf(const ClassHash& hash) {
    ClassHash root = hash;
    for (auto up = parents_.find(root); up != parents_.end(); up = parents_.find(root)) {
      root = up->second;
    }
    ClassHash at = hash;
    while (at != root) at = std::exchange(parents_[at], root);
    return root;
  }

 private:
  std::map<ClassHash, ClassHash> parents_;
};

/// Joins the classes of links at or above a threshold.
Result<Components> JoinLinked(const StoreView& view, double threshold) {
  Components components;
  const auto cursor = view.Scan(Family::kEdges, true);
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    const auto link = DecodeLink(cursor->Key(), cursor->Value());
    if (!link) return CorruptError("a link of clusters cannot be read");
    if (link->score >= threshold) components.Join(link->first, link->second);
  }
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  return components;
}

/// A document that is in a cluster with others, perhaps.
struct Placed {
  ClusterName cluster;
  ClassHash part;  ///< The class that represents its part of the cluster.
  DocumentNumber number;
  auto operator<=>(const Placed&) const = default;
};

/// Returns a cluster; nothing if its documents are equal, but in no pair, since they have too few
/// features.
Result<std::optional<IndexCluster>> NamedCluster(const StoreView& view,
                                                 std::span<const Placed> placed, std::string name) {
  IndexCluster cluster{std::move(name), {}};
  std::vector<DocumentNumber> numbers;
  for (const Placed& one : placed) numbers.push_back(one.number);
  LOOKALIKE_ASSIGN_OR_RETURN(auto documents, ReadRecords(view, numbers));
  for (Stored& stored : documents) {
    if (stored.record.searched == SearchedBy::kNothing) return std::nullopt;
    cluster.ids.push_back(std::move(stored.record.id));
  }
  return cluster;
}

}  // namespace

Status ListClusters(const IndexRules& rules, const StoreView& view, double threshold,
                    const std::function<bool(const IndexCluster&)>& take) {
  std::optional<Components> cut;
  if (threshold > rules.threshold()) {
    LOOKALIKE_ASSIGN_OR_RETURN(cut, JoinLinked(view, threshold));
  }
  std::vector<Placed> placed;
  ClassReader reader(view);
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto one, reader.Next());
    if (!one) break;
    const ClassHash part = cut ? cut->RootOf(one->hash) : ClassHash();
    for (const DocumentNumber number : one->members) {
      placed.push_back({one->cluster, part, number});
    }
  }
  std::sort(placed.begin(), placed.end());
  uint32_t parts = 0;
  for (size_t begin = 0, end = 0; begin < placed.size(); begin = end) {
    const auto same = [&](const Placed& x) {
      return x.cluster == placed[begin].cluster && x.part == placed[begin].part;
    };
    while (end < placed.size() && same(placed[end])) ++end;
    const bool continues = begin > 0 && placed[begin - 1].cluster == placed[begin].cluster;
    parts = continues ? parts + 1 : 1;
    if (end - begin < 2) continue;
    const std::string name = TextOf(placed[begin].cluster);
    LOOKALIKE_ASSIGN_OR_RETURN(const auto cluster,
                               NamedCluster(view, std::span(placed).subspan(begin, end - begin),
                                            cut ? name + "/" + std::to_string(parts) : name));
    if (cluster && !take(*cluster)) return {};
  }
  return {};
}

Status CheckClusters(const IndexRules& rules, const StoreView& view, const IndexState& state) {
  if (!rules.settings.clusters) return {};
  std::map<ClassHash, ClusterName> of_class;
  ClassReader reader(view);
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto one, reader.Next());
    if (!one) break;
    of_class.emplace(one->hash, one->cluster);
  }
  const auto cursor = view.Scan(Family::kEdges, true);
  for (cursor->Seek(""); cursor->Valid(); cursor->Next()) {
    const auto link = DecodeLink(cursor->Key(), cursor->Value());
    if (!link) return CorruptError("a link of clusters cannot be read");
    const auto a = of_class.find(link->first), b = of_class.find(link->second);
    if (a == of_class.end() || b == of_class.end() || a->second != b->second) {
      return CorruptError("a link leads out of its cluster");
    }
    const std::string back = ClassPrefix(link->second) + ClassPrefix(link->first);
    LOOKALIKE_ASSIGN_OR_RETURN(const auto value, view.Get(Family::kEdges, back));
    if (!value || *value != cursor->Value()) return CorruptError("a link has one end only");
  }
  LOOKALIKE_RETURN_IF_ERROR(cursor->status());
  // Links of one cluster connect all its classes.
  LOOKALIKE_ASSIGN_OR_RETURN(Components components, JoinLinked(view, 0));
  std::map<ClusterName, ClassHash> roots;
  for (const auto& [hash, name] : of_class) {
    const auto root = roots.emplace(name, components.RootOf(hash)).first;
    if (root->second != components.RootOf(hash)) {
      return CorruptError("cluster " + TextOf(name) + " is in parts that no link connects");
    }
  }
  uint64_t next = 1;
  const auto changes = view.Scan(Family::kChanges, true);
  for (changes->Seek(""); changes->Valid(); changes->Next(), ++next) {
    if (DecodeName(changes->Key()) != next) return CorruptError("a change of clusters is missing");
  }
  LOOKALIKE_RETURN_IF_ERROR(changes->status());
  if (next == state.next_change) return {};
  return CorruptError("the last changes of clusters are missing");
}

}  // namespace lookalike
