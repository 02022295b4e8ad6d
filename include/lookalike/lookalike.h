// Lookalike: finds documents that are effectively the same, and proves every answer.
//
// Functions return values or Errors; nothing here prints, exits, or keeps global state. All are
// safe to call from several threads at once, each on its own output.
#ifndef LOOKALIKE_LOOKALIKE_H_
#define LOOKALIKE_LOOKALIKE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lookalike/inputs.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// The progress of a run. `done` and `total` count bytes of input or pairs, depending on the stage.
/// Compressed inputs are counted by their decompressed bytes; their total is an estimate.
struct Progress {
  std::string_view stage;  ///< "fingerprint", "join", "sets", "verify", "write", ...
  uint64_t done = 0;
  uint64_t total = 0;     ///< 0: unknown.
  std::string_view unit;  ///< "bytes" or "pairs".
  /// The share of the whole run that is done, from 0 to 1, judged by how long its stages usually
  /// take; 0: unknown.
  double of_run = 0;
};

/// Callbacks from a long run to its caller. `progress` and `message` are called from one thread at
/// a time, but not always from the same thread.
struct Observer {
  std::function<void(const Progress&)> progress;  ///< At most about ten times a second.
  std::function<void(std::string_view)> message;  ///< One line: "file:row: what is wrong".
  /// Called now and then, from any thread and from several at once; returning true ends the run
  /// with the Error "interrupted". Null: never cancelled.
  std::function<bool()> cancelled;
};

/// Counts of one run; in = kept + removed_exact + removed_near + rejected.
struct RecordCounts {
  uint64_t in = 0, kept = 0, removed_exact = 0, removed_near = 0, rejected = 0;
  uint64_t null_text = 0;      ///< Kept documents whose text was null.
  uint64_t repaired_text = 0;  ///< Invalid UTF-8 or lone surrogates replaced for features only.
  uint64_t repeated_ids = 0;   ///< Documents with the id of an earlier document (within clusters).
  uint64_t skipped_inputs = 0;
  /// Documents with at least one distinct feature but fewer than Options::LeastFeatures(); they are
  /// in no pair.
  uint64_t too_short = 0, too_short_reference = 0;
  /// Files, folders and links that were skipped when listing inputs: hidden names, links out of the
  /// folder, names that --exclude matches, and further names of files already read.
  uint64_t left_out_inputs = 0;
  uint64_t reference = 0;           ///< Documents of --against; not in `in`.
  uint64_t rejected_reference = 0;  ///< Records of --against that could not be read.
};

/// The documents that a search, and hence its recall, covers. The others have too few features to
/// be in a pair. Reference documents are counted too.
struct RecallCover {
  uint64_t documents = 0;     ///< Documents that are searched or have no features.
  uint64_t left_out = 0;      ///< Documents with some distinct features but too few.
  uint64_t min_features = 1;  ///< Options::LeastFeatures().
};

/// The fields of the records that a run reads.
struct FieldNames {
  std::string text;  ///< The field that is compared; empty: the inputs have no fields.
  std::string id;    ///< Empty: no record at the front of the inputs has an id.
};

/// Measured share of true pairs found (docs/recall.md). The estimate is null if the sample has no
/// true pair.
struct RecallAudit {
  double asked = 0;
  std::optional<double> estimate, low, high;
  std::optional<double> matched;  ///< Share of the true pairs that were candidates.
  uint64_t sampled_documents = 0, sampled_pairs = 0, left_over = 0;
  /// False if even `high` is below `asked`, or if a whole collection was left out. Applies only to
  /// the documents in `covers`.
  bool met = true;
  RecallCover covers = {};
};

/// Predictions that a run made after its first pass (docs/output.md). They do not depend on the
/// pairs that the search found.
struct RunPrediction {
  std::optional<uint64_t> pairs;  ///< At or above the threshold, exact copies included.
  std::optional<uint64_t> candidates;
  std::optional<double> recall;  ///< Share of the pairs that become candidates.
  std::optional<double> cpu_seconds;
  std::optional<uint64_t> memory_bytes, disk_bytes;  ///< Peak usage.
};

