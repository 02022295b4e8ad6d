#include "results/result_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "run/in_order.h"
#include "spill/record_reader.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Number of removals, or of members of clusters, in a block.
constexpr size_t kDocsAtATime = 1 << 9;

/// Most blocks in memory at a time. Naming is soon faster than the sinks.
constexpr size_t kMostBlocks = 8;

/// Returns how many blocks are in memory at a time.
size_t BlocksAtATime() { return std::min(2 * ThreadsHere(), kMostBlocks); }

/// Some clusters, one after the other.
struct ClusterBlock {
  uint64_t first = 0;                ///< Number of the first cluster.
  uint64_t begin = 0;                ///< Position of its first member among all members.
  std::vector<uint64_t> sizes = {};  ///< The size of each cluster.
  uint64_t size = 0;                 ///< The sum of their sizes.
};

/// The members of clusters that follow each other.
struct NamedMembers {
  std::vector<DocNumber> docs;
  MemberList named;
};

/// A block of clusters with its members. A cluster of very many documents is a block of its own,
/// whose members are read when they are asked for.
struct GatheredBlock {
  ClusterBlock clusters;
  std::optional<NamedMembers> members;
};

/// Reads clusters block by block.
class ClusterBlocks {
 public:
  explicit ClusterBlocks(const Decisions& decisions) : sizes_({decisions.clusters.members}, 1) {}

  /// Returns clusters of together up to kDocsAtATime documents, or a larger cluster; nothing at the
  /// end.
  std::optional<ClusterBlock> Next() {
    ClusterBlock block = {.first = number_ + 1, .begin = begin_};
    for (; held_ || (held_ = Read()); held_.reset()) {
      if (block.size != 0 && block.size + *held_ > kDocsAtATime) break;
      block.sizes.push_back(*held_);
      block.size += *held_;
    }
    if (block.sizes.empty()) return std::nullopt;
    number_ += block.sizes.size();
    begin_ += block.size;
    return block;
  }

  [[nodiscard]] const Status& status() const { return sizes_.status(); }

  /// Returns the number of clusters that were read.
  [[nodiscard]] uint64_t number() const { return number_; }

 private:
  std::optional<uint64_t> Read() {
    const uint64_t* const size = sizes_.Next();
    return size == nullptr ? std::nullopt : std::optional(*size);
  }

  RecordReader<uint64_t> sizes_;
  std::optional<uint64_t> held_;  // read, but not yet in a block
  uint64_t number_ = 0, begin_ = 0;
};

/// Gives clusters with their members to a sink.
class ClusterGiver {
 public:
  ClusterGiver(const Job& job, const Decisions& decisions, const StoredMembers& members,
               ResultSink* sink)
      : job_(job), decisions_(decisions), members_(members), sink_(*sink) {}

  /// Safe from several threads.
  [[nodiscard]] Result<GatheredBlock> Gather(ClusterBlock clusters) const {
    GatheredBlock block = {std::move(clusters), std::nullopt};
    if (block.clusters.size > kDocsAtATime) return block;
    LOOKALIKE_ASSIGN_OR_RETURN(
        block.members, Read(block.clusters.begin, block.clusters.size, /*kept_only=*/false));
    return block;
  }

  Status Give(const GatheredBlock& block) {
    uint64_t number = block.clusters.first, begin = 0;
    for (const uint64_t size : block.clusters.sizes) {
      const auto give = [&](bool kept_only, const ClusterRow::TakeMember& take) {
        return block.members ? Some(std::span(block.members->docs).subspan(begin, size),
                                    block.members->named, kept_only, take)
                             : PieceByPiece(block.clusters, kept_only, take);
      };
      LOOKALIKE_RETURN_IF_ERROR(sink_.TakeCluster({number++, size, give}));
      begin += size;
    }
    return {};
  }

 private:
  [[nodiscard]] Result<NamedMembers> Read(uint64_t begin, uint64_t size, bool kept_only) const {
    NamedMembers some = {std::vector<DocNumber>(size), MemberList()};
    LOOKALIKE_RETURN_IF_ERROR(decisions_.clusters.members->Read(
        0, begin * sizeof(DocNumber), std::as_writable_bytes(std::span(some.docs))));
    if (kept_only) std::erase_if(some.docs, [&](DocNumber doc) { return !IsKept(doc); });
    LOOKALIKE_ASSIGN_OR_RETURN(some.named, members_.Gather(job_, some.docs));
    return some;
  }

  Status Some(std::span<const DocNumber> docs, const MemberList& named, bool kept_only,
              const ClusterRow::TakeMember& take) const {
    for (const DocNumber doc : docs) {
      const bool kept = IsKept(doc);
      if (kept_only && !kept) continue;
      LOOKALIKE_RETURN_IF_ERROR(take(NamedBy(job_, named.Of(doc)), kept));
    }
    return {};
  }

  [[nodiscard]] bool IsKept(DocNumber doc) const { return !decisions_.removed.Test(doc); }

  Status PieceByPiece(const ClusterBlock& clusters, bool kept_only,
                      const ClusterRow::TakeMember& take) const {
    for (uint64_t at = 0; at < clusters.size; at += kDocsAtATime) {
      const uint64_t count = std::min<uint64_t>(kDocsAtATime, clusters.size - at);
      LOOKALIKE_ASSIGN_OR_RETURN(const NamedMembers some,
                                 Read(clusters.begin + at, count, kept_only));
      LOOKALIKE_RETURN_IF_ERROR(Some(some.docs, some.named, kept_only, take));
    }
    return {};
  }

  const Job& job_;
  const Decisions& decisions_;
  const StoredMembers& members_;
  ResultSink& sink_;
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
  struct Block {
    std::vector<DocRemoval> removals;
    MemberList named;
  };
  RecordReader<DocRemoval> removals({decisions.removals}, 0, at_a_time * sizeof(DocRemoval));
  uint64_t taken = 0;
  const auto read = [&]() -> std::optional<std::vector<DocRemoval>> {
    const auto block = removals.NextBlock();
    if (block.empty()) return std::nullopt;
    return std::vector<DocRemoval>(block.begin(), block.end());
  };
  const auto gather = [&](std::vector<DocRemoval> block) -> Result<Block> {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : block) docs.insert(docs.end(), {removal.doc, removal.witness});
    LOOKALIKE_ASSIGN_OR_RETURN(MemberList named, members.Gather(job, std::move(docs)));
    return Block{std::move(block), std::move(named)};
  };
  const auto give = [&](const Block& block) {
    taken += block.removals.size();
    return take(block.removals, block.named);
  };
  LOOKALIKE_RETURN_IF_ERROR(RunInOrder(BlocksAtATime(), read, gather, give));
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
  ClusterBlocks blocks(decisions);
  ClusterGiver giver(job, decisions, members, sink);
  LOOKALIKE_RETURN_IF_ERROR(RunInOrder(
      BlocksAtATime(), [&] { return blocks.Next(); },
      [&](ClusterBlock block) { return giver.Gather(std::move(block)); },
      [&](const GatheredBlock& block) { return giver.Give(block); }));
  if (!blocks.status() || blocks.number() != decisions.clusters.count) {
    return EndedEarly(blocks.status(), "the list of clusters");
  }
  return {};
}

}  // namespace lookalike
