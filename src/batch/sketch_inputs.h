// Sketch files among the inputs of a job: what they decide of it.
#ifndef LOOKALIKE_BATCH_SKETCH_INPUTS_H_
#define LOOKALIKE_BATCH_SKETCH_INPUTS_H_

#include <optional>
#include <string>

#include "batch/job.h"
#include "format/sketch_bytes.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// Kind and size of stored sketches as Options::sketch has them: "fss:128", "bottom-k:64". An Error
/// where they are of another version of the fingerprint, or of a kind that is not known here.
Result<std::string> SketchNameOf(const StoredSketch& stored);

/// The options with kind, seed and bits of the stored sketches. An Error, which names both, where
/// an option that is not at its default asks for something else. `place`: the file, for errors.
Result<Options> AdoptSketches(const StoredSketch& stored, const std::string& name,
                              const Options& options, const std::string& place);

/// What the sketches of all sketch files among the inputs are; nothing where there is none. An
/// Error where two differ. One that cannot be read is left to the reader of its records where bad
/// inputs are skipped.
struct SketchesOfInputs {
  StoredSketch stored;
  std::string name;   ///< As SketchNameOf has it.
  std::string place;  ///< The first such file, for errors.
};
Result<std::optional<SketchesOfInputs>> ReadSketchFronts(const Job& job);

/// Looks for sketch files among the inputs, which are found already. Where there are some, they
/// decide the options, and pairs are estimated; texts beside them must have the same features. Of
/// `dedup` all inputs must be such files, and nothing is removed. Errors: two that differ, an
/// option that asks for something else, and what sketches cannot do. Returns whether there are any.
Result<bool> TakeSketchFiles(bool all_pairs, Job* job);

/// Says that sketches stand in the place of texts, and what follows; nothing where they do not, or
/// where that was asked for.
std::string SketchesMessage(const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SKETCH_INPUTS_H_
