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

/// How far a run is. `done` and `total` are bytes of input or pairs, as the stage says. Bytes of
/// compressed inputs are those that they hold when decompressed; their total is an estimate.
struct Progress {
  std::string_view stage;  ///< "fingerprint", "join", "sets", "verify", "write", ...
  uint64_t done = 0;
  uint64_t total = 0;     ///< 0: not known.
  std::string_view unit;  ///< "bytes" or "pairs".
  /// The share of the whole run that is done, from 0 to 1, by the time that its stages usually
  /// take; 0: not known.
  double of_run = 0;
};

/// What a long run tells its caller. Called from one thread at a time, not always the same one.
struct Observer {
  std::function<void(const Progress&)> progress;  ///< At most some ten times a second.
  std::function<void(std::string_view)> message;  ///< One line: "file:row: what is wrong".
  /// Asked now and then, from any thread and several at once; true ends the run with the Error
  /// "interrupted". Null: never.
  std::function<bool()> cancelled;
};

/// Counts of one run; in = kept + removed_exact + removed_near + rejected.
struct RecordCounts {
  uint64_t in = 0, kept = 0, removed_exact = 0, removed_near = 0, rejected = 0;
  uint64_t null_text = 0;      ///< Kept: the text was null.
  uint64_t repaired_text = 0;  ///< Invalid UTF-8 or lone surrogates replaced for features only.
  uint64_t repeated_ids = 0;   ///< Documents whose id an earlier one has (among those in clusters).
  uint64_t skipped_inputs = 0;
  /// Documents with fewer distinct features than Options::LeastFeatures(), but with some: in no
  /// pair.
  uint64_t too_short = 0, too_short_reference = 0;
  /// Files, folders and links that a search passed over: hidden ones, links out of the folder,
  /// those of --exclude, and other names of what is read.
  uint64_t left_out_inputs = 0;
  uint64_t reference = 0;           ///< Documents of --against; not in `in`.
  uint64_t rejected_reference = 0;  ///< Records of --against that could not be read.
};

/// Documents that a search, and so its recall, speaks of. The rest has too few features to be in a
/// pair; documents of the reference are counted like the others.
struct RecallCover {
  uint64_t documents = 0;     ///< Searched, or without any feature.
  uint64_t left_out = 0;      ///< With fewer distinct features than `min_features`, but with some.
  uint64_t min_features = 1;  ///< As Options::LeastFeatures() has it.
};

/// Which fields of the records a run reads.
struct FieldNames {
  std::string
      text;        ///< What is compared; empty: the inputs are texts, or sketches, without fields.
  std::string id;  ///< Empty: no record at the front of the inputs has it.
};

/// Measured share of true pairs found (docs/recall.md). Null estimate: no true pair in the sample.
struct RecallAudit {
  double asked = 0;
  std::optional<double> estimate, low, high;
  std::optional<double> matched;  ///< Share of the true pairs that were candidates.
  uint64_t sampled_documents = 0, sampled_pairs = 0, left_over = 0;
  /// False when even `high` is below what was asked, and when a collection was left out whole. It
  /// speaks of the documents in `covers` only.
  bool met = true;
  RecallCover covers = {};
};

/// What a run expected of itself after its first pass (docs/output.md). No pair that the search
/// found plays a part in it.
struct RunPrediction {
  std::optional<uint64_t> pairs;  ///< At or above the threshold, exact copies included.
  std::optional<uint64_t> candidates;
  std::optional<double> recall;  ///< Share of the pairs that become candidates.
  std::optional<double> cpu_seconds;
  std::optional<uint64_t> memory_bytes, disk_bytes;  ///< Peaks.
};

struct DedupSummary {
  RecordCounts records;
  FieldNames fields;
  RecallAudit recall;
  std::string design;  ///< The resolved design, or "exact".
  uint64_t clusters = 0;
  /// False where all inputs are sketch files: clusters are told by estimates, nothing is removed,
  /// and `suggested` documents could go.
  bool exact = true;
  uint64_t suggested = 0;
  /// Bytes of records: as they stand in row formats, of the text alone in columnar ones.
  uint64_t bytes_in = 0, bytes_kept = 0;
  double seconds = 0;
  double cpu_seconds = 0;  ///< Of the whole process while it ran, all threads.
  uint64_t peak_memory_bytes = 0;
  RunPrediction predicted;
  uint64_t resumed_units = 0;  ///< Units of work that an interrupted run had finished.
  bool was_complete = false;   ///< Options::resume met a complete result, and changed nothing.
};

