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
  std::vector<std::vector<DocNumber>> groups(docs.size());
  for (size_t i = 0; i < docs.size(); ++i) groups[components.Find(i)].push_back(docs[i]);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  std::sort(groups.begin(), groups.end(), [](const auto& x, const auto& y) {
    return x.size() != y.size() ? x.size() > y.size() : x.front() < y.front();
  });

  Clusters clusters;
  clusters.begin.push_back(0);
  for (const auto& group : groups) {
    clusters.members.insert(clusters.members.end(), group.begin(), group.end());
    clusters.begin.push_back(clusters.members.size());
  }
  return clusters;
}

}  // namespace lookalike
