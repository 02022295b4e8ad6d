// Every option of every command, as one plain struct with its defaults.
//
// "Behaviour" options decide what the answer is: they are hashed into the options digest of every
// manifest. "Performance" options may never change a result. Which is which stands in the options
// table (options_table.h), from which flags, help and docs/options.md are made.
#ifndef LOOKALIKE_OPTIONS_H_
#define LOOKALIKE_OPTIONS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lookalike/status.h"

namespace lookalike {

struct Options {
  // What is alike.
  double threshold = 0.8;  ///< Value of `measure` at or above which two documents are alike.
  /// resemblance: common features / all features; containment: common features / those of the
  /// document that has fewer.
  std::string measure = "resemblance";
  double recall = 0.99;  ///< Share of true pairs found at the threshold, the worst case.
  /// word:N, char:N, byte:N, code:N or stopword:N with N from 1 to 64, winnow:K,W, or item.
  std::string shingle = "word:5";
  std::string normalize = "nfkc,casefold";  ///< Steps before texts are compared, or none.
  /// What of a page of HTML is compared: auto, off, visible or altavista. auto: visible where the
  /// input says that it is HTML.
  std::string pages = "auto";
  std::string segment = "script";  ///< script, or icu: words as dictionaries have them.
  std::string stop_words = "en";   ///< Of stopword:N: a language, short, or a file.
  std::string weights = "off";     ///< off, or a table of what words weigh.
  double weight_unit = 1;          ///< Weight that counts as one feature.
  std::string bag = "off";         ///< off; max: repeated shingles count each time; sum.
  /// Of items with weights: off, at-least:X, liked:X,Y, stars (with which bag is max or sum) or
  /// weights (what items weigh, in units of weight_unit).
  std::string ratings = "off";
  std::string hash = "mixer";  ///< mixer or rabin: how a shingle becomes a number.
  uint64_t feature_bits = 64;  ///< 64 or 32: how wide the hash of a shingle is.
  bool exact_empty = false;    ///< Documents without words are copies where their bytes are equal.
  /// Documents with fewer distinct features are in no pair; 0: 1, with containment 20.
  uint64_t min_features = 0;
  uint64_t seed = 0;  ///< Of all hashing; another seed draws another sample.

  /// off, l1, l2, cosine, angular, hamming or edit: how far points (or, edit, strings) are apart.
  std::string distance = "off";
  /// Distance at or below which two are near; below 0: not given.
  double within = -std::numeric_limits<double>::infinity();
  uint64_t top = 10;  ///< `nearest`: neighbours of each document, at most.

  // How it is found.
  std::string method = "auto";      ///< auto, lsh, exact, shingle-merge or shingle-merge:N.
  std::string design;               ///< Band design; empty: planned from threshold and recall.
  std::string sketch = "fss:128";   ///< Sketch and its number of coordinates.
  uint64_t sketch_bits = 32;        ///< Bits kept of each coordinate: 1, 2, 4, 8, 16 or 32.
  std::string verify = "exact";     ///< exact, sketch+exact, sketch, or none (`pairs`).
  uint64_t audit_documents = 1000;  ///< Documents sampled to measure recall; 0: no audit.

  // What stays, and how results are written.
  std::string keep = "first";      ///< first, longest, shortest, field:NAME[:asc|desc], source:A,B
  std::string cluster = "leader";  ///< leader or components: how clusters.jsonl groups.
  std::string output = "copies";   ///< copies or annotated.
  bool rows = false;               ///< `pairs`, `nearest`: name input and row of each document.
  bool overwrite = false;          ///< Replace an existing result.
  bool resume = false;             ///< Go on with an interrupted run; keep a complete result.
  bool yes = false;                ///< `pairs`: go on although more than 10^9 lines are predicted.

  // Reading.
  std::string text_field;  ///< Dotted path; empty: text, else content, body or document.
  std::string id_field;    ///< Dotted path; empty: "id" where there is one.
  /// Between the fields of CSV: one character, or comma, semicolon, tab, pipe or space; empty:
  /// found by itself.
  std::string delimiter;
  uint64_t max_record = uint64_t{256} << 20;  ///< Bytes; longer records are rejected.
  double max_expansion = 1000;                ///< Plain bytes per compressed byte; more is a bomb.
  uint64_t max_errors = UINT64_MAX;           ///< Rejected records after which the run fails.
  /// Patterns of the files that folders and patterns lead to: those to read (empty: all), and those
  /// to leave out of them. Files that are named themselves are always read.
  std::vector<std::string> include, exclude;
  bool follow_links = false;     ///< Read what symbolic links out of a folder lead to.
  bool skip_bad_inputs = false;  ///< Leave out unreadable inputs instead of failing.
  /// Files, patterns and folders of a second collection. Pairs are then one document of the inputs
  /// and one of these; `dedup` removes from the inputs what is alike one of these.
  std::vector<std::string> against;

  // Performance: never changes a result.
  uint64_t threads = 0;           ///< 0: as many as there are processors.
  uint64_t memory = 0;            ///< Bytes to work in, 64 MiB or more; 0: half of what there is.
  std::string scratch;            ///< Folder for temporary files; empty: inside the working folder.
  std::string object_endpoint;    ///< Server of s3:// and gs:// URIs; empty: the provider's.
  std::string object_region;      ///< Of s3:// URIs; empty: found out.
  bool object_anonymous = false;  ///< Requests to object stores are not signed.

  // Talk.
  bool json = false;   ///< Machine-readable output.
  bool quiet = false;  ///< No progress.

  /// Checks every value and combination; the message names the option and what it takes.
  [[nodiscard]] Status Validate() const;

  /// Distinct features that a document in a pair has at the least: `min_features`, or its default.
  [[nodiscard]] uint64_t LeastFeatures() const;
};

}  // namespace lookalike

#endif  // LOOKALIKE_OPTIONS_H_
