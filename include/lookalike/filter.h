// A filter for streams: tells, for each document as it arrives, whether a similar document came
// before.
//
// It keeps a constant number of bytes per document, but neither text nor features, so its answers
// are never verified: two documents count as alike if their sketches share a key of the design
// (Broder, "Algorithms for duplicate documents": 6 groups of 14 samples, 2 of which are equal).
#ifndef LOOKALIKE_FILTER_H_
#define LOOKALIKE_FILTER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Design of a filter if Options::design is empty: 48 bytes per document, half point .909.
inline constexpr const char* kUsualFilterDesign = "groups:6x14:2";

struct FilterSettings {
  /// Folder that stores the documents seen by earlier runs (docs/format/filter-state-v2.md). It is
  /// opened at the beginning, created if missing, and updated in one step at the end. A file of
  /// version 1 is read and replaced by a folder. Empty: no state.
  std::string state = {};
  /// Documents between two updates of the state. Each update is durable and comes after the answers
  /// for its documents; a crash leaves the state as it was after the last update. 0: one update, at
  /// the end.
  uint64_t checkpoint = 0;
  /// Answers from the state alone. The state is not changed, and other runs may use it meanwhile.
  bool ask_only = false;
  /// Receives the answers if there is no output: whole lines, as they come. An Error ends the run.
  std::function<Status(std::string_view)> take = {};
};

struct FilterSummary {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  FieldNames fields;
  uint64_t fresh = 0, seen = 0;     ///< Number of answers "new" and "seen".
  uint64_t remembered = 0;          ///< Documents in the filter, also from earlier runs.
  uint64_t bytes_per_document = 0;  ///< Size of a record: the hashes kept for a document.
  uint64_t table_bytes = 0;         ///< Hashes and lookup tables of all remembered documents.
  uint64_t id_bytes = 0;            ///< Ids of all remembered documents.
  std::string design, sketch;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;

  /// Returns the bytes per remembered document, including lookup tables.
  [[nodiscard]] double TableBytesPerDocument() const {
    return static_cast<double>(table_bytes) / static_cast<double>(remembered > 0 ? remembered : 1);
  }
};

/// Reads documents in order and writes one line for each: `{"id": "7", "source": "a.jsonl", "row":
/// 7, "decision": "seen", "like": "3", "exact": false}`. `like` is the first new document that
/// shares a key with this one. An answer depends only on earlier documents. Documents that are
/// "seen", or have no features, are not remembered.
///
/// Standard input ("-" or no inputs) is plain JSON Lines, answered as the lines come; its fields
/// are the ones named in the options, else `text` and `id`. Uses the options that define features,
/// sketch, design, seed, min_features and reading. On an Error output and state are unchanged,
/// except for checkpoints.
///
/// A remembered document takes about 57 bytes of mapped files with 6 hashes of 64 bits, and about
/// 15 with 8 one-byte hashes of which 7 must be equal; its id stays on disk. The files belong to
/// the state, or are temporary.
Result<FilterSummary> FilterDocuments(const Inputs& inputs, const std::string& output,
                                      const FilterSettings& settings, const Options& options,
                                      const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_FILTER_H_
