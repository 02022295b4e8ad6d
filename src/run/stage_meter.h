// Measures the stages of a run.
#ifndef LOOKALIKE_RUN_STAGE_METER_H_
#define LOOKALIKE_RUN_STAGE_METER_H_

#include <string_view>
#include <vector>

#include "lookalike/lookalike.h"

namespace lookalike {

/// Measures the stages of a run, which follow one another on one thread. The first one begins when
/// this is made.
class StageMeter {
 public:
  StageMeter() : last_(Now()) {}

  /// Ends a stage, and begins the next one.
  void End(std::string_view stage);

  /// Makes one stage of those from number `first` on: a part of the run that is done again.
  void Combine(size_t first, std::string_view name);

  [[nodiscard]] const std::vector<StageCost>& stages() const { return stages_; }

 private:
  /// Returns what the process has cost so far.
  static StageCost Now();

  StageCost last_;
  std::vector<StageCost> stages_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_STAGE_METER_H_
