// A result of `dedup` made again at a higher threshold, without another search.
#ifndef LOOKALIKE_RETHRESHOLD_H_
#define LOOKALIKE_RETHRESHOLD_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

/// The size that the kept records of a result may have, in bytes before compression: a number of
/// bytes, or a share of the records of the inputs.
struct TargetSize {
  std::optional<uint64_t> bytes;
  double share = 1;  ///< Used without `bytes`.
};

/// Reads "500G" or "0.6": a number without a unit that is at most 1 and has a point is a share.
Result<TargetSize> ParseTargetSize(const std::string& text);

/// The change that is made to a result. Exactly one of the first two is set.
struct Rethresholding {
  /// At least that of the run, in each of its text fields.
  std::optional<Threshold> threshold;
  /// The largest result that is not above it is looked for. Not for several text fields.
  std::optional<TargetSize> at_most;
  /// The path of a file of decisions (docs/format/decisions-v1.md), which are then replayed.
  std::string decisions;
};

struct RethresholdSummary {
  DedupSummary result;
  Threshold threshold;         ///< The threshold of the new result.
  Threshold threshold_of_run;  ///< That of the run.
  /// Pairs that the run had left alone, because one of their documents was removed, and that had to
  /// be compared now.
  uint64_t compared_pairs = 0;
  uint64_t decisions = 0;  ///< Those that were replayed.
  bool annotated = false;  ///< The result has annotated/ in the place of kept/.
};

/// Returns a threshold as it is passed: "0.8", or "title=0.9,body=0.7".
std::string ThresholdText(const Threshold& threshold);

/// Makes the result of `dedup` in the folder `result` again, at another threshold, and writes it to
/// the folder `output`. The definition of the kept set is the same, over the candidates that the
/// run had: with Options::method "exact" the outcome is that of a new run; otherwise a new run,
/// with another design, may find fewer candidates. `inputs` are those of the run, which are read
/// again; none: those that the manifest names. Of `options` only those that affect no result are
/// used. Errors: a threshold below that of the run, inputs that have changed, and results without
/// scores (docs/format/scores-v1.md). On an Error `output` is unchanged.
Result<RethresholdSummary> Rethreshold(const std::string& result, const Inputs& inputs,
                                       const Rethresholding& change, const std::string& output,
                                       const Options& options, const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_RETHRESHOLD_H_
