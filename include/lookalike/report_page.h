// The report of a search that a program ran in steps (lookalike/engine.h, lookalike/shuffle.h).
#ifndef LOOKALIKE_REPORT_PAGE_H_
#define LOOKALIKE_REPORT_PAGE_H_

#include <string>
#include <string_view>

#include "lookalike/engine.h"
#include "lookalike/status.h"

namespace lookalike {

/// Returns report.html, the page that `dedup` writes, for what a search by this engine found.
///
/// `found` is a JSON object with what web/report/src/data.ts describes, without what the engine
/// knows: version, fingerprint, threshold, design, method and options. A member of kind "near" may
/// have `text` and `kept_text`; the page shows them side by side, with what they share marked.
/// Returns an Error if `found` is not such an object.
Result<std::string> MakeReportPage(const Engine& engine, std::string_view found);

}  // namespace lookalike

#endif  // LOOKALIKE_REPORT_PAGE_H_
