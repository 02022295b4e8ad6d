#include "uses/distances/distance_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "lookalike/size.h"
#include "results/rank_counter.h"
#include "run/attempt.h"
#include "run/job.h"
#include "run/no_exceptions.h"
#include "run/resolve_job.h"
#include "run/run_facts.h"
#include "run/workspace.h"
#include "search/recall.h"
#include "spill/sorter.h"
#include "uses/distances/distance_items.h"
#include "uses/distances/joins/nearest.h"
#include "uses/distances/joins/point_join.h"

namespace lookalike {
namespace {

/// The state that both searches start from.
struct Opened {
  DistanceKind kind = DistanceKind::kL2;
  Job job;
  std::unique_ptr<Workspace> workspace;
};

Result<Opened> Open(const SearchCall& call, PendingOutput* pending) {
  Opened opened;
  opened.kind = *call.choices.distance;
  LOOKALIKE_ASSIGN_OR_RETURN(const StressSettings stress, StressSettingsInOneGo());
  const std::string spool = pending->path("spool");
  LOOKALIKE_RETURN_IF_ERROR(MakeParentDirectories(spool + "/stdin", RealFileSystem()));
  LOOKALIKE_ASSIGN_OR_RETURN(
      opened.job,
      JobOfDistances(call.inputs, call.options, FormOfDistance(opened.kind), spool, call.objects));
  LOOKALIKE_RETURN_IF_ERROR(pending->CheckApartFrom(opened.job.inputs));
  LOOKALIKE_ASSIGN_OR_RETURN(opened.workspace, OpenScratch(call.options, pending, stress));
  return opened;
}

JoinTask TaskOf(const SearchCall& call, const DistanceItems& items) {
  JoinTask task;
  task.within =
      call.options.within >= 0 ? call.options.within : std::numeric_limits<double>::infinity();
  task.reference = items.reference;
  task.seed = call.options.seed;
  task.recall = call.options.recall;
  task.cancelled = call.observer.cancelled;
  const MethodOption::Kind method = call.choices.method.kind;
  if (method == MethodOption::Kind::kLsh) task.ask = JoinTask::Ask::kKeys;
  const bool all = method == MethodOption::Kind::kExact || call.options.design == "all";
  if (all) task.ask = JoinTask::Ask::kExact;
  return task;
}

/// False if there can be no pairs, for example because one of two collections is empty.
bool HasPairs(const SearchCall& call, const DistanceItems& items) {
  if (call.options.against.empty()) return items.size() > 1;
  return items.reference > 0 && items.reference < items.size();
}

/// A sorter that takes pairs as a join finds them, and counts them.
class PairSorter {
 public:
  PairSorter(const SearchCall& call, uint32_t reference, Workspace* workspace)
      : yes_(call.options.yes),
        swapped_(reference != 0),
        // A join may find a pair twice.
        sorter_(&workspace->store(), workspace->memory().work, Repeats::kDrop) {}

  Status Take(std::span<const PointPair> pairs) {
    count_ += pairs.size();
    if (count_ > kMostPairsUnasked && !yes_) return FailOnCount(count_);
    // Reference items have the lower numbers, but come second in a pair.
    for (const PointPair& pair : pairs) {
      LOOKALIKE_RETURN_IF_ERROR(
          sorter_.Add(swapped_ ? PointPair{pair.b, pair.a, pair.distance} : pair));
    }
    return {};
  }

  static Status FailOnCount(uint64_t count) {
    return UsageError(
        fmt::format("{} pairs or more would be written; pass $<yes> to write them anyway, or use a "
                    "smaller $<within>",
                    count));
  }

  Result<Sorted<PointPair>> Finish() { return sorter_.Finish(); }