/// The cost of a stage of a run, for the whole process.
struct StageCost {
  std::string name;
  double wall = 0, cpu = 0;  ///< Seconds; `cpu` over all threads, user and system.
  /// The part of `cpu` that more threads cannot take over: the longest chain of work of which each
  /// piece waits for the one before, in seconds.
  double serial_cpu = 0;
  uint64_t bytes = 0;        ///< Read from files and written to them, temporary ones included.
  uint64_t page_faults = 0;  ///< Pages of 4 KiB that the system handed out.
};

/// Returns the serial share of a run's processor time, from 0 to 1: the sum of `serial_cpu` by the
/// sum of `cpu`. With enough memory and disk, p processors take at least share + (1 - share) / p of
/// the time of one (Amdahl's law).
double SerialShare(const std::vector<StageCost>& stages);

struct DedupSummary {
  RecordCounts records;
  FieldNames fields;
  RecallAudit recall;
  std::string design;  ///< The resolved design, or "exact".
  uint64_t clusters = 0;
  /// Pairs of documents that stay although they are alike, because a guard (Options::differ) tells
  /// them apart.
  uint64_t guarded_pairs = 0;
  uint64_t decisions = 0;  ///< Decisions of people (Options::decisions) that were replayed.
  /// With Options::keep: how many removals each criterion decided, in the order of the criteria,
  /// and "input order" how many only the order of the inputs did. Before these "reference", and
  /// after them "decision", if they decided any. Empty with the default.
  std::vector<std::pair<std::string, uint64_t>> kept_by;
  /// False if all inputs are sketch files: clusters rest on estimates, nothing is removed, and
  /// `suggested` documents could be removed.
  bool exact = true;
  uint64_t suggested = 0;
  /// Bytes of records: whole records in row formats, only the text in columnar formats.
  uint64_t bytes_in = 0, bytes_kept = 0;
  double seconds = 0;
  double cpu_seconds = 0;  ///< For the whole process during the run, all threads.
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
  RunPrediction predicted;
  std::vector<StageCost> stages;  ///< In order; empty if nothing was done.
  uint64_t resumed_units = 0;     ///< Units of work already finished by an interrupted run.
  bool was_complete = false;      ///< Options::resume found a complete result and changed nothing.
};

/// Removes near-duplicates: reads `inputs` (files, globs, directories, "-"), writes the folder
/// `output` (docs/output.md). Every removed document has a kept witness whose resemblance was
/// computed exactly. For sketch files, which have no texts, it only writes clusters. On an Error
/// `output` is unchanged.
Result<DedupSummary> Dedup(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer = {});

struct PairsSummary {
  RecordCounts records;  ///< kept and removed are 0 here.
  FieldNames fields;
  RecallAudit recall;
  std::string design;
  uint64_t pairs = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
  RunPrediction predicted;
};

/// Writes all pairs with resemblance >= threshold to `output`, or, with Options::distance, all
/// pairs within that distance: as JSON Lines, or as Parquet if the name ends in .parquet.
Result<PairsSummary> Pairs(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer = {});

