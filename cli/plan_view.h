// A plan for people: a table on the terminal, and a page with the acceptance curves.
#ifndef LOOKALIKE_CLI_PLAN_VIEW_H_
#define LOOKALIKE_CLI_PLAN_VIEW_H_

#include <string>

#include "command_line.h"
#include "lookalike/lookalike.h"
#include "summaries.h"

namespace lookalike::cli {

/// Returns the plan of a run over `request.inputs`, preceded by the evaluated design `evaluated`.
Json ToJson(const PlanReport& report, const DesignReport& evaluated);

std::string ToText(const PlanReport& report, const Request& request);

/// Returns a self-contained HTML page: counts, resemblances, acceptance curves, the table.
std::string ToPage(const PlanReport& report, const Request& request);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_PLAN_VIEW_H_