 private:
  bool yes_, swapped_;
  uint64_t count_ = 0;
  Sorter<PointPair> sorter_;
};

/// The result of a join of points or strings.
struct FoundPairs {
  Sorted<PointPair> pairs;
  RecallAudit recall;
  std::string design = "exact";
  std::optional<uint64_t> predicted;
};

/// Narrows the interval to the estimate for methods that miss nothing, for which sampling adds no
/// uncertainty.
RecallAudit Certain(RecallAudit audit, JoinMethod method) {
  if (method != JoinMethod::kKeys && audit.estimate) audit.low = audit.high = audit.estimate;
  return audit;
}

RecallAudit AuditOf(const DistanceSample& sample, double asked) {
  std::vector<SampleCount> counts;
  for (const SampledPairs& point : sample.points) {
    counts.push_back({static_cast<double>(point.pairs.size()), static_cast<double>(point.found)});
  }
  return EstimateRecall(counts, asked);
}

RecallAudit NotMeasured(double asked) {
  RecallAudit audit;
  audit.asked = asked;
  return audit;
}

Result<JoinPlan> PlanOf(const SearchCall& call, const Metric& metric, const JoinTask& task,
                        const DistanceSample& sample) {
  if (!call.options.design.empty()) return ParseJoinPlan(call.options.design, metric, task);
  return PlanJoin(metric, task, sample);
}

Result<FoundPairs> FindPointPairs(const SearchCall& call, const Opened& opened,
                                  DistanceItems* items) {
  const JoinTask task = TaskOf(call, *items);
  const uint64_t bytes = items->Bytes();
  const Metric metric(opened.kind, std::move(items->points));
  DistanceSample sample = SampleDistances(metric, task);
  LOOKALIKE_ASSIGN_OR_RETURN(const JoinPlan plan, PlanOf(call, metric, task, sample));
  LOOKALIKE_RETURN_IF_ERROR(CheckDistanceMemory(opened.workspace->memory(),
                                                bytes + plan.Bytes(metric.size()), metric.size()));
  const auto predicted = static_cast<uint64_t>(std::llround(sample.pairs));
  if (sample.pairs > kMostPairsUnasked && !call.options.yes) {
    return tl::make_unexpected(PairSorter::FailOnCount(predicted).error());
  }
  PairSorter sorter(call, items->reference, opened.workspace.get());
  LOOKALIKE_RETURN_IF_ERROR(JoinPoints(
      metric, task, plan, [&](std::span<const PointPair> pairs) { return sorter.Take(pairs); },
      &sample));
  FoundPairs found;
  LOOKALIKE_ASSIGN_OR_RETURN(found.pairs, sorter.Finish());
  found.recall = Certain(AuditOf(sample, call.options.recall), plan.method);
  found.design = plan.Name(opened.kind);
  found.predicted = predicted;
  return found;
}

Result<FoundPairs> FindStringPairs(const SearchCall& call, const Opened& opened,
                                   const DistanceItems& items) {
  const auto within = static_cast<uint32_t>(call.options.within);
  constexpr uint64_t kPiece = 16;
  LOOKALIKE_RETURN_IF_ERROR(
      CheckDistanceMemory(opened.workspace->memory(),
                          items.Bytes() + items.size() * (within + 1) * kPiece, items.size()));
  PairSorter sorter(call, items.reference, opened.workspace.get());
  LOOKALIKE_RETURN_IF_ERROR(
      JoinStrings(items.strings, within, opened.kind, TaskOf(call, items),
                  [&](std::span<const PointPair> pairs) { return sorter.Take(pairs); }));
  FoundPairs found;
  LOOKALIKE_ASSIGN_OR_RETURN(found.pairs, sorter.Finish());
  found.recall = NotMeasured(call.options.recall);
  return found;
}

Result<FoundPairs> FindPairs(const SearchCall& call, const Opened& opened, DistanceItems* items) {
  if (!HasPairs(call, *items)) {
    FoundPairs none;
    none.recall = NotMeasured(call.options.recall);
    return none;
  }
  if (IsOfStrings(opened.kind)) return FindStringPairs(call, opened, *items);
  return FindPointPairs(call, opened, items);
}

/// Returns the name of an item, as a view of the item and the job. Without places, it only has the
/// id.
NamedDocument NamedBy(const Job& job, const DistanceItems& items, uint32_t item) {
  NamedDocument named = {.id = items.IdOf(item), .source = {}, .reference = item < items.reference};
  if (items.places.empty()) return named;
  const ItemPlace& place = items.places[item];
  named.source = job.inputs.NameOf(place.source);
  named.row = place.row;
  return named;
}

ResultLayout LayoutOf(ResultKind kind, const Opened& opened) {
  return {.kind = kind, .by_distance = true, .whole = IsWhole(opened.kind)};
}

Status GivePairs(const SearchCall& call, const DistanceItems& items, const Opened& opened,
                 Sorted<PointPair>* pairs, uint64_t* count) {
  LOOKALIKE_RETURN_IF_ERROR(call.sink.Begin(LayoutOf(ResultKind::kPairs, opened)));
  while (const PointPair* pair = pairs->Next()) {
    LOOKALIKE_RETURN_IF_ERROR(call.sink.TakePair({.a = NamedBy(opened.job, items, pair->a),
                                                  .b = NamedBy(opened.job, items, pair->b),
                                                  .distance = pair->distance}));
    ++*count;
  }
  LOOKALIKE_RETURN_IF_ERROR(pairs->status());
  return call.sink.End();
}

/// A pair from the point of view of one of its items. Sorted, the nearest pairs of each item come
/// first.
struct RankedPair {
  uint32_t item, neighbour;
  double distance;
  bool operator<(const RankedPair& other) const {
    if (item != other.item) return item < other.item;
    return distance != other.distance ? distance < other.distance : neighbour < other.neighbour;
  }
};

/// Gives the neighbours of each item to a sink, one item after the other.
class NeighbourWriter {
 public:
  NeighbourWriter(const Job& job, const DistanceItems& items, ResultSink* sink,
                  NearestSummary* summary)
      : job_(job), items_(items), sink_(*sink), summary_(*summary) {}

