// Predictions of the results and costs of a search, from a few facts about a collection.
//
// Pure functions in plain arithmetic: equal facts give equal plans on every machine. The costs of
// single steps are constants that were measured once (docs/plan.md).
#ifndef LOOKALIKE_PLAN_PLANNER_H_
#define LOOKALIKE_PLAN_PLANNER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/similarity.h"
#include "stages/candidates/design.h"

namespace lookalike {

/// The amounts that merging shingles sorts.
struct MergeWork {
  double records = 0;   ///< Number of (shingle, document).
  double id_pairs = 0;  ///< Pairs of documents, once for each shingle that both have.
};

/// The facts about a collection that the planner uses.
struct CollectionFacts {
  double records = 0;      ///< Including records that cannot be read.
  double features = 0;     ///< Mean number of features of a document with at least one.
  double plain_bytes = 0;  ///< Size of all records, decompressed.
  /// The compressed part of plain_bytes, which is decompressed in each pass and compressed again
  /// where it is kept.
  double zstd_bytes = 0, gzip_bytes = 0;
  double window_bytes = 0;  ///< Window of the decompressor that needs the largest.
  bool columnar = false;    ///< Some inputs are columnar.
  double group_bytes = 0;   ///< Size of the largest row group as stored: it is written as a whole.
  Similarity similarity;
  std::optional<MergeWork> merge;  ///< Set if shingles are merged, in place of the exact join.
};

/// The goal and the rules of a search.
struct SearchTerms {
  double threshold = 0.8;
  double recall = 0.99;
  uint32_t coordinates = 128;    ///< Coordinates of a sketch.
  uint32_t codes = 128;          ///< One-byte codes per document.
  uint32_t agreement_floor = 0;  ///< Codes that must agree for a pair to be verified.
  uint64_t small = 64;           ///< Largest bucket in which all members are compared with all.
  uint64_t leaders = 16;         ///< Members that every member of a large bucket meets.
  uint64_t large_buckets = 9;    ///< Buckets in which a member of a large group meets all leaders.
  uint64_t extension_keys = 16;  ///< Further keys of a member of a large bucket.
  uint64_t audit_documents = 1000;
  bool all_pairs = false;  ///< True for the command `pairs`: no document represents others.
  bool sheds_sets = true;  ///< Feature sets are freed when no later pair needs them.
};

/// The size of a collection, as far as it is known before it is read.
struct CollectionSize {
  double documents = 0;
  double plain_bytes = 0;  ///< Decompressed.
};

/// Returns the assumed size in bytes of a search's runs, while only the size of the collection is
/// known. If that is more than may be held, all runs go to files.
double RunBytes(const CollectionSize& size, const SearchTerms& terms,
                const std::optional<Design>& design);

/// The division of a run's memory; zeros: unlimited.
struct MemoryBounds {
  uint64_t total = 0;    ///< For the whole process.
  uint64_t held = 0;     ///< Part of it for data that would otherwise go to files.
  uint64_t engine = 0;   ///< Part of it for everything except code, buffers of readers and stacks.
  uint64_t work = 0;     ///< Part of it for the current stage.
  uint64_t batches = 5;  ///< Megabytes of records in flight.
  /// The input's size, from which a run decides beforehand if it writes everything to files to
  /// survive a crash.
  CollectionSize size = {};
};

/// One way to search and its predicted results. Counts are expected values.
struct Prediction {
  std::optional<Design> design;  ///< None: the exact join.
  double recall_at_threshold = 1;
  double recall = 1;        ///< Recall for the pairs at or above the threshold in the collection.
  double band_keys = 0;     ///< Records to be grouped.
  double further_keys = 0;  ///< Records made from members of large buckets, to be grouped again.
  double pairs_met = 0;     ///< Pairs of documents that share a key, once for each key.
  double candidates = 0;    ///< Distinct pairs that are verified.
  double cpu_seconds = 0;   ///< For `dedup`, including reading and writing.
  double memory_bytes = 0;
  double disk_bytes = 0;       ///< Temporary files.
  bool reaches_recall = true;  ///< recall_at_threshold is at least the requested recall.
  bool fits = true;            ///< The allowed memory is enough.
};

/// Predicts `dedup` with a design, or with the exact join if there is none.
Prediction Predict(const CollectionFacts& facts, const SearchTerms& terms,
                   const MemoryBounds& memory, const std::optional<Design>& design);

/// Returns all designs worth considering: for each number of coordinates in a key the fewest keys
/// that reach the recall, and the exact join, last.
std::vector<std::optional<Design>> CandidateDesigns(const SearchTerms& terms);

/// Returns the position in `designs` of the design with the least CPU time that reaches the recall
/// at the threshold, for the facts with the number of documents rounded down to a power of two, so
/// that a few documents more or less change nothing. Memory is ignored. REQUIRES: at least one
/// design reaches the recall (the exact join does).
size_t ChooseDesign(const CollectionFacts& facts, const SearchTerms& terms,
                    const std::vector<std::optional<Design>>& designs);

/// Returns the facts with the number of documents rounded down to a power of two: pairs of
/// documents grow with its square, other totals in proportion.
CollectionFacts RoundedDown(const CollectionFacts& facts);

/// Rounds an expected number to a count.
uint64_t Whole(double expected);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_PLANNER_H_
