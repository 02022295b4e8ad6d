// The costs of single steps of a run: the planner's only measured numbers.
//
// CPU seconds are for one core of the machine in docs/plan.md; bytes are for the engine's
// structures. bench/plan_accuracy.py compares predictions with runs.
#ifndef LOOKALIKE_PLAN_COSTS_H_
#define LOOKALIKE_PLAN_COSTS_H_

namespace lookalike {

// CPU seconds.
inline constexpr double kStart = 0.02;         ///< A process with nothing to do.
inline constexpr double kAudited = 45e-6;      ///< Per document of the audit's sample.
inline constexpr double kPlainByte = 1.2e-9;   ///< Read in three passes, written once.
inline constexpr double kUnzstdByte = 0.7e-9;  ///< In one pass.
inline constexpr double kZstdByte = 5.1e-9;    ///< Per byte of output.
inline constexpr double kUngzipByte = 3e-9;
inline constexpr double kGzipByte = 28e-9;
inline constexpr double kRecord = 1.8e-6;         ///< Rows, ids, classes, sketches of one document.
inline constexpr double kFeature = 6.5e-9;        ///< From text to a value of the sketch.
inline constexpr double kKey = 60e-9;             ///< Made, partitioned, sorted, grouped.
inline constexpr double kFurtherKey = 130e-9;     ///< Cost of large buckets, per key they add.
inline constexpr double kMet = 20e-9;             ///< A pair in a bucket.
inline constexpr double kCandidate = 60e-9;       ///< Fetching the data on a pair's documents.
inline constexpr double kSetFeature = 20e-9;      ///< Made again, sorted, stored and read.
inline constexpr double kCommonFeature = 1.5e-9;  ///< Per common feature of a verified pair.
/// Per feature of a mean document: the passages that the report's examples share.
inline constexpr double kReportFeature = 140e-6;
inline constexpr double kExactFeature = 170e-9;  ///< Ordered by rarity, indexed, looked up.
inline constexpr double kExactPair = 40e-9;      ///< A pair that shares rare features.
inline constexpr double kMergeRecord = 120e-9;   ///< A shingle of a document, sorted and merged.
inline constexpr double kIdPair = 90e-9;         ///< Formed, sorted and counted.
inline constexpr double kScratchByte = 4e-9;     ///< A byte of a temporary file: write and read.
inline constexpr double kPasses = 3;             ///< Passes that read the input.

// Bytes.
inline constexpr double kProcessBytes = 36e6;   ///< The code, its libraries, the stacks.
inline constexpr double kBatchBytes = 5.5e6;    ///< A megabyte of records in flight.
inline constexpr double kColumnarBytes = 20e6;  ///< Memory that the columnar library keeps.
inline constexpr double kKeyBytes = 12, kDocumentBytes = 130, kPairBytes = 16;
/// Copies of a pair while all are sorted: in runs, and in the run that they are merged into.
inline constexpr double kPairCopies = 2.6;
inline constexpr double kStoredFeature = 8;
inline constexpr double kFewFeatures = 10;        ///< Mean of documents joined by their features.
inline constexpr double kMergedBytes = 16;        ///< A record or pair being sorted.
inline constexpr double kExactFeatureBytes = 20;  ///< The exact join's index, beside the sets.
/// Per document while classes of equal documents are sorted, whatever spills.
inline constexpr double kSortedBytes = 60;
/// Pairs that are verified at a time, in the middle of a run, and the size of their sets in memory
/// as a multiple of their stored size.
inline constexpr double kPairsAtOnce = 4096, kSetCopies = 1.2;
/// Size of the records between two releases of sets, and the share of sets kept by a release.
inline constexpr double kUnitBytes = 67e6, kNeededLater = 0.2;

}  // namespace lookalike

#endif  // LOOKALIKE_PLAN_COSTS_H_
