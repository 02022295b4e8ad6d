// A resolved run: what job.json holds, fixed before the first record is read.
#ifndef LOOKALIKE_BATCH_JOB_H_
#define LOOKALIKE_BATCH_JOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/document_sketch.h"
#include "batch/input_size.h"
#include "batch/keep_order.h"
#include "fingerprint/document_fingerprint.h"
#include "flow/input_file.h"
#include "flow/input_list.h"
#include "flow/left_out.h"
#include "flow/threshold.h"
#include "io/object_access.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "options/method_option.h"
#include "stages/candidates/buckets.h"
#include "stages/candidates/containment.h"
#include "stages/candidates/design.h"
#include "stages/candidates/few_features.h"
#include "stages/input/reader.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

/// What pass one learned about the inputs, and what every later pass must meet again.
struct KnownInputs {
  /// By input; one more entry at the end. Of a skipped one the documents are counted that pass one
  /// read before it turned out bad.
  std::vector<DocNumber> first_of_source;
  std::vector<bool> skipped;  ///< By input: it turned out unreadable.
  /// By input: every row is a document, so that later passes can tell documents apart without
  /// reading them.
  std::vector<bool> every_row = {};
};

struct Job {
  Options options;
  InputList inputs;
  LeftOut left_out = {};  ///< Of the search for them.
  FieldPaths fields;
  ReadLimits limits;
  FeatureSpec features;
  SketchSpec sketch;
  uint32_t sketch_bits = kWholeCoordinate;  ///< Kept of each coordinate where pairs are estimated.
  MethodOption method;
  /// Shingles that are merged, or what is kept of documents where pairs are estimated; none: all of
  /// them, or coordinates.
  std::optional<SetSketchSpec> sample;
  /// None: the exact join, the merging of shingles, or containment.
  std::optional<Design> design;
  /// Samples that find what contains what; none: resemblance, or the exact join.
  std::optional<ContainmentDesign> containment = {};
  /// Documents that are joined by their features instead of the design's keys; none: all have keys.
  std::optional<FewFeatures> few = {};
  BucketRules rules;
  KeepOption keep;
  /// Of sketch files among the inputs: what their features are, and that --verify was theirs to
  /// say.
  std::string stored_features = {};
  bool verify_is_implied = false;
  /// Of `dedup`, where all inputs are sketch files: clusters are told, and nothing is removed.
  bool only_suggests = false;
  uint32_t reference_inputs = 0;  ///< The first inputs, of --against; their documents always stay.
  uint32_t partition_bits = 6;    ///< Band keys are partitioned by so many of their top bits.

  uint32_t fewer_misses = 1;  ///< The design is to miss so many times fewer than --recall allows.
  InputSizes sizes;           ///< Roughly what the inputs hold.
  uint64_t predicted_bytes = 0;  ///< Roughly what the runs take, were all of them on disk.

  [[nodiscard]] uint32_t partitions() const { return uint32_t{1} << partition_bits; }

  /// Documents, and ranks, below are of the reference.
  [[nodiscard]] DocNumber ReferenceEnd(const KnownInputs& known) const {
    return known.first_of_source[reference_inputs];
  }

  [[nodiscard]] PairScope Scope(const KnownInputs& known) const {
    return {ReferenceEnd(known),
            reference_inputs != 0 && (rules.all_pairs || measures_containment())};
  }

  /// What the threshold is about. Texts that are contained in others make no clusters: `dedup`
  /// then removes what a reference tells it to, and nothing else.
  [[nodiscard]] bool measures_containment() const { return options.measure == "containment"; }

  /// Which pairs are alike.
  [[nodiscard]] AlikeTest Test() const {
    return {options.threshold,
            measures_containment() ? Measure::kContainment : Measure::kResemblance};
  }

  /// Whether candidates are found before sets are compared; else the exact join compares all.
  [[nodiscard]] bool finds_candidates() const { return design || containment; }

  /// Whether documents with few features are joined by these where others have keys. Where
  /// estimates decide, or have a say, all documents are searched by their sketches.
  [[nodiscard]] bool SearchesFewByFeatures() const {
    return options.verify == "exact" && !measures_containment() && method.has_keys();
  }

  /// Whether pairs are told by sketches alone (--verify sketch and none), never by features.
  [[nodiscard]] bool estimates() const {
    return options.verify == "sketch" || options.verify == "none";
  }

  /// What is kept of documents where pairs are estimated.
  [[nodiscard]] KeptSketch Kept() const {
    return {sketch, sketch_bits, estimates() ? sample : std::nullopt};
  }

