#include "results/result_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/in_order.h"
#include "spill/record_reader.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

/// Number of removals, or of members of clusters, in a block.
constexpr size_t kDocsAtATime = 1 << 9;

/// Most blocks in memory at a time: with names and lines, each takes some hundred kilobytes, and
/// writing them is soon the slower part.
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

/// A block of clusters with its members, and their lines if they go to files. A cluster of very
/// many documents is a block of its own, whose members are read when they are asked for.
struct GatheredBlock {
  ClusterBlock clusters;
  std::optional<NamedMembers> members;
  std::string lines;
};

/// A block of removals, with the names of their documents, and their lines if they go to files.
struct RemovalBlock {
  std::vector<DocRemoval> removals;
  MemberList named;
  std::vector<uint64_t> clusters;  ///< The cluster of each, if rows are made.
  std::vector<FieldScore> scores;  ///< The scores of each by text field.
  std::string lines;
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

/// Gives clusters with their members to the targets.
class ClusterGiver {
 public:
  ClusterGiver(const Job& job, const Decisions& decisions, const StoredMembers& members,
               const RowTargets& to)
      : job_(job), decisions_(decisions), members_(members), to_(to) {}

  /// Safe from several threads.
  [[nodiscard]] Result<GatheredBlock> Gather(ClusterBlock clusters) const {
    GatheredBlock block = {std::move(clusters), std::nullopt, {}};
    if (block.clusters.size > kDocsAtATime) return block;
    LOOKALIKE_ASSIGN_OR_RETURN(
        block.members, Read(block.clusters.begin, block.clusters.size, /*kept_only=*/false));
    if (to_.files == nullptr) return block;
    LOOKALIKE_RETURN_IF_ERROR(ForEachRow(
        block, [&](const ClusterRow& row) { return to_.files->AppendCluster(row, &block.lines); }));
    return block;
  }

  Status Give(const GatheredBlock& block) {
    if (block.members && to_.files != nullptr) {
      LOOKALIKE_RETURN_IF_ERROR(to_.files->WriteClusters(block.lines));
    }
    return ForEachRow(block, [&](const ClusterRow& row) -> Status {
      if (!block.members && to_.files != nullptr) {
        LOOKALIKE_RETURN_IF_ERROR(to_.files->TakeCluster(row));
      }
      return to_.sink != nullptr ? to_.sink->TakeCluster(row) : Status();
    });
  }

 private:
  /// Calls `take(row)` for each cluster of the block.
  template <class Take>
  Status ForEachRow(const GatheredBlock& block, const Take& take) const {
    uint64_t number = block.clusters.first, begin = 0;
    for (const uint64_t size : block.clusters.sizes) {
      const auto give = [&](bool kept_only, const ClusterRow::TakeMember& take_member) {
        return block.members ? Some(std::span(block.members->docs).subspan(begin, size),
                                    block.members->named, kept_only, take_member)
                             : PieceByPiece(block.clusters, kept_only, take_member);
      };
      LOOKALIKE_RETURN_IF_ERROR(take({number++, size, give}));
      begin += size;
    }
    return {};
  }

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
  RowTargets to_;
};

/// Calls `make(RemovalBlock*) -> Status` for blocks of removals, on several threads, and then
/// `take(block) -> Status` in input order. The blocks have removals and names.
template <class Make, class Take>
Status ForRemovalBlocks(const Job& job, const Decisions& decisions, const StoredMembers& members,
                        size_t at_a_time, const Make& make, const Take& take) {
  RecordReader<DocRemoval> removals({decisions.removals}, 0, at_a_time * sizeof(DocRemoval));
  uint64_t taken = 0;
  const auto read = [&]() -> std::optional<std::vector<DocRemoval>> {
    const auto block = removals.NextBlock();
    if (block.empty()) return std::nullopt;
    return std::vector<DocRemoval>(block.begin(), block.end());
  };
  const auto gather = [&](std::vector<DocRemoval> some) -> Result<RemovalBlock> {
    std::vector<DocNumber> docs;
    for (const DocRemoval& removal : some) docs.insert(docs.end(), {removal.doc, removal.witness});
    RemovalBlock block;
    LOOKALIKE_ASSIGN_OR_RETURN(block.named, members.Gather(job, std::move(docs)));
    block.removals = std::move(some);
    LOOKALIKE_RETURN_IF_ERROR(make(&block));
    return block;
  };
  const auto give = [&](const RemovalBlock& block) {
    taken += block.removals.size();
    return take(block);
  };
  LOOKALIKE_RETURN_IF_ERROR(RunInOrder(BlocksAtATime(), read, gather, give));
  if (!removals.status() || taken != decisions.removed_exact + decisions.removed_near) {
    return EndedEarly(removals.status(), "the list of removals");
  }
  return {};
}

}  // namespace

