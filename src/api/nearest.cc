#include <utility>
#include <vector>

#include "io/pending_output.h"
#include "lookalike/lookalike.h"
#include "lookalike/sink.h"
#include "results/pair_list.h"
#include "results/rank_counter.h"
#include "results/result_rows.h"
#include "results/search_call.h"
#include "run/attempt.h"
#include "run/members.h"
#include "run/no_exceptions.h"
#include "run/run_facts.h"
#include "search/measured_search.h"
#include "search/pair_judge.h"
#include "search/search.h"
#include "uses/distances/distance_search.h"

namespace lookalike {
namespace {

/// A pair from the point of view of one of its documents. Sorted, the most similar pairs of each
/// document come first.
struct RankedDoc {
  DocPair pair;  ///< `a` is the document, `b` its neighbour.
  double resemblance;

  bool operator<(const RankedDoc& other) const {
    if (pair.a != other.pair.a) return pair.a < other.pair.a;
    if (resemblance != other.resemblance) return resemblance > other.resemblance;
    return pair.b < other.pair.b;
  }
};

Status AddBothWays(const Job& job, const PairJudge& judge, Sorted<DocPair>* pairs,
                   Sorter<RankedDoc>* sorter) {
  while (const DocPair* pair = pairs->Next()) {
    const double resemblance = judge.FiguresOf(pair->Counts()).resemblance;
    LOOKALIKE_RETURN_IF_ERROR(sorter->Add(RankedDoc{*pair, resemblance}));
    if (job.reference_inputs != 0) continue;  // reference documents get no neighbours
    const DocPair turned = {pair->b,      pair->a,      pair->common,
                            pair->size_b, pair->size_a, pair->looked};
    LOOKALIKE_RETURN_IF_ERROR(sorter->Add(RankedDoc{turned, resemblance}));
  }
  return pairs->status();
}

/// A reader of rows, at most `top` for each document.
class TopRows {
 public:
  TopRows(Sorted<RankedDoc>* ranked, uint64_t top) : ranked_(*ranked), top_(top) {}

  /// Returns the next rows with the rank of each; empty after the last.
  Result<std::vector<std::pair<DocPair, uint64_t>>> Next() {
    constexpr size_t kRows = 1 << 11;
    std::vector<std::pair<DocPair, uint64_t>> rows;
    while (rows.size() < kRows) {
      const RankedDoc* const next = ranked_.Next();
      if (next == nullptr) break;
      const uint64_t rank = ranks_.Next(next->pair.a);
      if (rank <= top_) rows.emplace_back(next->pair, rank);
    }
    LOOKALIKE_RETURN_IF_ERROR(ranked_.status());
    return rows;
  }

 private:
  Sorted<RankedDoc>& ranked_;
  uint64_t top_;
  RankCounter ranks_;
};

Status GiveRows(const Job& job, const PairJudge& judge, const StoredMembers& members,
                const FieldScores& scores, TopRows* rows, ResultSink* sink, uint64_t* count) {
  while (true) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto some, rows->Next());
    if (some.empty()) return {};
    std::vector<DocNumber> docs;
    std::vector<DocPair> pairs;
    for (const auto& [pair, rank] : some) {
      docs.insert(docs.end(), {pair.a, pair.b});
      pairs.push_back(pair);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(const MemberList list, members.Gather(job, std::move(docs)));
    std::vector<FieldScore> of_pairs;
    LOOKALIKE_RETURN_IF_ERROR(AppendScores(pairs, scores, &of_pairs));
    for (size_t i = 0; i < some.size(); ++i) {
      const auto& [pair, rank] = some[i];
      LOOKALIKE_RETURN_IF_ERROR(sink->TakePair({.a = NamedBy(job, list.Of(pair.a)),
                                                .b = NamedBy(job, list.Of(pair.b)),
                                                .rank = rank,
                                                .figures = judge.FiguresOf(pair.Counts()),
                                                .scores = scores.Of(i, of_pairs)}));
      ++*count;
    }
  }
}

Result<uint64_t> GiveNeighbours(const SearchCall& call, const Job& job, const SearchResult& search,
                                Workspace* workspace) {
  LOOKALIKE_ASSIGN_OR_RETURN(PairList list, ListPairs(job, search, workspace));
  Sorter<RankedDoc> sorter(&workspace->store(), workspace->memory().work / 2);
  const std::unique_ptr<PairJudge> judge = JudgeOf(job);
  LOOKALIKE_RETURN_IF_ERROR(AddBothWays(job, *judge, &list.pairs, &sorter));
  LOOKALIKE_ASSIGN_OR_RETURN(auto ranked, sorter.Finish());
  LOOKALIKE_ASSIGN_OR_RETURN(
      const StoredMembers members,
      CollectMembers(job, search.units.inputs, std::move(list.named), call.observer, workspace));
  LOOKALIKE_ASSIGN_OR_RETURN(const FieldScores scores,
                             FieldScores::Read(job, search.units.inputs, members.named().bits(),
                                               call.observer, workspace));
  LOOKALIKE_RETURN_IF_ERROR(call.sink.Begin(PairLayout(job, ResultKind::kNeighbours)));
  TopRows rows(&ranked, call.options.top);
  uint64_t count = 0;
  LOOKALIKE_RETURN_IF_ERROR(GiveRows(job, *judge, members, scores, &rows, &call.sink, &count));
  LOOKALIKE_RETURN_IF_ERROR(call.sink.End());
  return count;
}

Result<NearestSummary> SearchNeighbours(const SearchCall& call, Attempt* attempt) {
  const RunCost cost;
  const Job& job = attempt->job;
  Workspace* const workspace = attempt->workspace.get();
  ReportUseOfSketches(job, call.observer);
  LOOKALIKE_ASSIGN_OR_RETURN(
      const MeasuredSearch made,
      SearchAsAsked(Purpose::kPairs, call.observer, &attempt->job, workspace));
  const SearchResult& search = made.search;
  NearestSummary summary;
  LOOKALIKE_ASSIGN_OR_RETURN(summary.neighbours, GiveNeighbours(call, job, search, workspace));
  summary.records = search.units.records;
  summary.fields = job.FieldsRead();
  summary.recall = made.recall.audit;
  summary.design = job.DesignName();
  cost.FillIn(&summary);
  return summary;
}

/// Finds neighbours by resemblance, from the pairs that reach the threshold.
Result<NearestSummary> NearestByFeatures(const SearchCall& call, PendingOutput* pending) {
  return RunInOneGo(call.inputs, call.options, true, pending, call.objects,
                    [&](Attempt* attempt) { return SearchNeighbours(call, attempt); });
}

constexpr SearchWays<NearestSummary> kNearestWays = {NearestByFeatures, NearestByDistance};

}  // namespace

Result<NearestSummary> Nearest(const Inputs& inputs, const std::string& output,
                               const Options& options, const Observer& observer) {
  return MakeByCall(inputs, output, options, observer, kNearestWays);
}

Result<NearestSummary> Nearest(const Inputs& inputs, ResultSink* sink, const Options& options,
                               const Observer& observer) {
  return GiveByCall(inputs, sink, options, observer, kNearestWays);
}

}  // namespace lookalike