/// Removes near-duplicates: reads `inputs` (files, globs, directories, "-"), writes the folder
/// `output` (docs/output.md). Every removed document has a kept witness whose resemblance was
/// computed exactly. Of sketch files, which have no texts, it only tells clusters. On an Error
/// `output` is as it was before.
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

/// Writes all pairs with resemblance >= threshold to `output`, or with Options::distance all pairs
/// within it: as JSON Lines, or as Parquet where its name ends in .parquet.
Result<PairsSummary> Pairs(const Inputs& inputs, const std::string& output, const Options& options,
                           const Observer& observer = {});

struct NearestSummary {
  RecordCounts records;
  FieldNames fields;
  RecallAudit recall;  ///< Of neighbours: the share of those of a sample that were found.
  std::string design;
  uint64_t neighbours = 0;  ///< Lines written.
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Writes the Options::top nearest neighbours of each document, a line each, the nearest first: by
/// Options::distance, or by resemblance down to the threshold. With Options::against they are of
/// that collection. JSON Lines, or Parquet where the name of `output` ends in .parquet.
Result<NearestSummary> Nearest(const Inputs& inputs, const std::string& output,
                               const Options& options, const Observer& observer = {});

/// Fields of a table of rows; dotted paths reach into nested objects.
struct GroupFields {
  std::string by;           ///< What makes rows one group: a customer.
  std::string item;         ///< What a list is made of: an article.
  std::string weight = {};  ///< A number that goes with it, such as a rating; empty: none.
};

struct GroupSummary {
  RecordCounts records;            ///< in, rejected and skipped_inputs.
  uint64_t groups = 0, items = 0;  ///< Lines written, and items on them.
  double seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
};

/// Groups the rows of a table, a line a group: `{"id": "ann", "items": ["tea", "milk"]}`, or
/// `[["tea", 4], ...]` with weights. Groups come in the order of their first rows, items in that of
/// the table. Group and item are strings, numbers or booleans; 1, 1.0 and 1e0 are equal. Written as
/// JSON Lines, compressed where the name of `output` ends in .gz or .zst. Options that matter:
/// those of reading, and of performance. Rows without one of the fields are rejected.
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
  uint64_t size_union = 0;                      ///< What resemblance is a share of.
  bool exact = true;                            ///< Else all of these are estimates, from sketches.
  double standard_error = 0;                    ///< Of the resemblance, where it is an estimate.
  /// Sorted by a_begin; together they hold every common feature. None where not exact.
  std::vector<Passage> passages;
  std::string text_a, text_b;  ///< The texts, invalid UTF-8 replaced.
  /// Where Options::distance asks for one. Nothing else but the texts is filled in then.
  std::optional<double> distance = {};
  bool distance_is_whole = false;  ///< Of a distance that counts.
};

/// Compares two texts.
Result<Comparison> CompareTexts(std::string_view a, std::string_view b, const Options& options,
                                const Observer& observer = {});

/// Compares two files of text, or records of a collection named `FILE#id`.
Result<Comparison> Compare(const std::string& a, const std::string& b, const Options& options,
                           const Observer& observer = {});

/// What a design does, without any input.
struct DesignReport {
  std::string design;
  uint64_t keys = 0, coordinates = 0, bytes_per_document = 0;
  std::vector<std::pair<double, double>> acceptance;  ///< (J, P[candidate])
  double half_point = 0;                              ///< J at which P = 1/2.
};

/// Evaluates `options.design`, or the one planned for threshold and recall, at the given J
/// (empty: 0, .05, ..., 1).
Result<DesignReport> EvaluateDesign(const Options& options, const std::vector<double>& at);

/// One way to search a collection, and what `dedup` would find and cost with it.
struct PlannedSearch {
  std::string design;  ///< A band design, or "exact".
  uint64_t keys = 0;   ///< Band keys a document.
  double recall_at_threshold = 1;
  double recall = 1;  ///< Of the pairs at or above the threshold that are expected.
  uint64_t candidates = 0;
  double seconds = 0;  ///< CPU time, reading and writing included.
  uint64_t memory_bytes = 0, disk_bytes = 0;
  bool reaches_recall = true;
  bool fits = true;                ///< Options::memory is enough for it.
  std::vector<double> acceptance;  ///< P[candidate] at resemblances 0, .01, ... 1.
};

