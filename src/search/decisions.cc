#include "search/decisions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "search/pair_judge.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/cluster/components.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

using RemovalSorter = Sorter<DocRemoval>;

DocRemoval InDocuments(const Removal& removal, const Ranking& ranking) {
  return {ranking.DocOf(removal.removed),
          ranking.DocOf(removal.witness),
          removal.resemblance,
          removal.kind,
          ranking.levels.Between(removal.witness, removal.removed),
          removal.in_witness,
          removal.of_witness};
}

/// Scans the edges; writes near removals, by rank, to a run.
Result<RunPointer> KeepByEdges(const Job& job, const SearchResult& search, Workspace* workspace) {
  auto writer = workspace->store().Temporary(1);
  GreedyKeep keep(search.units.documents);
  const std::unique_ptr<PairJudge> judge = JudgeOf(job);
  RecordReader<Edge> edges(search.edges.runs, 0);
  for (auto block = edges.NextBlock(); !block.empty(); block = edges.NextBlock()) {
    for (const Edge& edge : block) {
      auto removal = keep.Take(edge);
      if (!removal) continue;
      removal->resemblance = judge->FiguresOf(edge).resemblance;
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *removal));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  return writer->Finish();
}

/// Adds the removals of near-duplicates and of copies. Both come by rank of the document that
/// decides them.
Status AddRemovals(const SearchResult& search, const PairScope& scope, const RunPointer& near_run,
                   RemovalSorter* sorter) {
  RecordReader<Removal> near({near_run}, 0);
  for (auto block = near.NextBlock(); !block.empty(); block = near.NextBlock()) {
    for (const Removal& removal : block) {
      LOOKALIKE_RETURN_IF_ERROR(sorter->Add(InDocuments(removal, search.ranking)));
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(near.status());
  RecordReader<Removal> of_reps({near_run}, 0);
  CopyReader copies(search.classes);
  const Removal* of_rep = of_reps.Next();
  while (const ExactCopy* copy = copies.Next()) {
    while (of_rep != nullptr && of_rep->removed < copy->rep) of_rep = of_reps.Next();
    const bool removed = of_rep != nullptr && of_rep->removed == copy->rep;
    // Reference documents are never removed, and copies of kept documents may be out of scope.
    if (!removed && !scope.Counts(copy->rep, copy->copy)) continue;
    const Removal removal = RemovalOfCopy(*copy, removed ? of_rep : nullptr);
    LOOKALIKE_RETURN_IF_ERROR(sorter->Add(InDocuments(removal, search.ranking)));
  }
  LOOKALIKE_RETURN_IF_ERROR(of_reps.status());
  return copies.status();
}

/// Flags and counts a removal.
void Count(const DocRemoval& removal, Decisions* decisions) {
  decisions->removed.Set(removal.doc);
  ++(removal.kind == RemovalKind::kNear ? decisions->removed_near : decisions->removed_exact);
  ++decisions->kept_by[static_cast<size_t>(removal.kept_by)];
}

Status WriteRemovals(RemovalSorter* sorter, Workspace* workspace, Decisions* decisions) {
  auto writer = workspace->store().Temporary(1);
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, sorter->Finish());
  while (const DocRemoval* removal = sorted.Next()) {
    Count(*removal, decisions);
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, *removal));
  }
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  LOOKALIKE_ASSIGN_OR_RETURN(decisions->removals, writer->Finish());
  return {};
}

/// Flags and counts the documents that the removals of `decisions` have.
Status CountRemovals(uint64_t documents, Decisions* decisions) {
  decisions->removed = Bitmap(documents);
  RecordReader<DocRemoval> removals({decisions->removals}, 0);
  while (const DocRemoval* removal = removals.Next()) Count(*removal, decisions);
  return removals.status();
}