  /// The coordinates that keys and codes are made of.
  [[nodiscard]] SketchSpec KeySketch() const { return estimates() ? Kept().KeySketch() : sketch; }

  /// Of pairs at the threshold, the share that the design is to find.
  [[nodiscard]] double PlannedRecall() const {
    return fewer_misses == 1 ? options.recall : 1 - (1 - options.recall) / fewer_misses;
  }

  /// The least probability that one of them is equal in two documents that are alike.
  [[nodiscard]] double KeyThreshold() const {
    return estimates() ? Kept().KeyThreshold(options.threshold) : options.threshold;
  }

  /// What its features are, in full.
  [[nodiscard]] std::string FeaturesName() const {
    return stored_features.empty() ? ToString(features) : stored_features;
  }

  /// Whether nothing is asked of the edges but which documents go: those between documents that are
  /// gone need not be found.
  [[nodiscard]] bool OnlyDecides() const {
    return !rules.all_pairs && options.cluster != "components";
  }

  /// The fields that are read, as far as there are any.
  [[nodiscard]] FieldNames FieldsRead() const {
    return {fields.any ? fields.text : "", fields.any && fields.id_seen ? fields.id : ""};
  }

  /// What decides the fingerprints of its documents.
  [[nodiscard]] FingerprintSpec Fingerprint() const {
    return {features, KeySketch(), design, options.LeastFeatures()};
  }

  /// The design's name, or "exact", or "shingle-merge:1000 of mod-m:25" (or "all shingles").
  [[nodiscard]] std::string DesignName() const {
    if (containment) return containment->Name();
    if (design) return ToString(*design);
    if (!method.merges()) return "exact";
    return ToString(method) + " of " + (sample ? ToString(*sample) : "all shingles");
  }
};

/// What a run reads, as its user named it: the reference first, so that its documents have the
/// lowest numbers. Of file:// URIs, their paths.
std::vector<std::string> NamedInputs(const std::vector<std::string>& inputs,
                                     const Options& options);

/// The inputs of a run, the reference first.
struct FoundCollections {
  FoundInputs inputs;
  uint32_t reference = 0;  ///< How many of them are of --against.
};

/// Finds what `names` and --against lead to, by the rules that the options set. The inputs of each
/// of the two have different names.
Result<FoundCollections> FindCollections(const std::vector<std::string>& names,
                                         const Options& options, Discovery how);

/// The same with the tables that options name: no result may be written over one of these.
std::vector<std::string> FilesRead(const std::vector<std::string>& inputs, const Options& options);

/// Checks the options and settles what they alone decide. `all_pairs`: for the command `pairs`.
/// `may_estimate`: pairs may be told by sketches alone.
Result<Job> BeginJob(const Options& options, bool all_pairs, bool may_estimate);
inline Result<Job> BeginJob(const Options& options, bool all_pairs) {
  return BeginJob(options, all_pairs, all_pairs);
}

/// Checks the options, finds the inputs, settles fields, method and design. `spool_dir` takes
/// standard input, unless it `is_spooled` there already, and copies of objects. `all_pairs`: for
/// the command `pairs`.
Result<Job> ResolveJob(const Inputs& inputs, const Options& options, bool all_pairs,
                       const std::string& spool_dir, bool is_spooled = false,
                       const ObjectReading& objects = {});

/// Chooses a design again that misses a tenth as many pairs. False where there is none, where the
/// options name the design, and where that was done before: the job then is as it was.
bool PlanForFewerMisses(Job* job);

/// As ResolveJob, for making sketches of all documents of the inputs (Options::sketch, of
/// coordinates or of a sample): no design, no keep order.
Result<Job> ResolveSketching(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects);

/// A job of which only the inputs and how they are read are settled. `fields` are as they are.
Result<Job> JobThatReads(const Inputs& inputs, const Options& options, FieldPaths fields,
                         const std::string& spool_dir, const ObjectReading& objects);

/// A job of sketch files, all of which were made with the same options: what these were.
Result<Job> JobOfSketchFiles(const Inputs& inputs, const Options& options,
                             const std::string& spool_dir, const ObjectReading& objects);

/// As JobThatReads for a search by distances, with the reference: `form` is what the text field
/// holds.
Result<Job> JobOfDistances(const Inputs& inputs, const Options& options, TextForm form,
                           const std::string& spool_dir, const ObjectReading& objects);

/// An Error when an input's size or time of change is no longer what it was when the run began.
Status CheckUnchanged(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_JOB_H_
