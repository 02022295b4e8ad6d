// The arguments of `plan`: their texts -> a request. Each function returns true if it could parse
// its text.
#ifndef LOOKALIKE_CLI_PLAN_ARGUMENTS_H_
#define LOOKALIKE_CLI_PLAN_ARGUMENTS_H_

#include <string_view>

#include "command_line.h"

namespace lookalike::cli {

bool SetAt(std::string_view text, Request* request);
bool SetFound(std::string_view text, Request* request);
bool SetSimulate(std::string_view text, Request* request);
bool SetFeatures(std::string_view text, Request* request);
bool SetHtml(std::string_view text, Request* request);
/// Parses "bytes=48,at=0.9,keys=20,coordinates=200", with any subset of the keys.
bool SetOptimize(std::string_view text, Request* request);
bool SetEdits(std::string_view text, Request* request);
bool SetWords(std::string_view text, Request* request);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_PLAN_ARGUMENTS_H_