Status AddLeaderLinks(const Decisions& decisions, Sorter<GroupLink>* links) {
  RecordReader<DocRemoval> removals({decisions.removals}, 0);
  while (const DocRemoval* removal = removals.Next()) {
    LOOKALIKE_RETURN_IF_ERROR(links->Add(GroupLink{removal->witness, removal->witness}));
    LOOKALIKE_RETURN_IF_ERROR(links->Add(GroupLink{removal->witness, removal->doc}));
  }
  return removals.status();
}

/// Calls `take(x, y)` for all pairs of documents that edges and copies link.
template <class Take>
Status ForEachLink(const SearchResult& search, Rank reference_end, Take&& take) {
  const Ranking& ranking = search.ranking;
  RecordReader<Edge> edges(search.edges.runs, 0);
  while (const Edge* edge = edges.Next()) take(ranking.DocOf(edge->a), ranking.DocOf(edge->d));
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  RecordReader<ExactCopy> copies(search.classes.copies, 0);
  while (const ExactCopy* copy = copies.Next()) {
    if (copy->copy < reference_end) continue;
    take(ranking.DocOf(copy->rep), ranking.DocOf(copy->copy));
  }
  return copies.status();
}

Status AddComponentLinks(const SearchResult& search, Rank reference_end, Sorter<GroupLink>* links) {
  Bitmap linked(search.units.documents);
  LOOKALIKE_RETURN_IF_ERROR(ForEachLink(search, reference_end, [&](DocNumber x, DocNumber y) {
    linked.Set(x);
    linked.Set(y);
  }));
  const RankedBitmap positions(std::move(linked));
  Components components(positions.count());
  LOOKALIKE_RETURN_IF_ERROR(ForEachLink(search, reference_end, [&](DocNumber x, DocNumber y) {
    components.Join(positions.Rank(x), positions.Rank(y));
  }));
  Status status;
  uint64_t position = 0;
  positions.bits().ForEach([&](DocNumber doc) {
    if (status) status = links->Add(GroupLink{components.Find(position), doc});
    ++position;
  });
  return status;
}

}  // namespace

Status ListGuarded(const SearchResult& search, Workspace* workspace, Decisions* decisions) {
  if (!search.units.guards.guards()) return {};
  auto writer = workspace->store().Temporary(1);
  RecordReader<Edge> edges(search.edges.runs, kGuardedStream);
  while (const Edge* edge = edges.Next()) {
    const GuardedPair pair = {search.ranking.DocOf(edge->a), search.ranking.DocOf(edge->d),
                              edge->resemblance()};
    if (decisions->removed.Test(pair.a) || decisions->removed.Test(pair.d)) continue;
    LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(0, pair));
  }
  LOOKALIKE_RETURN_IF_ERROR(edges.status());
  LOOKALIKE_ASSIGN_OR_RETURN(decisions->guarded, writer->Finish());
  return {};
}

Result<std::map<DocNumber, DocRemoval>> Decisions::RemovalsOf(
    std::span<const DocNumber> docs) const {
  std::map<DocNumber, DocRemoval> found;
  RecordReader<DocRemoval> all({removals}, 0);
  auto doc = docs.begin();
  while (doc != docs.end()) {
    const DocRemoval* removal = all.Next();
    if (removal == nullptr) break;
    while (doc != docs.end() && *doc < removal->doc) ++doc;
    if (doc != docs.end() && *doc == removal->doc) found.emplace(removal->doc, *removal);
  }
  LOOKALIKE_RETURN_IF_ERROR(all.status());
  return found;
}

