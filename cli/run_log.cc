#include "run_log.h"

#include <fmt/format.h>

#include "interruption.h"
#include "quantity.h"

namespace lookalike::cli {
namespace {

constexpr uint64_t kMaxMessages = 100;

}  // namespace

Observer RunLog::MakeObserver() {
  Observer observer;
  observer.progress = [this](const Progress& progress) { bar_.Update(progress); };
  observer.message = [this](std::string_view line) {
    if (++messages_ <= kMaxMessages) bar_.Message(line);
  };
  CatchInterruption();
  observer.cancelled = IsInterrupted;
  return observer;
}

void RunLog::Finish(std::string_view where) {
  bar_.Erase();
  if (messages_ <= kMaxMessages) return;
  bar_.Message(fmt::format("lookalike: ... and {} more{}", Count(messages_ - kMaxMessages), where));
}

std::string JsonLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void PrintJson(const Json& json) { fmt::print("{}", JsonLine(json)); }

}  // namespace lookalike::cli
