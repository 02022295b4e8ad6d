#include "search/classes_pass.h"

#include <optional>
#include <utility>

#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/cluster/exact_classes.h"

namespace lookalike {
namespace {

using MemberSorter = Sorter<ClassMember>;
using CopySorter = Sorter<ExactCopy>;

/// Passes every document that may have copies to the sorter, and flags the searched documents.
Status SortMembers(const DocumentUnits& units, const Ranking& ranking, MemberSorter* sorter,
                   Bitmap* searched, Bitmap* keyed) {
  RecordReader<ClassRecord> records(units.runs(), kUnitClasses);
  for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
    const DocNumber first = units.units[records.run()].first;
    for (const ClassRecord& record : block) {
      const DocNumber doc = first + record.doc;
      if (record.searched == Searched::kByKeys) keyed->Set(doc);
      if (!units.IsAlive(doc)) continue;
      if (record.searched != Searched::kNot) searched->Set(doc);
      LOOKALIKE_RETURN_IF_ERROR(
          sorter->Add(ClassMember{record.stream, ranking.RankOf(doc), record.text_hash}));
    }
  }
  return records.status();
}

}  // namespace

Result<DocumentClasses> FindClasses(const Job& job, const DocumentUnits& units,
                                    const Ranking& ranking, std::span<const StreamHash> sample,
                                    Workspace* workspace) {
  DocumentClasses classes;
  classes.reps = classes.keyed = Bitmap(units.documents);
  RunStore* store = &workspace->store();
  MemberSorter members(store, workspace->memory().work / 2);
  LOOKALIKE_RETURN_IF_ERROR(SortMembers(units, ranking, &members, &classes.reps, &classes.keyed));
  LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, members.Finish());
  CopySorter copies(store, workspace->memory().work / 2);
  const PairScope scope = job.Scope(units.inputs);
  // A copy of a reference document is removed in favour of it, whether in scope or not.
  ClassScan scan(scope.across_only && job.rules.all_pairs ? scope.reference_end : 0);
  while (const ClassMember* member = sorted.Next()) {
    if (const auto copy = scan.Take(*member)) {
      classes.reps.Clear(ranking.DocOf(copy->copy));
      LOOKALIKE_RETURN_IF_ERROR(copies.Add(*copy));
    } else if (classes.sampled.size() < sample.size() &&
               sample[classes.sampled.size()] == member->hash) {
      classes.sampled.push_back(member->rank);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(sorted.status());
  auto writer = store->Temporary(1);
  LOOKALIKE_ASSIGN_OR_RETURN(auto by_rep, copies.Finish());
  LOOKALIKE_RETURN_IF_ERROR(AppendSorted(&by_rep, 0, writer.get()));
  LOOKALIKE_ASSIGN_OR_RETURN(classes.copies, writer->Finish());
  classes.copy_count = classes.copies->bytes(0) / sizeof(ExactCopy);
  return classes;
}

}  // namespace lookalike