Result<Decisions> Decide(const Job& job, const SearchResult& search, Workspace* workspace) {
  const Rank reference_end = job.ReferenceEnd(search.units.inputs);
  Decisions decisions;
  decisions.removed = Bitmap(search.units.documents);
  LOOKALIKE_ASSIGN_OR_RETURN(const RunPointer near, KeepByEdges(job, search, workspace));
  RemovalSorter removals(&workspace->store(), workspace->memory().work / 2);
  LOOKALIKE_RETURN_IF_ERROR(AddRemovals(search, job.Scope(search.units.inputs), near, &removals));
  LOOKALIKE_RETURN_IF_ERROR(WriteRemovals(&removals, workspace, &decisions));
  LOOKALIKE_RETURN_IF_ERROR(ListGuarded(search, workspace, &decisions));
  Sorter<GroupLink> links(&workspace->store(), workspace->memory().work / 4, Repeats::kDrop);
  LOOKALIKE_RETURN_IF_ERROR(job.choices.cluster == Clustering::kComponents
                                ? AddComponentLinks(search, reference_end, &links)
                                : AddLeaderLinks(decisions, &links));
  LOOKALIKE_ASSIGN_OR_RETURN(decisions.clusters, MakeClusters(&links, workspace));
  return decisions;
}

Result<Decisions> DecideByRemovals(RunPointer removals, uint64_t documents, Workspace* workspace) {
  Decisions decisions;
  decisions.removals = std::move(removals);
  LOOKALIKE_RETURN_IF_ERROR(CountRemovals(documents, &decisions));
  Sorter<GroupLink> links(&workspace->store(), workspace->memory().work / 4, Repeats::kDrop);
  LOOKALIKE_RETURN_IF_ERROR(AddLeaderLinks(decisions, &links));
  LOOKALIKE_ASSIGN_OR_RETURN(decisions.clusters, MakeClusters(&links, workspace));
  return decisions;
}

namespace {

constexpr const char *kRemovalsUnit = "decide/removals", *kMembersUnit = "decide/members",
                     *kByDocUnit = "decide/by_doc";

/// Copies a run to a unit.
Status StoreRun(const RunPointer& run, const char* unit, Workspace* workspace) {
  auto writer = workspace->Begin(unit, run->streams());
  std::vector<std::byte> piece(RunStore::kChunkBytes);
  for (uint32_t stream = 0; stream < run->streams(); ++stream) {
    for (uint64_t at = 0; at < run->bytes(stream); at += piece.size()) {
      piece.resize(std::min<uint64_t>(RunStore::kChunkBytes, run->bytes(stream) - at));
      LOOKALIKE_RETURN_IF_ERROR(run->Read(stream, at, piece));
      LOOKALIKE_RETURN_IF_ERROR(writer->Append(stream, piece));
    }
  }
  LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer stored, writer->Finish());
  return {};
}

Result<RunPointer> FinishedRun(const char* unit, Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(RunPointer run, workspace->Finished(unit));
  if (!run) return EndedEarly({}, "the record of the decisions");
  return run;
}

}  // namespace

Status RecordDecisions(const Decisions& decisions, Workspace* workspace) {
  LOOKALIKE_RETURN_IF_ERROR(StoreRun(decisions.removals, kRemovalsUnit, workspace));
  LOOKALIKE_RETURN_IF_ERROR(StoreRun(decisions.clusters.members, kMembersUnit, workspace));
  LOOKALIKE_RETURN_IF_ERROR(StoreRun(decisions.clusters.by_doc, kByDocUnit, workspace));
  return workspace->Record(kDecideStage, 0, {kRemovalsUnit, kMembersUnit, kByDocUnit});
}

Result<Decisions> ReadDecisions(uint64_t documents, Workspace* workspace) {
  Decisions decisions;
  LOOKALIKE_ASSIGN_OR_RETURN(decisions.removals, FinishedRun(kRemovalsUnit, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(decisions.clusters.members, FinishedRun(kMembersUnit, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(decisions.clusters.by_doc, FinishedRun(kByDocUnit, workspace));
  LOOKALIKE_RETURN_IF_ERROR(CountRemovals(documents, &decisions));
  RecordReader<uint64_t> sizes({decisions.clusters.members}, 1);
  while (const uint64_t* size = sizes.Next()) {
    ++decisions.clusters.count;
    decisions.clusters.documents += *size;
    ++decisions.clusters.sizes[*size];
  }
  LOOKALIKE_RETURN_IF_ERROR(sizes.status());
  return decisions;
}

}  // namespace lookalike
