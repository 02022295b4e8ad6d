#include "search/classes_pass.h"

#include <algorithm>
#include <utility>

#include "run/key_units.h"
#include "spill/record_reader.h"
#include "stages/cluster/exact_classes.h"

namespace lookalike {
namespace {

using MemberSorter = Sorter<ClassMember>;
using CopySorter = Sorter<ExactCopy>;

/// The representatives of the audit's classes.
class SampledReps {
 public:
  explicit SampledReps(std::span<const StreamHash> sample)
      : sample_(sample), ranks_(sample.size(), kNone) {}

  void Take(const StreamHash& hash, Rank rank) {
    if (sample_.empty() || hash > sample_.back()) return;
    const auto at = std::lower_bound(sample_.begin(), sample_.end(), hash);
    if (*at != hash) return;
    Rank& least = ranks_[static_cast<size_t>(at - sample_.begin())];
    least = std::min(least, rank);
  }

  /// Returns the ranks up to the first class without a document.
  [[nodiscard]] std::vector<Rank> Finish() {
    ranks_.erase(std::find(ranks_.begin(), ranks_.end(), kNone), ranks_.end());
    return std::move(ranks_);
  }

 private:
  static constexpr Rank kNone = ~Rank{0};

  std::span<const StreamHash> sample_;
  std::vector<Rank> ranks_;
};

/// A search for the copies of some units.
class CopySearch {
 public:
  CopySearch(const Job& job, const DocumentUnits& units, const Ranking& ranking,
             const ClassUnits& which, Workspace* workspace)
      : job_(job),
        units_(units),
        ranking_(ranking),
        which_(which),
        store_(workspace->store()),
        memory_(workspace->memory().work / 2),
        is_to_do_(which.count) {
    for (const size_t unit : which.to_do) is_to_do_[unit] = true;
  }

  Result<DocumentFlags> Run(std::span<const StreamHash> sample, const TakeCopies& take) {
    DocumentFlags flags;
    flags.searched = flags.keyed = Bitmap(units_.documents);
    MemberSorter members(&store_, memory_);
    LOOKALIKE_RETURN_IF_ERROR(SortMembers(sample, &members, &flags));
    LOOKALIKE_ASSIGN_OR_RETURN(auto sorted, members.Finish());
    LOOKALIKE_RETURN_IF_ERROR(Scan(&sorted, flags, take));
    return flags;
  }

 private:
  /// Passes every document that may have copies to the sorter, and flags the documents.
  Status SortMembers(std::span<const StreamHash> sample, MemberSorter* sorter,
                     DocumentFlags* flags) const {
    SampledReps sampled(sample);
    RecordReader<ClassRecord> records(units_.runs(), kUnitClasses);
    for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
      const DocNumber first = units_.units[records.run()].first;
      for (const ClassRecord& record : block) {
        const DocNumber doc = first + record.doc;
        if (record.searched == Searched::kByKeys) flags->keyed.Set(doc);
        if (!units_.IsAlive(doc)) continue;
        if (record.searched != Searched::kNot) flags->searched.Set(doc);
        const Rank rank = ranking_.RankOf(doc);
        sampled.Take(record.stream, rank);
        if (!is_to_do_[UnitOf(record.stream)]) continue;
        LOOKALIKE_RETURN_IF_ERROR(sorter->Add(ClassMember{record.stream, rank, record.text_hash}));
      }
    }
    flags->sampled = sampled.Finish();
    return records.status();
  }

  /// Finds the copies among sorted members, in which the units follow one another.
  Status Scan(Sorted<ClassMember>* members, const DocumentFlags& flags, const TakeCopies& take) {
    const PairScope scope = job_.Scope(units_.inputs);
    // A copy of a reference document is removed in favour of it, whether in scope or not.
    ClassScan scan(scope.across_only && job_.rules.all_pairs ? scope.reference_end : 0);
    // The members of a class have equal values of the fields of --not-same, so that no pair of them
    // counts.
    const bool has_copies = job_.choices.guards.not_same.empty();
    const ClassMember* member = members->Next();
    for (const size_t unit : which_.to_do) {
      CopySorter copies(&store_, memory_);
      for (; member != nullptr && UnitOf(member->hash) == unit; member = members->Next()) {
        if (!has_copies) continue;
        if (const auto copy = scan.Take(*member)) LOOKALIKE_RETURN_IF_ERROR(copies.Add(*copy));
      }
      LOOKALIKE_RETURN_IF_ERROR(members->status());
      LOOKALIKE_ASSIGN_OR_RETURN(auto by_rep, copies.Finish());
      LOOKALIKE_RETURN_IF_ERROR(take(unit, flags, &by_rep));
    }
    return {};
  }

  [[nodiscard]] uint64_t UnitOf(const StreamHash& hash) const {
    return UnitOfHash(hash.low, which_.count);
  }

  const Job& job_;
  const DocumentUnits& units_;
  const Ranking& ranking_;
  const ClassUnits& which_;
  RunStore& store_;
  uint64_t memory_;
  std::vector<bool> is_to_do_;  // by unit
};

}  // namespace

Status DocumentClasses::AddCopies(const RunPointer& run, const Ranking& ranking) {
  RecordReader<ExactCopy> added({run}, 0);
  while (const ExactCopy* copy = added.Next()) reps.Clear(ranking.DocOf(copy->copy));
  copies.push_back(run);
  copy_count += run->bytes(0) / sizeof(ExactCopy);
  return added.status();
}

Result<DocumentFlags> FindCopies(const Job& job, const DocumentUnits& units, const Ranking& ranking,
                                 std::span<const StreamHash> sample, const ClassUnits& which,
                                 Workspace* workspace, const TakeCopies& take) {
  return CopySearch(job, units, ranking, which, workspace).Run(sample, take);
}

Result<Bitmap> KeyedDocuments(const DocumentUnits& units) {
  Bitmap keyed(units.documents);
  RecordReader<ClassRecord> records(units.runs(), kUnitClasses);
  for (auto block = records.NextBlock(); !block.empty(); block = records.NextBlock()) {
    const DocNumber first = units.units[records.run()].first;
    for (const ClassRecord& record : block) {
      if (record.searched == Searched::kByKeys) keyed.Set(first + record.doc);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(records.status());
  return keyed;
}

Result<DocumentClasses> FindClasses(const Job& job, const DocumentUnits& units,
                                    const Ranking& ranking, std::span<const StreamHash> sample,
                                    Workspace* workspace) {
  RunPointer all;
  const auto take = [&](size_t, const DocumentFlags&, Sorted<ExactCopy>* copies) -> Status {
    auto writer = workspace->store().Temporary(1);
    LOOKALIKE_RETURN_IF_ERROR(AppendSorted(copies, 0, writer.get()));
    LOOKALIKE_ASSIGN_OR_RETURN(all, writer->Finish());
    return {};
  };
  LOOKALIKE_ASSIGN_OR_RETURN(DocumentFlags flags,
                             FindCopies(job, units, ranking, sample, {}, workspace, take));
  DocumentClasses classes;
  classes.reps = std::move(flags.searched);
  classes.keyed = std::move(flags.keyed);
  classes.sampled = std::move(flags.sampled);
  LOOKALIKE_RETURN_IF_ERROR(classes.AddCopies(all, ranking));
  return classes;
}

}  // namespace lookalike