  Status Add(uint32_t item, uint32_t neighbour, uint64_t rank, double distance) {
    ++summary_.neighbours;
    return sink_.TakePair({.a = NamedBy(job_, items_, item),
                           .b = NamedBy(job_, items_, neighbour),
                           .rank = rank,
                           .distance = distance});
  }

 private:
  const Job& job_;
  const DistanceItems& items_;
  ResultSink& sink_;
  NearestSummary& summary_;
};

RecallAudit AuditOf(const NearestSample& sample, const NeighbourLists& lists, double asked) {
  std::vector<SampleCount> counts;
  for (size_t i = 0; i < sample.points.size(); ++i) {
    const auto& truth = sample.neighbours[i];
    counts.push_back({static_cast<double>(truth.size()), static_cast<double>(CountNeighboursFound(
                                                             truth, lists.Of(sample.points[i])))});
  }
  return EstimateRecall(counts, asked);
}

Status GiveNearestPoints(const SearchCall& call, const Opened& opened, DistanceItems* items,
                         NeighbourWriter* giver, NearestSummary* summary) {
  const NearestTask task = {TaskOf(call, *items), static_cast<uint32_t>(call.options.top)};
  const uint64_t bytes = items->Bytes();
  const Metric metric(opened.kind, std::move(items->points));
  const NearestSample sample = SampleNearest(metric, task);
  LOOKALIKE_ASSIGN_OR_RETURN(const JoinPlan plan, PlanNearest(metric, task, sample));
  LOOKALIKE_RETURN_IF_ERROR(CheckDistanceMemory(
      opened.workspace->memory(), bytes + NearestBytes(metric.size(), task.top), metric.size()));
  LOOKALIKE_ASSIGN_OR_RETURN(const NeighbourLists lists, FindNearest(metric, task, plan, sample));
  summary->recall = Certain(AuditOf(sample, lists, call.options.recall), plan.method);
  summary->design = plan.Name(opened.kind);
  for (auto item = items->reference; item < metric.size(); ++item) {
    uint64_t rank = 0;
    for (const Neighbour& neighbour : lists.Of(item)) {
      LOOKALIKE_RETURN_IF_ERROR(giver->Add(item, neighbour.point, ++rank, neighbour.distance));
    }
  }
  return {};
}

Status GiveNearestStrings(const SearchCall& call, const Opened& opened, DistanceItems* items,
                          NeighbourWriter* giver) {
  LOOKALIKE_ASSIGN_OR_RETURN(FoundPairs found, FindStringPairs(call, opened, *items));
  Sorter<RankedPair> sorter(&opened.workspace->store(), opened.workspace->memory().work);
  while (const PointPair* pair = found.pairs.Next()) {
    LOOKALIKE_RETURN_IF_ERROR(sorter.Add(RankedPair{pair->a, pair->b, pair->distance}));
    if (items->reference != 0) continue;
    LOOKALIKE_RETURN_IF_ERROR(sorter.Add(RankedPair{pair->b, pair->a, pair->distance}));
  }
  LOOKALIKE_RETURN_IF_ERROR(found.pairs.status());
  LOOKALIKE_ASSIGN_OR_RETURN(auto ranked, sorter.Finish());
  RankCounter ranks;
  while (const RankedPair* pair = ranked.Next()) {
    const uint64_t rank = ranks.Next(pair->item);
    if (rank > call.options.top) continue;
    LOOKALIKE_RETURN_IF_ERROR(giver->Add(pair->item, pair->neighbour, rank, pair->distance));
  }
  return ranked.status();
}

Status GiveNearest(const SearchCall& call, const Opened& opened, DistanceItems* items,
                   NearestSummary* summary) {
  LOOKALIKE_RETURN_IF_ERROR(call.sink.Begin(LayoutOf(ResultKind::kNeighbours, opened)));
  NeighbourWriter giver(opened.job, *items, &call.sink, summary);
  summary->recall = NotMeasured(call.options.recall);
  summary->design = "exact";
  if (HasPairs(call, *items)) {
    LOOKALIKE_RETURN_IF_ERROR(IsOfStrings(opened.kind)
                                  ? GiveNearestStrings(call, opened, items, &giver)
                                  : GiveNearestPoints(call, opened, items, &giver, summary));
  }
  return call.sink.End();
}

/// Returns an Error if a search needs --within and it is missing.
Status CheckWithin(const Options& options, bool must) {
  if (options.within >= 0 || !must) return {};
  return OptionError(fmt::format(
      "$<distance={}> needs $<within> here; pass the largest distance that a pair may have",
      options.distance));
}

/// Reads the items of a call and lets `work(opened, items, summary)` search them.
template <class Summary, class Work>
Result<Summary> SearchItems(const SearchCall& call, PendingOutput* pending, Work&& work) {
  const RunCost cost;
  LOOKALIKE_ASSIGN_OR_RETURN(const Opened opened, Open(call, pending));
  Summary summary;
  summary.fields = opened.job.FieldsRead();
  const Status done = WithoutExceptions([&]() -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(
        DistanceItems items, ReadDistanceItems(opened.job, opened.kind, opened.workspace->memory(),
                                               call.observer, &summary.records));
    return work(opened, &items, &summary);
  });
  LOOKALIKE_RETURN_IF_ERROR(opened.workspace->Clear());
  LOOKALIKE_RETURN_IF_ERROR(done);
  SayCovered(summary.records, call.options.LeastFeatures(), &summary.recall);
  cost.FillIn(&summary);
  return summary;
}

}  // namespace