/// What a sample of a collection lets expect of a run (docs/plan.md).
struct PlanReport {
  FieldNames fields;
  uint64_t documents = 0;       ///< Records of the inputs.
  uint64_t bytes = 0;           ///< Of the inputs as they are,
  uint64_t plain_bytes = 0;     ///< and decompressed.
  bool packed = false;          ///< Some of them are compressed.
  uint64_t documents_read = 0;  ///< The sample.
  bool read_whole = false;      ///< The sample is all of the inputs.
  bool read_front = false;      ///< Of some inputs the sample is the front.
  double features = 0;          ///< Mean of a document that has some.
  uint64_t pairs = 0;           ///< At or above the threshold, copies included.
  uint64_t copy_pairs = 0;      ///< Of them, pairs of exact copies.
  /// (J, pairs with a resemblance from J to J + .05). Lower ones than the first were not counted.
  std::vector<std::pair<double, double>> similarity;
  std::vector<PlannedSearch> searches;  ///< By coordinates of a key; the exact join is last.
  size_t chosen = 0;    ///< Position in `searches`: what `dedup` does with these options.
  size_t cheapest = 0;  ///< Position: the least CPU time of those that reach the recall.
};

/// Reads a sample of `inputs` (files, globs, directories) and predicts. Writes nothing.
Result<PlanReport> PlanSearch(const Inputs& inputs, const Options& options,
                              const Observer& observer = {});

/// Writes a corpus of `documents` texts with planted near-duplicates, and (unless `truth` is
/// empty) every pair of resemblance >= 0.5 over word:5. Equal arguments give equal bytes.
Status Synthesize(const std::string& output, uint64_t documents, uint64_t seed, double duplicates,
                  const std::string& truth);

struct WeightsSummary {
  RecordCounts records;  ///< kept: the documents counted.
  FieldNames fields;
  uint64_t words = 0;  ///< Lines of the table.
};

/// Writes a table of weights for Options::weights to `output`: ln((1 + documents) / (1 + documents
/// with the word)) + 1 for each word of the collection, by its bytes; * for words of no document.
/// Heeds what decides words (shingle, normalize, segment).
Result<WeightsSummary> WeighWords(const Inputs& inputs, const std::string& output,
                                  const Options& options, const Observer& observer = {});

/// How a result agrees with the true pairs. A pairs file is scored by its pairs. Removals are
/// scored as such: a removal is right where the removed document and its witness are a true pair,
/// and a true pair is found where at least one of its documents was removed.
struct Evaluation {
  bool of_removals = false;  ///< Else of pairs.
  double precision = 0;      ///< correct / found.
  double recall = 0;         ///< expected_found / expected.
  double f1 = 0;
  uint64_t found = 0;           ///< Pairs or removals at or above the threshold.
  uint64_t correct = 0;         ///< Those of them that are true.
  uint64_t expected = 0;        ///< True pairs at or above the threshold.
  uint64_t expected_found = 0;  ///< Those of them that were found.
  struct Bin {
    double from, to;
    uint64_t expected, found;
  };
  std::vector<Bin> by_resemblance;  ///< True pairs, and those of them that were found.
};

/// Scores a pairs file, or the removals of a dedup folder or its removed.jsonl, against a pairs
/// file of true pairs; both are cut at `threshold` first. The fields of a line tell what the file
/// holds.
Result<Evaluation> Evaluate(const std::string& result, const std::string& truth, double threshold);

/// A family of permutations of the points 0, 1, ..., points - 1, and how far it is from min-wise
/// independent: from P[x is the least of X] = 1/|X| for every set X of points and every x in it
/// (Broder, Charikar, Frieze, Mitzenmacher, STOC 1998).
struct PermutationFamily {
  std::string name;  ///< "even permutations".
  uint32_t points = 0;
  uint64_t size = 0;  ///< How many permutations.
  /// The greatest |P[x is the least of X] |X| - 1|, in lowest terms; 0/1 where it is exact.
  uint64_t deviation = 0, deviation_divisor = 1;
};

/// What is known of small families.
struct FamiliesReport {
  /// (n, lcm(1..n)): the least size of an exact family on n points.
  std::vector<std::pair<uint32_t, uint64_t>> least_sizes;
  std::vector<PermutationFamily> families;
};

/// Measures small families over all sets of their points.
FamiliesReport MeasureFamilies();

/// "0.1.0 (fingerprint v1, avx512)"
std::string VersionString();

/// Restricts the whole process to one instruction set ("scalar", "ssse3", "sse4", "avx2",
/// "avx512"); empty: the best this machine has. Results do not depend on it. The error lists what
/// this machine has. REQUIRES: nothing else of this library is running.
Status SelectInstructionSet(std::string_view name);

}  // namespace lookalike

#endif  // LOOKALIKE_LOOKALIKE_H_
