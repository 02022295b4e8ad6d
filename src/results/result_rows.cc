#include "results/result_rows.h"

#include <algorithm>
#include <span>
#include <vector>

#include "spill/record_reader.h"

namespace lookalike {
namespace {

/// Number of documents whose members are in memory at a time.
constexpr size_t kDocsAtATime = 1 << 11;

/// A reader of the members of clusters, a large cluster in several pieces.
class ClusterMembers {
 public:
  ClusterMembers(const Job& job, const Decisions& decisions, const StoredMembers& members)
      : job_(job), decisions_(decisions), members_(members) {}

  /// Gives the members of the cluster of `size` documents from position `begin` on.
  Status Give(uint64_t begin, uint64_t size, bool kept_only,
              const ClusterRow::TakeMember& take) const {
    for (uint64_t at = begin; at < begin + size; at += kDocsAtATime) {
      std::vector<DocNumber> docs(std::min<uint64_t>(kDocsAtATime, begin + size - at));
      LOOKALIKE_RETURN_IF_ERROR(decisions_.clusters.members->Read(
          0, at * sizeof(DocNumber), std::as_writable_bytes(std::span(docs))));
      if (kept_only) std::erase_if(docs, [&](DocNumber doc) { return !IsKept(doc); });
      LOOKALIKE_ASSIGN_OR_RETURN(const MemberList named, members_.Gather(job_, docs));
      for (const DocNumber doc : docs) {
        LOOKALIKE_RETURN_IF_ERROR(take(NamedBy(job_, named.Of(doc)), IsKept(doc)));
      }
    }
    return {};
  }

 private:
  [[nodiscard]] bool IsKept(DocNumber doc) const { return !decisions_.removed.Test(doc); }

  const Job& job_;
  const Decisions& decisions_;
  const StoredMembers& members_;
};

}  // namespace

NamedDocument NamedBy(const Job& job, const Member& member) {
  return {member.id, job.inputs.NameOf(member.source), member.row,
          member.source < job.reference_inputs};
}

ResultLayout RemovalLayout(const Job& job) {
  return {.contained = job.measures_containment() && !job.only_suggests,
          .estimated = job.only_suggests};
}

Status ForBlocksOfRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                           size_t at_a_time, const TakeRemovals& take) {
  RecordReader<DocRemoval> removals({decisions.removals}, 0, at_a_time * sizeof(DocRemoval));
  uint64_t taken = 0;
  for (auto block = removals.NextBlock(); !block.empty(); block = removals.NextBlock()) {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : block) docs.insert(docs.end(), {removal.doc, removal.witness});
    LOOKALIKE_ASSIGN_OR_RETURN(const MemberList named, members.Gather(job, std::move(docs)));
    LOOKALIKE_RETURN_IF_ERROR(take(block, named));
    taken += block.size();
  }
  if (!removals.status() || taken != decisions.removed_exact + decisions.removed_near) {
    return EndedEarly(removals.status(), "the list of removals");
  }
  return {};
}

Result<RemovalRow> RowOf(const Job& job, const DocRemoval& removal, const MemberList& named,
                         DocCursor<ClusterOfDoc>* clusters) {
  const ClusterOfDoc* entry = clusters->Find(removal.doc);
  if (entry == nullptr) return EndedEarly(clusters->status(), "the list of clusters");
  return RemovalRow{.document = NamedBy(job, named.Of(removal.doc)),
                    .witness = NamedBy(job, named.Of(removal.witness)),
                    .kind = removal.kind,
                    .resemblance = removal.resemblance,
                    .in_witness = removal.in_witness,
                    .of_witness = removal.of_witness,
                    .cluster = entry->cluster};
}

Status GiveRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink) {
  DocCursor<ClusterOfDoc> clusters(decisions.clusters.by_doc);
  return ForBlocksOfRemovals(
      job, decisions, members, kDocsAtATime,
      [&](std::span<const DocRemoval> removals, const MemberList& named) -> Status {
        for (const DocRemoval& removal : removals) {
          LOOKALIKE_ASSIGN_OR_RETURN(const RemovalRow row, RowOf(job, removal, named, &clusters));
          LOOKALIKE_RETURN_IF_ERROR(sink->TakeRemoval(row));
        }
        return {};
      });
}

Status GiveClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    ResultSink* sink) {
  const ClusterMembers reader(job, decisions, members);
  RecordReader<uint64_t> sizes({decisions.clusters.members}, 1);
  uint64_t number = 0, begin = 0;
  while (const uint64_t* next = sizes.Next()) {
    const uint64_t size = *next;
    const auto give = [&](bool kept_only, const ClusterRow::TakeMember& take) {
      return reader.Give(begin, size, kept_only, take);
    };
    LOOKALIKE_RETURN_IF_ERROR(sink->TakeCluster({++number, size, give}));
    begin += size;
  }
  if (!sizes.status() || number != decisions.clusters.count) {
    return EndedEarly(sizes.status(), "the list of clusters");
  }
  return {};
}

}  // namespace lookalike