Result<PairsSummary> PairsByDistance(const SearchCall& call, PendingOutput* pending) {
  LOOKALIKE_RETURN_IF_ERROR(CheckWithin(call.options, true));
  const auto work = [&](const Opened& opened, DistanceItems* items,
                        PairsSummary* summary) -> Status {
    LOOKALIKE_ASSIGN_OR_RETURN(FoundPairs found, FindPairs(call, opened, items));
    summary->recall = found.recall;
    summary->design = found.design;
    summary->predicted.pairs = found.predicted;
    LOOKALIKE_RETURN_IF_ERROR(GivePairs(call, *items, opened, &found.pairs, &summary->pairs));
    summary->peak_scratch_bytes = opened.workspace->store().peak_disk_bytes();
    return {};
  };
  return SearchItems<PairsSummary>(call, pending, work);
}

Result<NearestSummary> NearestByDistance(const SearchCall& call, PendingOutput* pending) {
  LOOKALIKE_RETURN_IF_ERROR(CheckWithin(call.options, IsOfStrings(*call.choices.distance)));
  if (call.options.design == "grid") {
    return OptionError(
        "$<design=grid> finds pairs, not nearest neighbours; use all, or leave it out");
  }
  const auto work = [&](const Opened& opened, DistanceItems* items, NearestSummary* summary) {
    return GiveNearest(call, opened, items, summary);
  };
  return SearchItems<NearestSummary>(call, pending, work);
}

}  // namespace lookalike
