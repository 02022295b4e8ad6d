// A resolved run: the content of job.json, fixed before the first record is read.
#ifndef LOOKALIKE_RUN_JOB_H_
#define LOOKALIKE_RUN_JOB_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fingerprint/document_fingerprint.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "measures/threshold.h"
#include "options/choices.h"
#include "records/input_file.h"
#include "records/input_list.h"
#include "records/left_out.h"
#include "run/decisions_input.h"
#include "run/document_sketch.h"
#include "run/input_size.h"
#include "run/key_units.h"
#include "stages/candidates/buckets.h"
#include "stages/candidates/containment.h"
#include "stages/candidates/design.h"
#include "stages/candidates/few_features.h"
#include "stages/input/reader.h"
#include "stages/sketch/estimate.h"
#include "stages/sketch/set_sketch.h"
#include "stages/sketch/sketch.h"
#include "stages/verify/fields.h"

namespace lookalike {

/// Facts about the inputs that pass one learned, and that every later pass must find again.
struct KnownInputs {
  /// By input; one more entry at the end. A skipped input counts the documents that pass one read
  /// before the input turned out bad.
  std::vector<DocNumber> first_of_source;
  std::vector<bool> skipped;  ///< By input: it turned out unreadable.
  /// By input: true if every row is a document, so that later passes can tell documents apart
  /// without reading them.
  std::vector<bool> every_row = {};
};

struct Job {
  Options options;
  Choices choices;  ///< From the options.
  InputList inputs;
  LeftOut left_out = {};       ///< By the search for inputs.
  DecisionsInput people = {};  ///< Decisions of people, which are replayed over the kept set.
  FieldPaths fields;
  ReadLimits limits;
  FeatureSpec features;
  SketchSpec sketch;
  uint32_t sketch_bits = kWholeCoordinate;  ///< Kept per coordinate if pairs are estimated.
  /// Shingles that are merged, or the sample kept of documents if pairs are estimated; none: all
  /// shingles, or coordinates.
  std::optional<SetSketchSpec> sample;
  /// None: the exact join, shingle merging, or containment.
  std::optional<Design> design;
  /// Samples that find containment; none: resemblance, or the exact join.
  std::optional<ContainmentDesign> containment = {};
  /// Where documents may be alike in any of several text fields: the field whose features are
  /// searched, one after the other (JobOfField). None: all features together.
  std::optional<size_t> search_field = {};
  std::vector<Design> further_designs = {};  ///< The designs of the fields after it.
  /// Documents that are joined by their features instead of by the design's keys; none: all have
  /// keys.
  std::optional<FewFeatures> few = {};
  BucketRules rules;
  /// If there are sketch files among the inputs: what their features are, and whether they decided
  /// --verify.
  std::string stored_features = {};
  bool verify_is_implied = false;
  /// For `dedup`, if all inputs are sketch files: clusters are reported, and nothing is removed.
  bool only_suggests = false;
  uint32_t reference_inputs = 0;  ///< Inputs from --against, which come first; their documents
                                  ///< always stay.
  uint32_t partition_bits = 6;    ///< Number of top bits that band keys are partitioned by.

  uint32_t fewer_misses =
      1;             ///< Factor by which the design must miss fewer pairs than --recall allows.
  InputSizes sizes;  ///< Approximate size of the inputs.
  /// Known from an earlier time for the size of lanes; nullopt: inputs are opened.
  std::optional<InputCuts> cuts = {};
  uint64_t predicted_bytes = 0;  ///< Roughly the size of the runs if all were on disk.

  [[nodiscard]] uint32_t partitions() const { return uint32_t{1} << partition_bits; }
  [[nodiscard]] PartitionRange all_partitions() const { return {0, partitions()}; }
  /// Returns the number of units of the stages that tasks divide by keys.
  [[nodiscard]] uint32_t key_units() const { return KeyUnits(partitions()); }

  /// Returns the end of the reference: lower documents, and lower ranks, belong to it.
  [[nodiscard]] DocNumber ReferenceEnd(const KnownInputs& known) const {
    return known.first_of_source[reference_inputs];
  }

  [[nodiscard]] PairScope Scope(const KnownInputs& known) const {
    return {ReferenceEnd(known),
            reference_inputs != 0 && (rules.all_pairs || measures_containment())};
  }

  /// True if the threshold is for containment. Texts that are contained in others make no clusters:
  /// `dedup` then only removes documents that are contained in the reference.
  [[nodiscard]] bool measures_containment() const { return choices.measures_containment(); }

