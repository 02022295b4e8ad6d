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
  StageMeter() : begin_(Total({})) {}

  /// Ends a stage, and begins the next one.
  void End(std::string_view stage) { ends_.push_back(Total(stage)); }

  /// Makes one stage of those from number `first` on, of which there are some: a part of the run
  /// that is done again.
  void Combine(size_t first, std::string_view name);

  /// Returns the number of stages that have ended.
  [[nodiscard]] size_t count() const { return ends_.size(); }

  /// Returns what each of them cost.
  [[nodiscard]] std::vector<StageCost> stages() const;

 private:
  /// Returns what the process has cost so far, under the name of a stage that ends now.
  static StageCost Total(std::string_view stage);

  StageCost begin_;
  std::vector<StageCost> ends_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_RUN_STAGE_METER_H_
