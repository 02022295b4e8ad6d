// Every option of every command, as one plain struct with its defaults.
//
// "Behaviour" options decide what the answer is: they are hashed into the options digest of every
// manifest. "Performance" options may never change a result. The options table (options_table.h)
// says which is which; flags, help and docs/options.md are generated from it.
#ifndef LOOKALIKE_OPTIONS_H_
#define LOOKALIKE_OPTIONS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

/// The threshold of one text field.
struct FieldThreshold {
  std::string field;  ///< One of Options::text_field.
  double least = 0;   ///< Above 0, at most 1.

  friend bool operator==(const FieldThreshold&, const FieldThreshold&) = default;
};

/// The least similarity at which two documents count as alike. Converts to that number.
struct Threshold {
  double least = 0.8;  ///< Above 0, at most 1; the lowest of all fields.
  /// With several text fields, one for each; empty: `least` is the threshold of all.
  std::vector<FieldThreshold> fields;

  Threshold() = default;
  explicit Threshold(double number) : least(number) {}
  Threshold& operator=(double number) { return *this = Threshold(number); }
  operator double() const { return least; }  // NOLINT(google-explicit-constructor)
  friend bool operator==(const Threshold&, const Threshold&) = default;
};

struct Options {
  // Similarity.
  Threshold threshold;  ///< Two documents are alike if `measure` is at least this.
  /// resemblance: common features / all features; containment: common features / features of the
  /// document that has fewer.
  std::string measure = "resemblance";
  double recall = 0.99;  ///< Share of true pairs found at the threshold (worst case).
  /// word:N, char:N, byte:N, code:N or stopword:N with N from 1 to 64, winnow:K,W, or item.
  std::string shingle = "word:5";
  std::string normalize = "nfkc,casefold";  ///< Steps before texts are compared, or none.
  /// The part of an HTML page that is compared: auto, off, visible or altavista. auto: visible if
  /// the input says that it is HTML.
  std::string pages = "auto";
  std::string segment = "script";  ///< script, or icu: words as found in dictionaries.
  std::string stop_words = "en";   ///< For stopword:N: a language, short, or a file.
  std::string weights = "off";     ///< off, or a table of word weights.
  double weight_unit = 1;          ///< Weight that counts as one feature.
  std::string bag = "off";         ///< off; max: repeated shingles count each time; sum.
  /// For items with weights: off, at-least:X, liked:X,Y, stars (bag off then means max) or weights
  /// (the items' weights, in units of weight_unit).
  std::string ratings = "off";
  std::string hash = "mixer";  ///< mixer or rabin: maps a shingle to a number.
  uint64_t feature_bits = 64;  ///< 64 or 32: width of the hash of a shingle.
  bool exact_empty = false;    ///< Documents without words are copies if their bytes are equal.
  /// Documents with fewer distinct features are in no pair; 0 means 1, or 20 with containment.
  uint64_t min_features = 0;
  uint64_t seed = 0;  ///< Seed of all hashing; another seed draws another sample.
  /// Guards: numbers, dates, regex:RE, or the dotted path of a field. Two documents that differ in
  /// one of them are not near-duplicates, however alike their texts are.
  std::vector<std::string> differ;
  /// Fields in which two near-duplicates must have equal values, and fields in which they must have
  /// different ones. A missing value equals a missing value.
  std::vector<std::string> same, not_same;

  /// off, l1, l2, cosine, angular, hamming or edit: the distance between points (or strings, for
  /// edit).
  std::string distance = "off";
  /// Two points are near at or below this distance; below 0: not given.
  double within = -std::numeric_limits<double>::infinity();
  uint64_t top = 10;  ///< `nearest`: neighbours of each document, at most.

  // Search method.
  std::string method = "auto";      ///< auto, lsh, exact, shingle-merge or shingle-merge:N.
  std::string design;               ///< Band design; empty: planned from threshold and recall.
  std::string sketch = "fss:128";   ///< Sketch and its number of coordinates.
  uint64_t sketch_bits = 32;        ///< Bits kept of each coordinate: 1, 2, 4, 8, 16 or 32.
  std::string verify = "exact";     ///< exact, sketch+exact, sketch, or none (`pairs`).
  uint64_t audit_documents = 1000;  ///< Documents sampled to measure recall; 0: no audit.

  // Which documents are kept, and output.
  /// first, longest, shortest, field:NAME[:asc|desc] or source:A,B: the criteria by which one of
  /// several near-duplicates is kept. The first that tells them apart decides. Empty: first.
  std::vector<std::string> keep;
  /// `dedup`: file of decisions that people made (docs/format/decisions-v1.md), which are replayed
  /// over the kept set; empty: none.
  std::string decisions;
  std::string cluster = "leader";  ///< leader or components: grouping in clusters.jsonl.
  std::string output = "copies";   ///< copies or annotated.
  uint64_t output_shard = 0;       ///< Bytes of input per file of the result; 0: not cut.
  bool rows = false;               ///< `pairs`, `nearest`: name input and row of each document.
  bool overwrite = false;          ///< Replace an existing result.
  bool resume = false;             ///< Continue an interrupted run; keep a complete result.
  bool yes = false;                ///< `pairs`: continue if more than 10^9 lines are predicted.

  // Reading.
  /// Dotted paths; empty: text, else content, body or document. Documents with several are alike if
  /// they are alike in each of them, or in one of them (`fields`).
  std::vector<std::string> text_field;
  std::string fields = "all";  ///< all or any: the text fields in which documents must be alike.
  std::string id_field;        ///< Dotted path; empty: "id" if there is one.
  std::string metadata_field;  ///< Dotted path; empty: none.
  /// Separator of CSV fields: one character, or comma, semicolon, tab, pipe or space; empty:
  /// detected.
  std::string delimiter;
  uint64_t max_record = uint64_t{256} << 20;  ///< Bytes; longer records are rejected.
  double max_expansion = 1000;                ///< Plain bytes per compressed byte; more is a bomb.
  uint64_t max_errors = UINT64_MAX;           ///< Rejected records after which the run fails.
  /// Patterns for files found through folders and patterns: which to read (empty: all), and which
  /// of these to leave out. Files given by name are always read.
  std::vector<std::string> include, exclude;
  bool follow_links = false;     ///< Follow symbolic links that lead out of a folder.
  bool skip_bad_inputs = false;  ///< Leave out unreadable inputs instead of failing.
  /// Files, patterns and folders of a second collection. Each pair then has one document from the
  /// inputs and one from here; `dedup` removes input documents that are similar to one from here.
  std::vector<std::string> against;
  bool add = false;  ///< `dedup`: add what is kept to the index that `against` names.

  // Performance: never changes a result.
  uint64_t threads = 0;           ///< 0: as many as there are processors.
  uint64_t memory = 0;            ///< Bytes to use, 64 MiB or more; 0: half of what is available.
  std::string scratch;            ///< Folder for temporary files; empty: inside the working folder.
  std::string object_endpoint;    ///< Server of s3:// and gs:// URIs; empty: the provider's.
  std::string object_region;      ///< Region of s3:// URIs; empty: detected.
  bool object_anonymous = false;  ///< Requests to object stores are not signed.

  // Messages.
  std::string profile;  ///< `dedup`: file for what each stage cost; empty: none.
  bool json = false;    ///< Machine-readable output.
  bool quiet = false;   ///< No progress.

  /// Checks every value and combination; the message names the option and the accepted values.
  [[nodiscard]] Status Validate() const;

  /// Returns the least number of distinct features that a document in a pair can have:
  /// `min_features`, or its default.
  [[nodiscard]] uint64_t LeastFeatures() const;
};

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_H_
