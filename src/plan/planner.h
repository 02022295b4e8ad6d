// What a search would find and cost, from a few facts about a collection.
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

/// What merging shingles sorts.
struct MergeWork {
  double records = 0;   ///< (shingle, document).
  double id_pairs = 0;  ///< Pairs of documents, once for each shingle that both have.
};

/// A collection as the planner knows it.
struct CollectionFacts {
  double records = 0;      ///< Those that cannot be read included.
  double features = 0;     ///< Mean number of features of a document that has some.
  double plain_bytes = 0;  ///< Of all records as they stand, decompressed.
  /// The part of plain_bytes that is packed, and therefore unpacked in each pass and packed again
  /// where it is kept.
  double zstd_bytes = 0, gzip_bytes = 0;
  double window_bytes = 0;  ///< Of the decompressor that needs most.
  bool columnar = false;    ///< There are columnar inputs.
  double group_bytes = 0;   ///< Of the largest row group as stored: it is written as a whole.
  Similarity similarity;
  std::optional<MergeWork> merge;  ///< Where shingles are merged, in the place of the exact join.
};

/// What is looked for, and by what rules.
struct SearchTerms {
  double threshold = 0.8;
  double recall = 0.99;
  uint32_t coordinates = 128;    ///< Of a sketch.
  uint32_t codes = 128;          ///< One-byte codes a document.
  uint32_t agreement_floor = 0;  ///< Codes that must agree for a pair to be verified.
  uint64_t small = 64;           ///< Members up to which a bucket is compared all with all.
  uint64_t leaders = 16;         ///< Members that every member of a large bucket meets.
  uint64_t extension_keys = 16;  ///< Further keys of such a member.
  uint64_t audit_documents = 1000;
  bool sheds_sets = true;  ///< Feature sets go when no pair of a later document needs them.
};

/// The size of a collection as far as it shows before it is read.
struct CollectionSize {
  double documents = 0;
  double plain_bytes = 0;  ///< Decompressed.
};

/// Bytes that the runs of a search are taken to need before anything is known but the size: where
/// it is more than may be held, all of them go to files.
double RunBytes(const CollectionSize& size, const SearchTerms& terms,
                const std::optional<Design>& design);

/// How a run divides its memory; zeros: unlimited.
struct MemoryBounds {
  uint64_t total = 0;    ///< What the process may use.
  uint64_t held = 0;     ///< Of it, for data that would go to files otherwise.
  uint64_t engine = 0;   ///< Of it, for all that is no code, buffer of a reader or stack.
  uint64_t work = 0;     ///< Of it, for the stage at work.
  uint64_t batches = 5;  ///< Megabytes of records in flight.
  /// By which a run decides beforehand that it is to survive a crash, and writes all to files.
  CollectionSize size = {};
};

/// One way to search and what comes of it. Counts are expected values.
struct Prediction {
  std::optional<Design> design;  ///< None: the exact join.
  double recall_at_threshold = 1;
  double recall = 1;        ///< Of the pairs at or above the threshold that the collection has.
  double band_keys = 0;     ///< Records to be grouped.
  double further_keys = 0;  ///< Records made of members of large buckets, to be grouped again.
  double pairs_met = 0;     ///< Pairs of documents that share a key, once for each key.
  double candidates = 0;    ///< Distinct pairs that are verified.
  double cpu_seconds = 0;   ///< Of `dedup`, reading and writing included.
  double memory_bytes = 0;
  double disk_bytes = 0;       ///< Temporary files.
  bool reaches_recall = true;  ///< recall_at_threshold is what was asked for.
  bool fits = true;            ///< The memory allowed is enough.
};

/// Predicts `dedup` with a design, or (nothing) with the exact join.
Prediction Predict(const CollectionFacts& facts, const SearchTerms& terms,
                   const MemoryBounds& memory, const std::optional<Design>& design);

/// All designs worth a thought: for each number of coordinates in a key the fewest keys that reach
/// the recall, and the exact join, last.
std::vector<std::optional<Design>> CandidateDesigns(const SearchTerms& terms);

/// Position of the cheapest of `designs` by CPU time that reaches the recall at the threshold, by
/// the facts with their number of documents rounded down to a power of two: that a few documents
/// more or less change nothing. Memory has no say. REQUIRES: one reaches it (the exact join does).
size_t ChooseDesign(const CollectionFacts& facts, const SearchTerms& terms,
                    const std::vector<std::optional<Design>>& designs);

/// The facts of a collection that is alike in all but its size: pairs of documents that stood for
/// one another grow with its square, others with it.
CollectionFacts RoundedDown(const CollectionFacts& facts);

/// An expected number as a count.
uint64_t Whole(double expected);

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_PLANNER_H_