NamedDocument NamedBy(const Job& job, const Member& member) {
  return {member.id, job.inputs.NameOf(member.source), member.row,
          member.source < job.reference_inputs};
}

ResultLayout RemovalLayout(const Job& job) {
  return {.contained = job.measures_containment() && !job.only_suggests,
          .estimated = job.only_suggests,
          .guarded = !job.choices.guards.differ.empty(),
          .by_criteria = !job.choices.keep.IsFirst(),
          .text_fields = job.choices.text_fields.paths};
}

Status ForBlocksOfRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                           size_t at_a_time, const TakeRemovals& take) {
  return ForRemovalBlocks(
      job, decisions, members, at_a_time, [](RemovalBlock*) { return Status(); },
      [&](const RemovalBlock& block) { return take(block.removals, block.named); });
}

Result<uint64_t> ClusterOf(DocNumber doc, DocCursor<ClusterOfDoc>* clusters) {
  const ClusterOfDoc* entry = clusters->Find(doc);
  if (entry == nullptr) return EndedEarly(clusters->status(), "the list of clusters");
  return entry->cluster;
}

RemovalRow RowOf(const Job& job, const DocRemoval& removal, const MemberList& named,
                 uint64_t cluster) {
  return {.document = NamedBy(job, named.Of(removal.doc)),
          .witness = NamedBy(job, named.Of(removal.witness)),
          .kind = removal.kind,
          .resemblance = removal.resemblance,
          .in_witness = removal.in_witness,
          .of_witness = removal.of_witness,
          .cluster = cluster,
          .kept_by = job.choices.keep.IsFirst() ? std::string_view()
                                                : NameOfLevel(removal.kept_by, job.choices.keep)};
}

Status GiveRemovals(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    const FieldScores& scores, const RowTargets& to) {
  const auto row_of = [&](const RemovalBlock& block, size_t i) {
    RemovalRow row = RowOf(job, block.removals[i], block.named, block.clusters[i]);
    row.scores = scores.Of(i, block.scores);
    return row;
  };
  const auto make = [&](RemovalBlock* block) -> Status {
    DocCursor<ClusterOfDoc> clusters(decisions.clusters.by_doc, block->removals.front().doc);
    std::vector<FieldScores::Pair> pairs;
    for (const DocRemoval& removal : block->removals) {
      LOOKALIKE_ASSIGN_OR_RETURN(const uint64_t cluster, ClusterOf(removal.doc, &clusters));
      block->clusters.push_back(cluster);
      pairs.emplace_back(removal.doc, removal.witness);
    }
    LOOKALIKE_RETURN_IF_ERROR(scores.Append(pairs, &block->scores));
    if (to.files == nullptr) return {};
    for (size_t i = 0; i < block->removals.size(); ++i) {
      to.files->AppendRemoval(row_of(*block, i), &block->lines);
    }
    return {};
  };
  const auto give = [&](const RemovalBlock& block) -> Status {
    if (to.files != nullptr) LOOKALIKE_RETURN_IF_ERROR(to.files->WriteRemovals(block.lines));
    if (to.sink == nullptr) return {};
    for (size_t i = 0; i < block.removals.size(); ++i) {
      LOOKALIKE_RETURN_IF_ERROR(to.sink->TakeRemoval(row_of(block, i)));
    }
    return {};
  };
  return ForRemovalBlocks(job, decisions, members, kDocsAtATime, make, give);
}

Status GiveClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    const RowTargets& to) {
  ClusterBlocks blocks(decisions);
  ClusterGiver giver(job, decisions, members, to);
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
