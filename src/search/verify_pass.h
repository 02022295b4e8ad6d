// Step 5 over the whole corpus: every candidate pair is judged.
#ifndef LOOKALIKE_SEARCH_VERIFY_PASS_H_
#define LOOKALIKE_SEARCH_VERIFY_PASS_H_

#include <memory>
#include <optional>
#include <vector>

#include "search/pair_reader.h"
#include "search/search_context.h"
#include "search/sets_pass.h"
#include "spill/record_reader.h"

namespace lookalike {

/// Verified pairs, in runs.
struct VerifiedEdges {
  /// Stream 0: Edge records, by (d, a) over all runs. With guards, stream 1: the pairs that would
  /// be edges but for their guards, likewise; for `dedup`, at least those whose documents are both
  /// kept.
  std::vector<RunPointer> runs;
  uint64_t edges = 0;
};

/// Streams of VerifiedEdges::runs.
enum EdgeStream : uint32_t { kEdgeStream, kGuardedStream };

/// Returns the number of streams: guarded pairs have one only if there are guards.
inline uint32_t EdgeStreams(const PairGuards& guards) { return guards.guards() ? 2 : 1; }

/// Reads edges, and between them the pairs that guards keep apart, by (d, a).
class VerifiedReader {
 public:
  VerifiedReader(const VerifiedEdges& edges, const PairGuards& guards);

  /// Returns the next pair, or null at the end. `guarded`: true if a guard keeps it apart.
  const Edge* Next(bool* guarded);

  [[nodiscard]] Status status() const;

 private:
  RecordReader<Edge> edges_;
  std::optional<RecordReader<Edge>> guarded_;
  const Edge* next_edge_;
  const Edge* next_guarded_ = nullptr;
  Edge current_ = {};
};

/// Removes from `edges` the pairs that guards exclude, and appends them to `guarded`; pairs that
/// fields forbid are dropped.
void TakeOutGuarded(const PairGuards& guards, const Ranking& ranking, std::vector<Edge>* edges,
                    std::vector<Edge>* guarded);

/// Checks pairs, by (d, a), as their sets arrive: at most VerifyUnitPairs() for each unit of work.
/// Where tasks share them, each unit has the pairs of some later documents (VerifyBounds). Holds as
/// many sets in memory at a time as fit.
class PairVerification {
 public:
  /// `known`: edges among other pairs, by (d, a) over all runs, which count when a document is to
  /// be removed. Such a verification cannot be resumed.
  PairVerification(const SearchContext& context, PairRuns pairs,
                   const std::vector<RunPointer>& known = {});
  ~PairVerification();
  PairVerification(const PairVerification&) = delete;
  PairVerification& operator=(const PairVerification&) = delete;

  /// True if the pairs of a unit's documents can be checked as soon as their sets are there,
  /// because documents rank in the order in which they are read.
  [[nodiscard]] bool InReadingOrder() const;

  /// If InReadingOrder(), checks the pairs of a unit's documents with those before them, and frees
  /// the sets that no pair needs any more. REQUIRES: units come in order.
  Status CheckUnit(const Unit& unit, StoredSets* sets);

  /// Checks all remaining pairs. Where tasks share them, a task of `verify` checks its share, and
  /// later tasks adopt the edges.
  Status CheckRest(const StoredSets& sets);

  /// Checks all pairs, even in a task.
  Status CheckAll(const StoredSets& sets);

  /// Returns the verified edges. Must be the last call.
  VerifiedEdges Take();

 private:
  class Checker;
  std::unique_ptr<Checker> checker_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_VERIFY_PASS_H_
