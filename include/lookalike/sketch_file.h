// Sketch files: enough of each document to find and compare it when its text is gone.
//
// Pairs(), Nearest(), Dedup() and Compare() (lookalike.h) and FilterDocuments() (filter.h) take a
// sketch file as an input; each resemblance is then an estimate with a standard error.
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
  RecordCounts records;  ///< All records of `in`, except rejected records, are in the file.
  FieldNames fields;
  uint64_t documents = 0;    ///< Documents in the file.
  std::string sketch;        ///< "fss:128".
  uint32_t sketch_bits = 0;  ///< Bits kept per coordinate; 64 for samples, whose values are whole.
  std::string features;      ///< The definition of the features: "word:5".
  uint64_t bytes_in = 0;     ///< Bytes of records, as far as they were examined.
  uint64_t bytes_out = 0;    ///< Size of the file.
  double seconds = 0, cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Writes the sketches of all documents of the inputs to the file `output`
/// (docs/format/sketch-file-v1.md); compressed if its name ends in .zst, .gz, .bz2 or .lz4. Uses
/// Options::sketch (with coordinates or a sample), sketch_bits, and the options that define
/// features. A bad input is an Error. On an Error `output` is unchanged.
Result<SketchFileSummary> WriteSketchFile(const Inputs& inputs, const std::string& output,
                                          const Options& options, const Observer& observer = {});

struct SketchMergeSummary {
  RecordCounts records;    ///< `in`: the records of all files.
  uint64_t documents = 0;  ///< Documents in the file that was written.
  uint64_t merged = 0;     ///< Documents that had several records.
  std::string sketch;      ///< This and the next two are as in SketchFileSummary.
  uint32_t sketch_bits = 0;
  std::string features;
  uint64_t bytes_in = 0, bytes_out = 0;  ///< Sizes of the files.
  double seconds = 0, cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
};

/// Merges sketch files: records with equal ids are chunks of one document and become the sketch of
/// all their features. The result does not depend on how a document is cut into chunks, as long as
/// they cover its features: it has the bytes of the sketch of the whole document, with the row and
/// source of the first chunk. The number of features is exact if the chunks share none, or are
/// copies, or if bottom-k holds all of them; otherwise it is estimated from how many chunks have
/// each value. Documents stay in the order of their first records; records with unique ids are
/// copied. Returns an Error if files were made with different options, or if records have to be
/// merged but their sketches cannot be, or were stored with fewer than all bits. On an Error
/// `output` is unchanged.
Result<SketchMergeSummary> MergeSketchFiles(const Inputs& inputs, const std::string& output,
                                            const Options& options, const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_SKETCH_FILE_H_
