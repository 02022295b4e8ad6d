#include "progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

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

double Share(const Progress& progress) {
  if (progress.total == 0) return 0;
  return std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
}

}  // namespace

std::string DescribeProgress(const Progress& progress, double seconds) {
  std::string text(progress.stage);
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  if (progress.total > 0) {
    const std::string part = progress.unit == "bytes" ? Bytes(done) : Count(progress.done);
    text += fmt::format(" {:3.0f} %, {} of {}", 100 * Share(progress), part,
                        Amount(total, progress.unit));
  } else if (progress.done > 0) {
    text += " " + Amount(done, progress.unit);
  }
  if (seconds < 0.5 || progress.done == 0) return text;  // too early for a rate
  const double rate = done / seconds;
  text += fmt::format(", {}/s", Amount(rate, progress.unit));
  if (total > done) text += fmt::format(", {} left", Duration((total - done) / rate));
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
  const double seconds = std::chrono::duration<double>(now - stage_began_).count();
  if (terminal_) return Draw(progress, seconds);
  if (std::chrono::duration<double>(now - last_line_).count() < kSecondsBetweenLines) return;
  last_line_ = now;
  Say(fmt::format("lookalike: {}\n", DescribeProgress(progress, seconds)));
}

void ProgressBar::Draw(const Progress& progress, double seconds) {
  const auto filled = static_cast<size_t>(Share(progress) * kBarWidth);
  std::string line = fmt::format("[{:-<{}}] {}", std::string(filled, '#'), kBarWidth,
                                 DescribeProgress(progress, seconds));
  line.resize(std::min(line.size(), TerminalWidth(stderr) - 1));
  Say(fmt::format("\r{}\x1b[K", line));
  drawn_ = true;
}

void ProgressBar::Message(std::string_view line) {
  Erase();
  Say(OneLine(line) + "\n");
}

void ProgressBar::Erase() {
  if (!drawn_) return;
  Say("\r\x1b[K");
  drawn_ = false;
}

}  // namespace lookalike::cli