  /// True if documents are compared by several text fields. Their features are then those of all
  /// fields together, each with the number of its field (field_features.h).
  [[nodiscard]] bool several_texts() const { return choices.text_fields.several(); }

  /// Returns the test that alike pairs pass. With several text fields, they pass FieldTest as well.
  [[nodiscard]] AlikeTest Test() const { return {options.threshold, choices.measure}; }

  /// Returns the test by fields; nullopt without several text fields.
  [[nodiscard]] std::optional<FieldTest> Fields() const {
    if (!several_texts()) return std::nullopt;
    return FieldTest(choices.text_fields.thresholds, choices.text_fields.rule);
  }

  /// True if candidates are found before sets are compared; otherwise the exact join compares all.
  [[nodiscard]] bool finds_candidates() const { return design || containment; }

  /// True if documents with few features are joined by their features where others have keys. If
  /// estimates decide, or help to decide, all documents are searched by their sketches.
  [[nodiscard]] bool SearchesFewByFeatures() const {
    return choices.verify == Verification::kExact && !measures_containment() &&
           choices.method.has_keys() && (!several_texts() || search_field);
  }

  /// True if pairs are judged by sketches alone (--verify sketch and none), never by features.
  [[nodiscard]] bool estimates() const { return choices.estimates(); }

  /// Returns the sketch that is kept of documents if pairs are estimated.
  [[nodiscard]] KeptSketch Kept() const {
    return {sketch, sketch_bits, estimates() ? sample : std::nullopt};
  }

  /// Returns the coordinates that keys and codes are made from.
  [[nodiscard]] SketchSpec KeySketch() const { return estimates() ? Kept().KeySketch() : sketch; }

  /// Returns the share of pairs at the threshold that the design must find.
  [[nodiscard]] double PlannedRecall() const {
    return fewer_misses == 1 ? options.recall : 1 - (1 - options.recall) / fewer_misses;
  }

  /// Returns the least probability that one of the key coordinates is equal in two alike documents.
  [[nodiscard]] double KeyThreshold() const {
    if (search_field) return choices.text_fields.thresholds[*search_field];
    return estimates() ? Kept().KeyThreshold(options.threshold) : options.threshold.least;
  }

  /// Returns the number of documents that the audit samples. It compares all features of documents,
  /// which say little about pairs that are alike in one field only.
  [[nodiscard]] uint64_t AuditDocuments() const {
    return choices.text_fields.any() ? 0 : options.audit_documents;
  }

  /// Returns the full name of the job's features.
  [[nodiscard]] std::string FeaturesName() const {
    return stored_features.empty() ? ToString(features) : stored_features;
  }

  /// True if the edges only decide which documents go: edges between documents that are gone need
  /// not be found.
  [[nodiscard]] bool OnlyDecides() const {
    return !rules.all_pairs && choices.cluster == Clustering::kLeader;
  }

  /// Returns the names of the fields that are read, if any.
  [[nodiscard]] FieldNames FieldsRead() const {
    std::string texts = fields.text;
    for (size_t i = 1; i < choices.text_fields.paths.size(); ++i) {
      texts += ", " + choices.text_fields.paths[i];
    }
    return {fields.any ? texts : "", fields.any && fields.id_seen ? fields.id : ""};
  }

  /// Returns everything that decides the fingerprints of the job's documents.
  [[nodiscard]] FingerprintSpec Fingerprint() const {
    return {features, KeySketch(), design, options.LeastFeatures()};
  }

  /// Returns the names of the designs of all fields that are searched, each name once if they are
  /// all equal.
  [[nodiscard]] std::string NameOfDesigns() const {
    std::string names = ToString(*design);
    const bool differ = std::ranges::any_of(
        further_designs, [&](const Design& each) { return ToString(each) != names; });
    if (!differ) return names;
    for (const Design& each : further_designs) names += " + " + ToString(each);
    return names;
  }

  /// Returns the design's name, or "exact", or "shingle-merge:1000 of mod-m:25" (or "all
  /// shingles").
  [[nodiscard]] std::string DesignName() const {
    if (containment) return containment->Name();
    if (design) return NameOfDesigns();
    if (!choices.method.merges()) return "exact";
    return ToString(choices.method) + " of " + (sample ? ToString(*sample) : "all shingles");
  }
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_JOB_H_
