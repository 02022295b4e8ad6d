#include "uses/rethreshold/pairs_at.h"

#include <memory>
#include <utility>

#include "spill/record_reader.h"
#include "stages/cluster/keep.h"

namespace lookalike {
namespace {

/// Sorts the pairs of one later document after the other.
///
/// The greedy rule is followed as far as known pairs go. A document is certainly removed if it has
/// an edge to one that is certainly kept. It is unsure if it has an edge to an unsure one, or a
/// pair that was not compared with one that is not certainly removed. All others are certainly
/// kept. The witness is the lowest kept document with an edge, so that pairs after a certain one
/// are idle.
class ScoreSorter {
 public:
  ScoreSorter(const SortRules& rules, uint64_t documents, Workspace* workspace)
      : rules_(rules),
        removed_(documents),
        unsure_(documents),
        known_(workspace->store().Temporary(rules.streams)),
        doubtful_(workspace->store().Temporary(1)),
        idle_(workspace->store().Temporary(1)) {}

  Status Take(const ScoredPair& scored) {
    const Edge& edge = scored.edge;
    if (rules_.apart.Test(edge.a) || rules_.apart.Test(edge.d)) return {};
    if (!scored.compared || rules_.compare_again) return TakeOpen({edge.a, edge.d});
    if (!rules_.test.Meets(edge.common, edge.size_a, edge.size_d)) return {};
    if (scored.guarded) return known_->AppendRecord(kGuardedStream, edge);
    ++sorted_.known.edges;
    LOOKALIKE_RETURN_IF_ERROR(known_->AppendRecord(kEdgeStream, edge));
    if (removed_.Test(edge.a) || removed_.Test(edge.d)) return {};
    (unsure_.Test(edge.a) ? unsure_ : removed_).Set(edge.d);
    return {};
  }

  Result<SortedScores> Finish() {
    LOOKALIKE_ASSIGN_OR_RETURN(sorted_.known.runs.emplace_back(), known_->Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(sorted_.doubtful.emplace_back(), doubtful_->Finish());
    LOOKALIKE_ASSIGN_OR_RETURN(sorted_.idle.emplace_back(), idle_->Finish());
    return std::move(sorted_);
  }

 private:
  Status TakeOpen(const CandidatePair& pair) {
    const bool decided = removed_.Test(pair.a) || removed_.Test(pair.d);
    if (decided && !rules_.all_matter) return idle_->AppendRecord(0, pair);
    if (!decided) unsure_.Set(pair.d);
    ++sorted_.doubtful_pairs;
    return doubtful_->AppendRecord(0, pair);
  }

  const SortRules& rules_;
  Bitmap removed_, unsure_;  // by rank; a document that is in both is removed
  std::unique_ptr<RunWriter> known_, doubtful_, idle_;
  SortedScores sorted_;
};

}  // namespace

Result<SortedScores> SortScores(const SortRules& rules, uint64_t documents, ScoresReader* scores,
                                Workspace* workspace) {
  ScoreSorter sorter(rules, documents, workspace);
  ScoredPair pair;
  while (scores->Next(&pair)) {
    if (pair.edge.d >= documents || pair.edge.a >= pair.edge.d) {
      return CorruptError("a file of scores has a pair of documents that do not exist");
    }
    LOOKALIKE_RETURN_IF_ERROR(sorter.Take(pair));
  }
  LOOKALIKE_RETURN_IF_ERROR(scores->status());
  return sorter.Finish();
}

Result<VerifiedEdges> MergeEdges(const VerifiedEdges& some, const VerifiedEdges& others,
                                 const AlikeTest& test, const PairGuards& guards,
                                 Workspace* workspace) {
  auto writer = workspace->store().Temporary(EdgeStreams(guards));
  VerifiedEdges merged;
  bool guarded_x = false, guarded_y = false;
  const auto add = [&](const Edge& edge, bool guarded) -> Status {
    if (!test.Meets(edge.common, edge.size_a, edge.size_d)) return {};
    if (guarded) return writer->AppendRecord(kGuardedStream, edge);
    ++merged.edges;
    return writer->AppendRecord(kEdgeStream, edge);
  };
  VerifiedReader x(some, guards), y(others, guards);
  const Edge *next_x = x.Next(&guarded_x), *next_y = y.Next(&guarded_y);
  while (next_x != nullptr || next_y != nullptr) {
    const bool take_x = next_y == nullptr ||
                        (next_x != nullptr &&
                         CandidatePair{next_x->a, next_x->d} < CandidatePair{next_y->a, next_y->d});
    LOOKALIKE_RETURN_IF_ERROR(take_x ? add(*next_x, guarded_x) : add(*next_y, guarded_y));
    if (take_x) {
      next_x = x.Next(&guarded_x);
    } else {
      next_y = y.Next(&guarded_y);
    }
  }
  LOOKALIKE_RETURN_IF_ERROR(x.status());
  LOOKALIKE_RETURN_IF_ERROR(y.status());
  LOOKALIKE_ASSIGN_OR_RETURN(merged.runs.emplace_back(), writer->Finish());
  return merged;
}

ForEachScored ScoresFrom(VerifiedEdges edges, PairRuns open, const PairGuards& guards,
                         uint64_t documents) {
  return [edges = std::move(edges), open = std::move(open), &guards,
          documents](const TakeScored& take) -> Status {
    GreedyKeep keep(documents);
    VerifiedReader known(edges, guards);
    bool guarded = false;
    PairReader others(open);
    const Edge* edge = known.Next(&guarded);
    const CandidatePair* pair = others.Next();
    while (edge != nullptr || pair != nullptr) {
      if (pair == nullptr || (edge != nullptr && CandidatePair{edge->a, edge->d} <= *pair)) {
        const bool is_both = pair != nullptr && CandidatePair{edge->a, edge->d} == *pair;
        LOOKALIKE_RETURN_IF_ERROR(take({*edge, true, guarded}));
        if (!guarded) (void)keep.Take(*edge);
        edge = known.Next(&guarded);
        if (is_both) pair = others.Next();
        continue;
      }
      if (!keep.IsOpen(pair->a, pair->d)) {
        LOOKALIKE_RETURN_IF_ERROR(take({{pair->a, pair->d, 0, 0, 0}, false}));
      }
      pair = others.Next();
    }
    LOOKALIKE_RETURN_IF_ERROR(known.status());
    return others.status();
  };
}

}  // namespace lookalike
