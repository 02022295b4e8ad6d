// Progress on standard error: a bar on a terminal, an occasional line elsewhere.
#ifndef LOOKALIKE_CLI_PROGRESS_BAR_H_
#define LOOKALIKE_CLI_PROGRESS_BAR_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"

namespace lookalike::cli {

/// The progress of a run, and the time it took.
struct RunProgress {
  Progress progress;
  double stage_seconds = 0;  ///< Since the stage began.
  double run_seconds = 0;    ///< Since the first report of the run,
  double run_share = 0;      ///< and the share of the run done since then.
};

/// Returns "34 %, 5 s left; fingerprint 310.0 of 500.0 MB, 162.0 MB/s", with the time left for the
/// whole run. If the share of the run is unknown, as for a copy over the network: "fetch  62 %,
/// 310.0 of 500.0 MB, 162.0 MB/s, 2 s left of fetch".
std::string DescribeProgress(const RunProgress& run);

/// A progress display. Not thread-safe; the library calls its observer from one thread at a time.
class ProgressBar {
 public:
  /// Makes a bar; if not `shown`, it only prints messages.
  explicit ProgressBar(bool shown);

  /// Removes the bar from the terminal.
  ~ProgressBar() { Erase(); }

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws the bar; without a terminal, writes a line if the last one is 5 s old.
  void Update(const Progress& progress);

  /// Prints one line above the bar.
  void Message(std::string_view line);

  /// Removes the bar from the terminal; the next Update draws it again.
  void Erase();

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(const RunProgress& run);

  bool shown_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_began_;
  std::optional<Clock::time_point> run_began_;  ///< At the first report that gives its share,
  double share_at_first_ = 0;                   ///< and that share: a run may continue another.
  Clock::time_point last_line_;
};

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_PROGRESS_BAR_H_
