// The seam between a search and the two ways to judge a pair of documents: exactly, by their
// feature sets, or by an estimate, from the sketches that pass one stored.
//
// A judge decides what pass two collects for each document, which pairs become edges, and which
// figures results show. How the pairs were found (candidate_source.h) makes no difference to it.
#ifndef LOOKALIKE_SEARCH_PAIR_JUDGE_H_
#define LOOKALIKE_SEARCH_PAIR_JUDGE_H_

#include <memory>
#include <span>
#include <vector>

#include "lookalike/sink.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "run/job.h"
#include "search/audit_sample.h"
#include "search/search_context.h"
#include "search/sets_pass.h"
#include "stages/verify/edges.h"

namespace lookalike {

/// Judges the pairs of a job. Safe from several threads.
class PairJudge {
 public:
  virtual ~PairJudge() = default;

  /// True if Collect() reads the inputs again, and thus shows progress.
  [[nodiscard]] virtual bool ReadsInputs() const = 0;

  /// Collects the data that pairs of the wanted documents are judged by. Parameters as for
  /// CollectSets(); `use` is only called if the inputs are read.
  virtual Result<SetsPass> Collect(const SearchContext& context, Bitmap wanted,
                                   const AuditQuestions& audit, const UseSets& use) const = 0;

  /// Returns the edges among the pairs, in their order. `gathered`: the collected data of all their
  /// documents. `order`: document number by rank (empty: they are equal).
  [[nodiscard]] virtual std::vector<Edge> FindEdges(std::span<const CandidatePair> pairs,
                                                    const DocumentSets& gathered,
                                                    std::span<const DocNumber> order) const = 0;

  /// Returns the counts for two documents of the class of `doc`, whose data are equal.
  [[nodiscard]] virtual Result<Edge> OfCopies(DocNumber doc, const StoredSets& stored) const = 0;

  /// Returns the figures that results show for the counts of an edge. For estimates the sizes are
  /// those that were counted, and `common` follows from them and the resemblance.
  [[nodiscard]] virtual PairFigures FiguresOf(const Edge& edge) const = 0;
};

/// Returns the judge that a job asks for. The job must outlive it.
std::unique_ptr<PairJudge> JudgeOf(const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_PAIR_JUDGE_H_
