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
  /// Folder of what earlier runs remember (docs/format/filter-state-v2.md): opened at the beginning
  /// if it is there, made if not, and changed in one step at the end. A file of version 1 is read
  /// and replaced by a folder. Empty: none.
  std::string state = {};
  /// Documents between two changes of the state, each of which is durable and follows the answers
  /// for them: after a crash the state is that of the last one. 0: one change, at the end.
  uint64_t checkpoint = 0;
  /// Answers from the state alone: it is not changed, and may be in use by other runs.
  bool ask_only = false;
  /// Takes the answers where there is no output: whole lines, as they come. An Error ends
  /// the run.
  std::function<Status(std::string_view)> take = {};
};

struct FilterSummary {
  RecordCounts records;  ///< in, rejected, null_text and repaired_text.
  FieldNames fields;
  uint64_t fresh = 0, seen = 0;     ///< Answers "new" and "seen".
  uint64_t remembered = 0;          ///< Documents in the filter, those of earlier runs included.
  uint64_t bytes_per_document = 0;  ///< Of a record: the hashes that are kept of a document.
  uint64_t table_bytes = 0;         ///< Of hashes and lookups of all that are remembered.
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
/// before, but for checkpoints.
/// A remembered document takes about 57 bytes with 6 hashes of 64 bits, and 15 with 8 hashes of a
/// byte of which 7 must be equal, mapped from files; ids stay in the files. The files are those of
/// the state, or temporary ones.
Result<FilterSummary> FilterDocuments(const Inputs& inputs, const std::string& output,
                                      const FilterSettings& settings, const Options& options,
                                      const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_FILTER_H_