struct NearestSummary {
  RecordCounts records;
  FieldNames fields;
  RecallAudit recall;  ///< The share of a sample's true neighbours that were found.
  std::string design;
  uint64_t neighbours = 0;  ///< Lines written.
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Writes the Options::top nearest neighbours of each document, one per line, nearest first: by
/// Options::distance, or by resemblance down to the threshold. With Options::against the neighbours
/// come from that collection. Writes JSON Lines, or Parquet if the name of `output` ends in
/// .parquet.
Result<NearestSummary> Nearest(const Inputs& inputs, const std::string& output,
                               const Options& options, const Observer& observer = {});

/// The fields of a table to group; dotted paths reach into nested objects.
struct GroupFields {
  std::string by;           ///< Rows with equal values form a group, such as a customer.
  std::string item;         ///< The members of a group, such as articles.
  std::string weight = {};  ///< A number for each item, such as a rating; empty: none.
};

struct GroupSummary {
  RecordCounts records;            ///< in, rejected and skipped_inputs.
  uint64_t groups = 0, items = 0;  ///< Lines written, and items on these lines.
  double seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
};

/// Groups the rows of a table, one group per line: `{"id": "ann", "items": ["tea", "milk"]}`, or
/// `[["tea", 4], ...]` with weights. Groups are in the order of their first rows, items in the
/// order of the table. Group and item are strings, numbers or booleans; 1, 1.0 and 1e0 are equal.
/// The output is JSON Lines, compressed if the name of `output` ends in .gz or .zst. Only the
/// reading and performance options have an effect. Rows that lack a field are rejected.
Result<GroupSummary> GroupTable(const Inputs& inputs, const std::string& output,
                                const GroupFields& fields, const Options& options,
                                const Observer& observer = {});

/// A passage that both texts share; offsets in code points of the original texts, end exclusive.
struct Passage {
  uint64_t a_begin, a_end, b_begin, b_end;
};

struct Comparison {
  double resemblance = 0, containment_ab = 0, containment_ba = 0;
  uint64_t common = 0, size_a = 0, size_b = 0;  ///< Counts of distinct features.
  uint64_t size_union = 0;                      ///< The denominator of the resemblance.
  bool exact = true;                            ///< False: all are estimates from sketches.
  double standard_error = 0;                    ///< For the resemblance, if it is an estimate.
  /// Sorted by a_begin; together they hold every common feature. Empty if not exact.
  std::vector<Passage> passages;
  std::string text_a, text_b;  ///< The texts, with invalid UTF-8 replaced.
  /// Set if Options::distance is not off; besides it, only the texts and distance_is_whole are set
  /// then.
  std::optional<double> distance = {};
  bool distance_is_whole = false;  ///< True if the distance is a count.
};

/// Compares two texts.
Result<Comparison> CompareTexts(std::string_view a, std::string_view b, const Options& options,
                                const Observer& observer = {});

/// Compares two text files, or records of a collection given as `FILE#id`.
Result<Comparison> Compare(const std::string& a, const std::string& b, const Options& options,
                           const Observer& observer = {});

/// The properties of a design, computed without any input.
struct DesignReport {
  std::string design;
  uint64_t keys = 0, coordinates = 0, bytes_per_document = 0;
  std::vector<std::pair<double, double>> acceptance;  ///< (J, P[candidate])
  double half_point = 0;                              ///< J at which P = 1/2.
};

/// Evaluates `options.design`, or the design planned for threshold and recall, at the given J
/// (empty: 0, .05, ..., 1).
Result<DesignReport> EvaluateDesign(const Options& options, const std::vector<double>& at);

/// One way to search a collection, and what `dedup` would find and cost with it.
struct PlannedSearch {
  std::string design;  ///< A band design, or "exact".
  uint64_t keys = 0;   ///< Band keys per document.
  double recall_at_threshold = 1;
  double recall = 1;  ///< Over the pairs expected at or above the threshold.
  uint64_t candidates = 0;
  double seconds = 0;  ///< CPU time, including reading and writing.
  uint64_t memory_bytes = 0, disk_bytes = 0;
  bool reaches_recall = true;
  bool fits = true;                ///< Options::memory is enough.
  std::vector<double> acceptance;  ///< P[candidate] at resemblances 0, .01, ... 1.
};

/// Predictions for a run, estimated from a sample of the collection (docs/plan.md).
struct PlanReport {
  FieldNames fields;
  uint64_t documents = 0;       ///< Records of the inputs.
  uint64_t bytes = 0;           ///< Size of the inputs as stored.
  uint64_t plain_bytes = 0;     ///< Size of the inputs when decompressed.
  bool packed = false;          ///< Some inputs are compressed.
  uint64_t documents_read = 0;  ///< Documents in the sample.
  bool read_whole = false;      ///< The sample is all of the inputs.
  bool read_front = false;      ///< Some inputs were sampled only at their front.
  double features = 0;          ///< Mean over the documents that have any.
  uint64_t pairs = 0;           ///< At or above the threshold, including copies.
  uint64_t copy_pairs = 0;      ///< Pairs of exact copies among them.
  /// (J, pairs with a resemblance from J to J + .05). Pairs below the first J were not counted.
  std::vector<std::pair<double, double>> similarity;
  std::vector<PlannedSearch> searches;  ///< Sorted by coordinates per key; the exact join is last.
  size_t chosen = 0;    ///< Position in `searches` of the search that `dedup` uses with these
                        ///< options.
  size_t cheapest = 0;  ///< Position of the search with the least CPU time that reaches the recall.
};

/// Reads a sample of `inputs` (files, globs, directories) and predicts what a run would do. Writes
/// nothing.
Result<PlanReport> PlanSearch(const Inputs& inputs, const Options& options,
                              const Observer& observer = {});

/// Writes a corpus of `documents` texts with planted near-duplicates, and (unless `truth` is
/// empty) every pair of resemblance >= 0.5 over word:5. Equal arguments give equal bytes.
Status Synthesize(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                  const std::string& truth);

struct WeightsSummary {
  RecordCounts records;  ///< `kept`: the documents counted.
  FieldNames fields;
  uint64_t words = 0;  ///< Lines of the table.
};

/// Writes a table of weights for Options::weights to `output`: ln((1 + documents) / (1 + documents
/// with the word)) + 1 for each word of the collection, in byte order; the line * is for words that
/// occur in no document. Uses the options that define words (shingle, normalize, segment).
Result<WeightsSummary> WeighWords(const Inputs& inputs, const std::string& output,
                                  const Options& options, const Observer& observer = {});

/// The agreement of a result with the true pairs. A pairs file is scored by its pairs, a dedup
/// result by its removals: a removal is correct if the removed document and its witness are a true
/// pair, and a true pair is found if at least one of its documents was removed.
struct Evaluation {
  bool of_removals = false;  ///< True: the result is a dedup result; false: a pairs file.
  double precision = 0;      ///< correct / found.
  double recall = 0;         ///< expected_found / expected.
  double f1 = 0;
  uint64_t found = 0;           ///< Pairs or removals at or above the threshold.
  uint64_t correct = 0;         ///< Correct pairs or removals among `found`.
  uint64_t expected = 0;        ///< True pairs at or above the threshold.
  uint64_t expected_found = 0;  ///< The expected pairs that were found.
  struct Bin {
    double from, to;
    uint64_t expected, found;
  };
  std::vector<Bin> by_resemblance;  ///< True pairs, and how many of them were found.
};

/// Scores a pairs file, or the removals of a dedup folder or its removed.jsonl, against a pairs
/// file of true pairs; both are cut at `threshold` first. The fields of a line show which kind of
/// file it is.
Result<Evaluation> Evaluate(const std::string& result, const std::string& truth, double threshold);

/// A family of permutations of the points 0, 1, ..., points - 1, and its deviation from min-wise
/// independence, which is P[x is the least of X] = 1/|X| for every set X of points and every x in
/// it (Broder, Charikar, Frieze, Mitzenmacher, STOC 1998).
struct PermutationFamily {
  std::string name;  ///< "even permutations".
  uint32_t points = 0;
  uint64_t size = 0;  ///< Number of permutations.
  /// The greatest |P[x is the least of X] |X| - 1|, in lowest terms; 0/1 if the family is exact.
  uint64_t deviation = 0, deviation_divisor = 1;
};

/// Measurements of small families.
struct FamiliesReport {
  /// (n, lcm(1..n)): the least size of an exact family on n points.
  std::vector<std::pair<uint32_t, uint64_t>> least_sizes;
  std::vector<PermutationFamily> families;
};

/// Measures small families over all sets of their points.
FamiliesReport MeasureFamilies();

/// Returns the version, such as "0.1.0 (fingerprint v1, avx512)".
std::string VersionString();

/// Restricts the whole process to one instruction set ("scalar", "ssse3", "sse4", "avx2",
/// "avx512"); empty: the best that this machine supports. Results do not depend on it. The error
/// lists the sets that this machine supports. REQUIRES: nothing else of this library is running.
Status SelectInstructionSet(std::string_view name);

}  // namespace lookalike

#endif  // LOOKALIKE_LOOKALIKE_H_
