// Sketch files among the inputs of a job: what they decide of it.
#ifndef LOOKALIKE_BATCH_SKETCH_INPUTS_H_
#define LOOKALIKE_BATCH_SKETCH_INPUTS_H_

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

/// Looks for sketch files among the inputs. Where there are some, they decide the options, and
/// pairs are estimated; texts beside them must have the same features. Errors: two that differ, an
/// option that asks for something else, and what sketches cannot do.
Status TakeSketchFiles(bool all_pairs, Job* job);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_SKETCH_INPUTS_H_
