// Shows the progress and the messages of a long run, and prints JSON.
#ifndef LOOKALIKE_CLI_RUN_LOG_H_
#define LOOKALIKE_CLI_RUN_LOG_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"
#include "progress_bar.h"
#include "summaries.h"

namespace lookalike::cli {

/// The progress and messages of one long run.
class RunLog {
 public:
  explicit RunLog(const Options& options) : bar_(!options.quiet && !options.json) {}

  Observer MakeObserver();

  /// Ends the output of the run; `where` says where omitted messages can be read, if anywhere.
  void Finish(std::string_view where);

 private:
  ProgressBar bar_;
  uint64_t messages_ = 0;
};

std::string JsonLine(const Json& json);
void PrintJson(const Json& json);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_RUN_LOG_H_
