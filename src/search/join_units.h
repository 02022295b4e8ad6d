// The units of a join by keys: one, or, where tasks share the join, one for each group of
// partitions of keys.
#ifndef LOOKALIKE_SEARCH_JOIN_UNITS_H_
#define LOOKALIKE_SEARCH_JOIN_UNITS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lookalike/status.h"
#include "records/bitmap.h"
#include "records/records.h"
#include "run/key_units.h"
#include "run/workspace.h"
#include "search/pair_reader.h"
#include "search/search_context.h"
#include "stages/candidates/buckets.h"

namespace lookalike {

/// The name of a unit of candidate pairs, which are its first stream.
std::string JoinUnit(uint64_t unit);

struct Candidates {
  PairRuns pairs;  ///< One run for each unit.
  Bitmap wanted;   ///< By document: it is in some pair.
  BucketCounts counts;
};

/// A writer of one unit.
class JoinWriter {
 public:
  JoinWriter(Workspace* workspace, uint64_t unit);

  /// Adds pairs. REQUIRES: all pairs come sorted and distinct.
  Status Add(std::span<const CandidatePair> pairs);

  /// Ends the unit. The pairs that passed are counted here.
  Result<RunPointer> Finish(BucketCounts counts);

 private:
  std::unique_ptr<RunWriter> writer_;
  uint64_t marked_;  // every so many pairs, one is marked
  uint64_t unmarked_ = 0;
};

/// A way to join keys, unit by unit.
class UnitJoin {
 public:
  virtual ~UnitJoin() = default;

  /// Called once before units are made, with all that this attempt makes; never with none.
  virtual Status Prepare(const std::vector<size_t>& to_do) = 0;

  /// Makes unit number `i` of the `count` that are made.
  virtual Result<RunPointer> MakeUnit(size_t unit, uint32_t i, uint32_t count) = 0;
};

/// Returns the number of units into which a search divides its join.
uint32_t JoinUnitsOf(const SearchContext& context);

/// Returns the partitions of keys that a unit joins, and flags those of several units.
PartitionRange KeysOf(const SearchContext& context, size_t unit);
std::vector<bool> WantedKeys(const SearchContext& context, const std::vector<size_t>& units);

/// Makes the units that are missing, and returns all of them. A task of `join` does its share, and
/// ends.
Result<Candidates> JoinByKeys(const SearchContext& context, UnitJoin* join);

/// Where tasks share a run whose pairs are found without keys: a task of `join` records its share,
/// which has no units, and ends. Elsewhere it does nothing.
Status PassOverJoin(const SearchContext& context);

/// Returns the ranks at which the units of `verify` begin, when tasks divide the pairs of later
/// documents from there on. They are a function of the units of the join.
Result<std::vector<Rank>> VerifyBounds(const PairRuns& pairs, uint64_t units);

}  // namespace lookalike

#endif  // LOOKALIKE_SEARCH_JOIN_UNITS_H_
