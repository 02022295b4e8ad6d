// The sketch files among the inputs of a job, and the options that they determine.
#ifndef LOOKALIKE_RUN_SKETCH_INPUTS_H_
#define LOOKALIKE_RUN_SKETCH_INPUTS_H_

#include <optional>
#include <string>

#include "format/sketch_bytes.h"
#include "lookalike/options.h"
#include "lookalike/status.h"
#include "run/job.h"

namespace lookalike {

/// Returns the kind and size of stored sketches in the form of Options::sketch: "fss:128",
/// "bottom-k:64". Returns an Error if they were made by another version of the fingerprint, or are
/// of an unknown kind.
Result<std::string> SketchNameOf(const StoredSketch& stored);

/// Returns the options with kind, seed and bits of the stored sketches. Returns an Error, which
/// names both, if an option that is not at its default asks for something else. `place`: the file,
/// for errors.
Result<Options> AdoptSketches(const StoredSketch& stored, const std::string& name,
                              const Options& options, const std::string& place);

/// The properties shared by all sketch files among the inputs. ReadSketchFronts returns nothing if
/// there are no sketch files, and an Error if two differ. If bad inputs are skipped, it ignores a
/// file that cannot be read, which is reported when its records are read.
struct SketchesOfInputs {
  StoredSketch stored;
  std::string name;   ///< As SketchNameOf returns it.
  std::string place;  ///< The first such file, for errors.
};
Result<std::optional<SketchesOfInputs>> ReadSketchFronts(const Job& job);

/// Looks for sketch files among the inputs, which have already been listed. If there are any, they
/// determine the options, and pairs are estimated; text inputs must then use the same features. For
/// `dedup` all inputs must be sketch files, and nothing is removed. Errors: two files that differ,
/// an option that asks for something else, and anything that sketches cannot do. Returns true if
/// there are any.
Result<bool> TakeSketchFiles(bool all_pairs, Job* job);

/// Returns a message that sketches are used instead of texts, and what that means for the result.
/// It is empty if they are not used, or if the options requested it.
std::string SketchesMessage(const Job& job);

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_SKETCH_INPUTS_H_
