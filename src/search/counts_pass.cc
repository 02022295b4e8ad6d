#include "search/counts_pass.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "run/key_units.h"
#include "search/audit_pass.h"
#include "search/containment_pass.h"
#include "spill/record_reader.h"
#include "spill/sorter.h"
#include "stages/candidates/containment.h"
#include "stages/candidates/few_features.h"

namespace lookalike {
namespace {

enum Stream : uint32_t {
  kFeatures,  ///< As in FewCounts::runs; for containment, as FindShared() returns them.
  kFrequent,  ///< One uint64_t: 1 if some feature of the unit is frequent.
  kLooks,     ///< AuditLook records of the unit's share of the documents.
  kStreams,
};

std::string CountUnit(uint64_t unit) { return "count/" + std::to_string(unit); }

/// Makes the units of a task.
class UnitMaker {
 public:
  UnitMaker(const SearchContext& context, const AuditIndex& audit)
      : context_(context), audit_(audit), workspace_(*context.workspace) {
    if (context.job.few) few_.emplace(context);
  }

  Status Make(uint64_t unit) {
    const auto writer = workspace_.Begin(CountUnit(unit), kStreams);
    if (few_) LOOKALIKE_RETURN_IF_ERROR(AppendCounts(unit, writer.get()));
    if (context_.job.containment) LOOKALIKE_RETURN_IF_ERROR(AppendShared(unit, writer.get()));
    if (!context_.job.measures_containment()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const auto looks, FindLooks(DocumentsOf(unit), context_.reps,
                                                             audit_, workspace_.memory().work));
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecords(kLooks, looks));
    }
    LOOKALIKE_ASSIGN_OR_RETURN([[maybe_unused]] const RunPointer made, writer->Finish());
    return workspace_.Record(kCountStage, unit, {CountUnit(unit)});
  }

 private:
  Status AppendCounts(uint64_t unit, RunWriter* writer) {
    LOOKALIKE_ASSIGN_OR_RETURN(FewCounts counts, few_->Count(FeaturesOf(unit)));
    LOOKALIKE_RETURN_IF_ERROR(AppendFeatures<CountedFeature>(std::move(counts.runs), writer));
    return writer->AppendRecord(kFrequent, uint64_t{counts.some_frequent ? 1U : 0U});
  }

  Status AppendShared(uint64_t unit, RunWriter* writer) {
    LOOKALIKE_ASSIGN_OR_RETURN(auto runs, FindShared(context_, FeaturesOf(unit), {0, 1}));
    return AppendFeatures<SharedFeature>(std::move(runs), writer);
  }

  /// Appends the features of several partitions, by document.
  template <class Feature>
  Status AppendFeatures(std::vector<RunPointer> runs, RunWriter* writer) {
    SortedMerge<Feature, std::less<>> by_doc(std::move(runs), workspace_.memory().work / 2,
                                             Repeats::kKeep);
    while (const Feature* feature = by_doc.Next()) {
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendRecord(kFeatures, *feature));
    }
    return by_doc.status();
  }

  [[nodiscard]] PartitionRange FeaturesOf(uint64_t unit) const {
    return PartitionsOf(unit, context_.job.key_units(), context_.job.partitions());
  }

  /// Returns the fingerprints of the documents that a unit looks at. These are whole lanes, because
  /// other tasks may read files that cut a lane elsewhere.
  [[nodiscard]] std::vector<Unit> DocumentsOf(uint64_t unit) const {
    std::vector<Unit> some;
    const DocumentUnits& all = context_.units;
    for (size_t i = unit; i < all.lanes.size(); i += context_.job.key_units()) {
      const auto first = all.units.begin() + static_cast<ptrdiff_t>(all.lanes[i].first_unit);
      some.insert(some.end(), first, first + static_cast<ptrdiff_t>(all.lanes[i].units));
    }
    return some;
  }

  const SearchContext& context_;
  const AuditIndex& audit_;
  Workspace& workspace_;
  std::optional<FewSearch> few_;
};

}  // namespace

Status MakeCounts(const SearchContext& context, const AuditIndex& audit) {
  UnitMaker maker(context, audit);
  for (const size_t unit : context.workspace->ToDo(kCountStage, context.job.key_units())) {
    LOOKALIKE_RETURN_IF_ERROR(maker.Make(unit));
  }
  return {};
}

Result<CountUnits> FinishedCounts(const Job& job, Workspace* workspace) {
  CountUnits counted;
  for (uint32_t unit = 0; unit < job.key_units(); ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(counted.emplace_back(), workspace->Finished(CountUnit(unit)));
    if (!counted.back()) return EndedEarly({}, "the counts of all documents");
  }
  return counted;
}

Result<std::vector<AuditLook>> ReadLooks(const CountUnits& counted, size_t samples) {
  AuditLooks looks(samples);
  RecordReader<AuditLook> stored(counted, kLooks);
  while (const AuditLook* look = stored.Next()) {
    if (look->sample >= samples) return EndedEarly({}, "the audit's sample");
    looks.Add(*look);
  }
  LOOKALIKE_RETURN_IF_ERROR(stored.status());
  return looks.Take();
}

Result<FewCounts> ReadFewCounts(const CountUnits& counted) {
  FewCounts counts;
  counts.runs = counted;
  for (const RunPointer& unit : counted) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto frequent, ReadRecords<uint64_t>(*unit, kFrequent));
    for (const uint64_t some : frequent) counts.some_frequent = counts.some_frequent || some != 0;
  }
  return counts;
}

}  // namespace lookalike
