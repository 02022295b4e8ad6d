#include "search/clusters.h"

#include <utility>

namespace lookalike {
namespace {

/// A group. Groups sort in the order in which clusters are numbered.
struct Head {
  uint64_t smallness;  ///< UINT64_MAX - size.
  DocNumber first;
  uint64_t root;
  auto operator<=>(const Head&) const = default;
};

/// The cluster that a root's group has become.
struct Numbered {
  uint64_t root, cluster, size;
  auto operator<=>(const Numbered&) const = default;
};

struct Membership {
  uint64_t cluster;
  DocNumber doc;
  auto operator<=>(const Membership&) const = default;
};

class ClusterMaker {
 public:
  explicit ClusterMaker(Workspace* workspace)
      : store_(workspace->store()), share_(workspace->memory().work / 4) {}

  Result<ClusterTable> Make(Sorter<GroupLink>* links) {
    LOOKALIKE_RETURN_IF_ERROR(FindGroups(links));
    LOOKALIKE_RETURN_IF_ERROR(NumberGroups());
    LOOKALIKE_RETURN_IF_ERROR(Distribute());
    return std::move(table_);
  }

 private:
  /// Writes the sorted links to a run, to be read once more, and finds the groups.
  Status FindGroups(Sorter<GroupLink>* links) {
    auto writer = store_.Temporary(1);
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, links->Finish());
    Head head = {};
    uint64_t size = 0;
    while (const GroupLink* link = sorted.Next()) {
      if (size == 0 || link->root != head.root) {
        LOOKALIKE_RETURN_IF_ERROR(EndGroup(head, size));
        head = {0, link->doc, link->root};
        size = 0;
      }
      ++size;
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *link));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    LOOKALIKE_RETURN_IF_ERROR(EndGroup(head, size));
    LOOKALIKE_ASSIGN_OR_RETURN(links_, writer->Finish());
    return {};
  }

  Status EndGroup(Head head, uint64_t size) {
    if (size == 0) return {};
    head.smallness = UINT64_MAX - size;
    ++table_.sizes[size];
    table_.documents += size;
    return heads_.Add(head);
  }

  Status NumberGroups() {
    members_ = store_.Temporary(2);
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, heads_.Finish());
    while (const Head* head = sorted.Next()) {
      const uint64_t size = UINT64_MAX - head->smallness;
      LOOKALIKE_RETURN_IF_ERROR(members_->AppendRecord(1, size));
      LOOKALIKE_RETURN_IF_ERROR(numbers_.Add(Numbered{head->root, ++table_.count, size}));
    }
    return sorted.status();
  }

  /// Gives every member the number of its group, and sorts both ways.
  Status Distribute() {
    Sorter<Membership> by_cluster(&store_, share_);
    Sorter<ClusterOfDoc> by_doc(&store_, share_);
    LOOKALIKE_ASSIGN_OR_RETURN(auto numbers, numbers_.Finish());
    RecordReader<GroupLink> links({std::exchange(links_, nullptr)}, 0);
    Numbered group = {};
    while (const GroupLink* link = links.Next()) {
      while (group.cluster == 0 || group.root != link->root) {
        const Numbered* next = numbers.Next();
        if (next == nullptr) return EndedEarly(numbers.status(), "the list of clusters");
        group = *next;
      }
      LOOKALIKE_RETURN_IF_ERROR(by_cluster.Add(Membership{group.cluster, link->doc}));
      LOOKALIKE_RETURN_IF_ERROR(by_doc.Add(ClusterOfDoc{link->doc, group.cluster, group.size}));
    }
    LOOKALIKE_RETURN_IF_ERROR(links.status());
    LOOKALIKE_RETURN_IF_ERROR(WriteMembers(&by_cluster));
    return WriteByDoc(&by_doc);
  }

  Status WriteMembers(Sorter<Membership>* by_cluster) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_cluster->Finish());
    while (const Membership* member = sorted.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(members_->AppendRecord(0, member->doc));
    }
    LOOKALIKE_RETURN_IF_ERROR(sorted.status());
    LOOKALIKE_ASSIGN_OR_RETURN(table_.members, members_->Finish());
    return {};
  }

  Status WriteByDoc(Sorter<ClusterOfDoc>* by_doc) {
    auto writer = store_.Temporary(1);
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, by_doc->Finish());
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&sorted, 0, writer.get()));
    LOOKALIKE_ASSIGN_OR_RETURN(table_.by_doc, writer->Finish());
    return {};
  }

  RunStore& store_;
  uint64_t share_;
  ClusterTable table_;
  RunPointer links_;
  Sorter<Head> heads_{&store_, share_};
  Sorter<Numbered> numbers_{&store_, share_};
  std::unique_ptr<RunWriter> members_;
};

}  // namespace

Result<ClusterTable> MakeClusters(Sorter<GroupLink>* links, Workspace* workspace) {
  return ClusterMaker(workspace).Make(links);
}

}  // namespace lookalike
