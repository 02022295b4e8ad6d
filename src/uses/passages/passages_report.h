// report.html, the page that a person reads after `passages`.
#ifndef LOOKALIKE_USES_PASSAGES_PASSAGES_REPORT_H_
#define LOOKALIKE_USES_PASSAGES_PASSAGES_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lookalike/passages.h"
#include "lookalike/status.h"
#include "run/job.h"
#include "spill/paged_records.h"
#include "uses/passages/doc_names.h"
#include "uses/passages/places.h"
#include "uses/passages/shown_place.h"

namespace lookalike {

/// All that the page is made from. Times and memory are left out, so that equal runs give equal
/// pages.
struct PassagesReport {
  const Job& job;
  const PassageRules& rules;
  const PassagesSummary& summary;
  const PagedRecords<NumberedPassage>& passages;
  const ShownPlaces& shown;
  const DocNames& names;
  const std::vector<uint64_t>& cuts;  ///< Cuts that begin in each of the first passages.

  /// Returns what the lengths of passages count.
  [[nodiscard]] std::string_view UnitName() const { return rules.InChars() ? "character" : "word"; }
};

/// Writes the page. It has no scripts, loads nothing, and shows all text of the inputs as text.
Status WritePassagesReport(const PassagesReport& report, const std::string& path);

/// Returns text as it is written in HTML. Invalid UTF-8 is replaced.
std::string EscapedText(std::string_view text);

}  // namespace lookalike

#endif  // LOOKALIKE_USES_PASSAGES_PASSAGES_REPORT_H_
