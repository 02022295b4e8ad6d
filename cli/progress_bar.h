// Progress on standard error: a bar on a terminal, now and then a line elsewhere.
#ifndef LOOKALIKE_CLI_PROGRESS_BAR_H_
#define LOOKALIKE_CLI_PROGRESS_BAR_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"

namespace lookalike::cli {

/// "fingerprint  62 %, 310.0 of 500.0 MB, 162.0 MB/s, 2 s left" after `seconds` of this stage.
std::string DescribeProgress(const Progress& progress, double seconds);

/// Not thread-safe; the library calls its observer from one thread at a time.
class ProgressBar {
 public:
  /// A bar that is not `shown` prints messages only.
  explicit ProgressBar(bool shown);

  /// Takes the bar off the terminal.
  ~ProgressBar() { Erase(); }

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Redraws the bar; without a terminal writes a line when the last is 5 s old.
  void Update(const Progress& progress);

  /// Prints one line above the bar.
  void Message(std::string_view line);

  /// Takes the bar off the terminal; the next Update draws it again.
  void Erase();

 private:
  using Clock = std::chrono::steady_clock;

  void Draw(const Progress& progress, double seconds);

  bool shown_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_began_;
  Clock::time_point last_line_;
};

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_PROGRESS_BAR_H_
