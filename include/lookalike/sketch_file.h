// Sketch files: what is left of documents to find and compare them by when their texts are gone.
//
// Pairs(), Nearest(), Dedup() and Compare() (lookalike.h) and FilterDocuments() (filter.h) take
// such a file as an input; each resemblance is then an estimate with a standard error.
#ifndef LOOKALIKE_SKETCH_FILE_H_
#define LOOKALIKE_SKETCH_FILE_H_

#include <cstdint>
#include <string>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

struct SketchFileSummary {
  RecordCounts records;  ///< Of `in` all but the rejected ones are in the file.
  FieldNames fields;
  uint64_t documents = 0;    ///< In the file.
  std::string sketch;        ///< "fss:128".
  uint32_t sketch_bits = 0;  ///< Of each coordinate; 64 of samples, whose values are whole.
  std::string features;      ///< What is sketched: "word:5".
  uint64_t bytes_in = 0;     ///< Of records, as far as they were looked at.
  uint64_t bytes_out = 0;    ///< Of the file.
  double seconds = 0, cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Writes the sketches of all documents of the inputs to the file `output`
/// (docs/format/sketch-file-v1.md); compressed where its name ends in .zst, .gz, .bz2 or .lz4.
/// Heeds Options::sketch, of coordinates or of a sample, sketch_bits, and what decides features. A
/// bad input is an Error. On an Error `output` is as it was before.
Result<SketchFileSummary> WriteSketchFile(const Inputs& inputs, const std::string& output,
                                          const Options& options, const Observer& observer = {});

struct SketchMergeSummary {
  RecordCounts records;    ///< `in`: the records of all files.
  uint64_t documents = 0;  ///< In the file that was written.
  uint64_t merged = 0;     ///< Of them, those that several records are of.
  std::string sketch;      ///< As SketchFileSummary has these.
  uint32_t sketch_bits = 0;
  std::string features;
  uint64_t bytes_in = 0, bytes_out = 0;  ///< Of the files.
  double seconds = 0, cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
};

/// Merges sketch files: records of equal ids are chunks of one document, and become the sketch of
/// all their features. Any chunks give the same bytes, where these cover the features of the
/// document: those of the sketch of the whole, with row and source of the first chunk. The number
/// of features is exact where chunks share none, or are copies, or where bottom-k holds all of
/// them; else it is estimated, from how many chunks have each value. Documents stay in the order of
/// their first records; other ids are copied. An Error where files were made with different
/// options, and where two records are to be merged of a sketch that does not merge, or of which
/// fewer than all bits were kept. On an Error `output` is as it was before.
Result<SketchMergeSummary> MergeSketchFiles(const Inputs& inputs, const std::string& output,
                                            const Options& options, const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_SKETCH_FILE_H_
