// A filter for streams: says of each document, as it comes, whether one like it came before.
//
// It keeps a constant number of bytes a document, no text and no features, so that what it says is
// never proven: two documents are taken for alike where their sketches share a key of the design
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

/// Design of a filter where Options::design is empty: 48 bytes a document, half point .909.
inline constexpr const char* kUsualFilterDesign = "groups:6x14:2";

struct FilterSettings {
  /// File of what earlier runs remember (docs/format/filter-file-v1.md): read at the beginning if
  /// it is there, written at the end. Empty: none.
  std::string state = {};
  /// Takes the answers where there is no output: whole lines, as they come. An Error ends
  /// the run.
  std::function<Status(std::string_view)> take = {};
};

struct FilterSummary {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  FieldNames fields;
  uint64_t fresh = 0, seen = 0;     ///< Answers "new" and "seen".
  uint64_t remembered = 0;          ///< Documents in the filter, those of earlier runs included.
  uint64_t bytes_per_document = 0;  ///< Of a record.
  uint64_t id_bytes = 0;            ///< Of the ids of all that are remembered.
  std::string design, sketch;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Reads documents in order and writes a line for each: `{"id": "7", "source": "a.jsonl", "row": 7,
/// "decision": "seen", "like": "3", "exact": false}`. `like` is the first document that was new and
/// shares a key with this one. An answer depends on earlier documents only. Documents that are
/// "seen", or without features, are not remembered.
/// Standard input ("-" or no inputs) is plain JSON Lines, answered as the lines come; its fields
/// are those of the options, else `text` and `id`. Heeds of the options what decides features,
/// sketch, design, seed, min_features and reading. On an Error output and state are as they were
/// before.
Result<FilterSummary> FilterDocuments(const Inputs& inputs, const std::string& output,
                                      const FilterSettings& settings, const Options& options,
                                      const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_FILTER_H_
