#include "stages/cluster/groups.h"

#include <algorithm>
#include <numeric>

namespace lookalike {
namespace {

/// Union-find over positions in a sorted list of documents; the root is the first member.
class Components {
 public:
  explicit Components(size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }

  size_t Find(size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }

  void Join(size_t x, size_t y) {
    x = Find(x), y = Find(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<size_t> parent_;
};

size_t PositionOf(const std::vector<DocNumber>& sorted, DocNumber doc) {
  return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), doc) - sorted.begin());
}

}  // namespace

Clusters GroupByLinks(std::span<const Link> links) {
  std::vector<DocNumber> docs;
  docs.reserve(2 * links.size());
  for (const Link& link : links) docs.insert(docs.end(), {link.x, link.y});
  std::sort(docs.begin(), docs.end());
  docs.erase(std::unique(docs.begin(), docs.end()), docs.end());

  Components components(docs.size());
  for (const Link& link : links) {
    components.Join(PositionOf(docs, link.x), PositionOf(docs, link.y));
  }
  // A counting sort by root, which is the first member, keeps members in input order.
  std::vector<size_t> slot(docs.size());  // sizes by root, then the next free place
  for (size_t i = 0; i < docs.size(); ++i) ++slot[components.Find(i)];
  struct Group {
    size_t root, size;
  };
  std::vector<Group> groups;
  for (size_t i = 0; i < docs.size(); ++i) {
    if (slot[i] != 0) groups.push_back({i, slot[i]});
  }
  std::sort(groups.begin(), groups.end(), [](const Group& x, const Group& y) {
    return x.size != y.size ? x.size > y.size : x.root < y.root;
  });

  Clusters clusters;
  clusters.begin.push_back(0);
  for (const Group& group : groups) {
    slot[group.root] = clusters.begin.back();
    clusters.begin.push_back(clusters.begin.back() + group.size);
  }
  clusters.members.resize(docs.size());
  for (size_t i = 0; i < docs.size(); ++i) {
    clusters.members[slot[components.Find(i)]++] = docs[i];
  }
  return clusters;
}

}  // namespace lookalike
