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
        known_(workspace->store().Temporary(1)),
        doubtful_(workspace->store().Temporary(1)),
        idle_(workspace->store().Temporary(1)) {}

  Status Take(const ScoredPair& scored) {
    const Edge& edge = scored.edge;
    if (rules_.apart.Test(edge.a) || rules_.apart.Test(edge.d)) return {};
    if (!scored.compared || rules_.compare_again) return TakeOpen({edge.a, edge.d});
    if (!rules_.test.Meets(edge.common, edge.size_a, edge.size_d)) return {};
    ++sorted_.known.edges;
    LOOKALIKE_RETURN_IF_ERROR(known_->AppendRecord(0, edge));
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
                                 const AlikeTest& test, Workspace* workspace) {
  auto writer = workspace->store().Temporary(1);
  VerifiedEdges merged;
  const auto add = [&](const Edge& edge) -> Status {
    if (!test.Meets(edge.common, edge.size_a, edge.size_d)) return {};
    ++merged.edges;
    return writer->AppendRecord(0, edge);
  };
  RecordReader<Edge> x(some.runs, 0), y(others.runs, 0);
  const Edge *next_x = x.Next(), *next_y = y.Next();
  while (next_x != nullptr || next_y != nullptr) {
    const bool take_x = next_y == nullptr ||
                        (next_x != nullptr &&
                         CandidatePair{next_x->a, next_x->d} < CandidatePair{next_y->a, next_y->d});
    LOOKALIKE_RETURN_IF_ERROR(add(take_x ? *next_x : *next_y));
    (take_x ? next_x : next_y) = (take_x ? x : y).Next();
  }
  LOOKALIKE_RETURN_IF_ERROR(x.status());
  LOOKALIKE_RETURN_IF_ERROR(y.status());
  LOOKALIKE_ASSIGN_OR_RETURN(merged.runs.emplace_back(), writer->Finish());
  return merged;
}

ForEachScored ScoresFrom(VerifiedEdges edges, PairRuns open, uint64_t documents) {
  return [edges = std::move(edges), open = std::move(open),
          documents](const TakeScored& take) -> Status {
    GreedyKeep keep(documents);
    RecordReader<Edge> known(edges.runs, 0);
    PairReader others(open);
    const Edge* edge = known.Next();
    const CandidatePair* pair = others.Next();
    while (edge != nullptr || pair != nullptr) {
      if (pair == nullptr || (edge != nullptr && CandidatePair{edge->a, edge->d} <= *pair)) {
        const bool is_both = pair != nullptr && CandidatePair{edge->a, edge->d} == *pair;
        LOOKALIKE_RETURN_IF_ERROR(take({*edge, true}));
        (void)keep.Take(*edge);
        edge = known.Next();
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
