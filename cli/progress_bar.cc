#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "flag_words.h"
#include "quantity.h"
#include "terminal.h"

namespace lookalike::cli {
namespace {

constexpr double kSecondsBetweenLines = 5;
constexpr size_t kBarWidth = 24;

std::string Amount(double amount, std::string_view unit) {
  if (unit == "bytes") return Bytes(amount);
  return fmt::format("{} {}", Count(static_cast<uint64_t>(amount)), unit);
}

double ShareOfStage(const Progress& progress) {
  if (progress.total == 0) return 0;
  return std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
}

/// Returns "310.0 of 500.0 MB", or "310.0 MB" if the total is unknown.
std::string DescribeAmounts(const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  if (progress.total == 0) return Amount(done, progress.unit);
  const std::string part = progress.unit == "bytes" ? Bytes(done) : Count(progress.done);
  return fmt::format("{} of {}", part, Amount(static_cast<double>(progress.total), progress.unit));
}

constexpr double kSecondsBeforeRates = 0.5;
constexpr double kShareBeforeTimes = 0.01;

}  // namespace

std::string DescribeProgress(const RunProgress& run) {
  const Progress& progress = run.progress;
  const auto done = static_cast<double>(progress.done);
  std::string text;
  if (progress.of_run > 0) {
    text = fmt::format("{:2.0f} %", 100 * progress.of_run);
    if (run.run_seconds >= kSecondsBeforeRates && run.run_share >= kShareBeforeTimes) {
      const double left = run.run_seconds / run.run_share * (1 - progress.of_run);
      text += fmt::format(", {} left", Duration(left));
    }
    text += "; ";
  }
  text += progress.stage;
  if (progress.of_run == 0 && progress.total > 0) {
    text += fmt::format(" {:3.0f} %,", 100 * ShareOfStage(progress));
  }
  if (progress.total > 0 || progress.done > 0) text += " " + DescribeAmounts(progress);
  if (run.stage_seconds < kSecondsBeforeRates || progress.done == 0) return text;
  const double rate = done / run.stage_seconds;
  text += fmt::format(", {}/s", Amount(rate, progress.unit));
  if (progress.of_run == 0 && progress.total > progress.done) {
    const double left = (static_cast<double>(progress.total) - done) / rate;
    text += fmt::format(", {} left of {}", Duration(left), progress.stage);
  }
  return text;
}

ProgressBar::ProgressBar(bool shown)
    : shown_(shown), terminal_(IsTerminal(stderr)), last_line_(Clock::now()) {}

void ProgressBar::Update(const Progress& progress) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_began_ = now;
  }
  RunProgress run = {progress};
  run.stage_seconds = std::chrono::duration<double>(now - stage_began_).count();
  if (progress.of_run > 0) {
    if (!run_began_) run_began_ = now, share_at_first_ = progress.of_run;
    run.run_seconds = std::chrono::duration<double>(now - *run_began_).count();
    run.run_share = progress.of_run - share_at_first_;
  }
  if (terminal_) return Draw(run);
  if (std::chrono::duration<double>(now - last_line_).count() < kSecondsBetweenLines) return;
  last_line_ = now;
  Say(fmt::format("lookalike: {}\n", DescribeProgress(run)));
}

void ProgressBar::Draw(const RunProgress& run) {
  const Progress& progress = run.progress;
  const double share = progress.of_run > 0 ? progress.of_run : ShareOfStage(progress);
  const auto filled = static_cast<size_t>(std::min(1.0, share) * kBarWidth);
  std::string line =
      fmt::format("[{:-<{}}] {}", std::string(filled, '#'), kBarWidth, DescribeProgress(run));
  line.resize(std::min(line.size(), TerminalWidth(stderr) - 1));
  Say(fmt::format("\r{}\x1b[K", line));
  drawn_ = true;
}

void ProgressBar::Message(std::string_view line) {
  Erase();
  Say(OneLine(InFlags(line)) + "\n");
}

void ProgressBar::Erase() {
  if (!drawn_) return;
  Say("\r\x1b[K");
  drawn_ = false;
}

}  // namespace lookalike::cli
