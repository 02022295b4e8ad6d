// `merge-sketches`: merges records with equal ids into the sketch of one document.
#ifndef LOOKALIKE_USES_SKETCHES_MERGE_SKETCHES_H_
#define LOOKALIKE_USES_SKETCHES_MERGE_SKETCHES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/sketch_file.h"
#include "lookalike/lookalike.h"
#include "run/document_sketch.h"
#include "run/job.h"
#include "run/workspace.h"
#include "uses/sketches/sketch_file_writer.h"

namespace lookalike {

/// The union of the sketches of chunks of one document. Any order of the chunks, and any division
/// of the same features into chunks, gives the same sketch.
class ChunkUnion {
 public:
  /// REQUIRES: `kept` can be merged (CheckMerges).
  explicit ChunkUnion(const KeptSketch& kept) : kept_(kept) {}

  void Clear();

  /// Adds a chunk with `features` distinct features. REQUIRES: a sketch of the right length, not
  /// empty unless it is a sample.
  void Add(uint64_t features, std::string_view sketch);

  /// Returns the bytes of the sketch of all features; empty if there is none.
  [[nodiscard]] std::string Sketch() const;

  /// Estimates the number of distinct features: the sum over the chunks, divided by the mean number
  /// of chunks in which a value of the union occurs. Exact if the chunks share no feature, or all,
  /// or if nothing is left out of the samples.
  [[nodiscard]] uint64_t Features() const;

 private:
  void AddCoordinates(std::string_view sketch);
  void AddSample(std::string_view sketch);

  KeptSketch kept_;
  uint64_t sum_ = 0, most_ = 0;        // for the features of chunks
  std::vector<uint32_t> coordinates_;  // empty: no features so far
  std::vector<uint64_t> sample_;       // ascending
  std::vector<uint32_t> chunks_;       // number of chunks that have each coordinate, or value
};

/// Returns an Error that says why, if sketches like these cannot be merged.
Status CheckMerges(const KeptSketch& kept, const std::string& name);

struct MergedFiles {
  uint64_t records = 0, merged = 0;
};

/// Reads the inputs of a job of sketch files (JobOfSketchFiles) and writes their documents to
/// `file`, in the order of their first records.
Result<MergedFiles> MergeSketches(const Job& job, const Observer& observer, Workspace* workspace,
                                  SketchFileWriter* file);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_SKETCHES_MERGE_SKETCHES_H_
