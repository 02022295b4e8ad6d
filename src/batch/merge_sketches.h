// `merge-sketches`: records of equal ids become the sketch of one document.
#ifndef LOOKALIKE_BATCH_MERGE_SKETCHES_H_
#define LOOKALIKE_BATCH_MERGE_SKETCHES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batch/document_sketch.h"
#include "batch/job.h"
#include "batch/sketch_file_writer.h"
#include "batch/workspace.h"
#include "format/sketch_file.h"
#include "lookalike/lookalike.h"

namespace lookalike {

/// The union of the sketches of chunks of one document. Any order of the chunks, and any chunks of
/// the same features, make the same sketch.
class ChunkUnion {
 public:
  /// REQUIRES: `kept` merges (CheckMerges).
  explicit ChunkUnion(const KeptSketch& kept) : kept_(kept) {}

  void Clear();

  /// Takes a chunk with so many distinct features. REQUIRES: a sketch of its length, not empty
  /// unless it is a sample.
  void Add(uint64_t features, std::string_view sketch);

  /// The bytes of the sketch of all features; empty where there is none.
  [[nodiscard]] std::string Sketch() const;

  /// How many distinct features there are. The chunks have `sum` of them together, and each value
  /// of the union stands for features that are in as many chunks as have the value: exact where
  /// chunks share no feature, or all, or where nothing is left out of the samples.
  [[nodiscard]] uint64_t Features() const;

 private:
  void AddCoordinates(std::string_view sketch);
  void AddSample(std::string_view sketch);

  KeptSketch kept_;
  uint64_t sum_ = 0, most_ = 0;        // of the features of chunks
  std::vector<uint32_t> coordinates_;  // empty: of no features so far
  std::vector<uint64_t> sample_;       // ascending
  std::vector<uint32_t> chunks_;       // that have each coordinate, or value
};

/// The Error says why sketches like these cannot be merged.
Status CheckMerges(const KeptSketch& kept, const std::string& name);

struct MergedFiles {
  uint64_t records = 0, merged = 0;
};

/// Reads the inputs of a job of sketch files (JobOfSketchFiles), and writes their documents to
/// `file`, in the order of their first records.
Result<MergedFiles> MergeSketches(const Job& job, const Observer& observer, Workspace* workspace,
                                  SketchFileWriter* file);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_MERGE_SKETCHES_H_
