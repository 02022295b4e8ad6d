// A resolved run: what job.json holds, fixed before the first record is read.
#ifndef LOOKALIKE_BATCH_JOB_H_
#define LOOKALIKE_BATCH_JOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batch/keep_order.h"
#include "fingerprint/fingerprinter.h"
#include "flow/input_file.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "stages/candidates/buckets.h"
#include "stages/candidates/design.h"
#include "stages/sketch/sketch.h"

namespace lookalike {

struct Job {
  Options options;
  std::vector<InputFile> inputs;
  FieldPaths fields;
  ReadLimits limits;
  ShingleSpec shingle;
  SketchSpec sketch;
  std::optional<Design> design;  ///< None: the exact join.
  BucketRules rules;
  KeepOption keep;

  /// The design's name, or "exact".
  [[nodiscard]] std::string DesignName() const { return design ? ToString(*design) : "exact"; }
};

/// Checks the options, finds the inputs, settles fields, method and design. `spool_dir` takes
/// standard input. `all_pairs`: for the command `pairs`.
Result<Job> ResolveJob(const std::vector<std::string>& inputs, const Options& options,
                       bool all_pairs, const std::string& spool_dir);

/// 32 hex digits over everything that decides the answer: the behaviour options, the fields, the
/// resolved design, the constants of the join, and the version of the fingerprint.
std::string JobDigest(const Job& job);

/// Writes job.json: everything that decides the result, for a later look at an unfinished run.
Status WriteJob(const Job& job, const std::string& path);

/// An Error when an input's size or time of change is no longer what it was when the run began.
Status CheckUnchanged(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_JOB_H_
