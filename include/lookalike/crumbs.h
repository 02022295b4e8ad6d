// Session ids in URLs ("cookie crumbs"): finds rules that rewrite the many URLs of one page to one.
#ifndef LOOKALIKE_CRUMBS_H_
#define LOOKALIKE_CRUMBS_H_

#include <cstdint>
#include <string>

#include "lookalike/inputs.h"
#include "lookalike/lookalike.h"
#include "lookalike/options.h"
#include "lookalike/status.h"

namespace lookalike {

struct CrumbsSummary {
  RecordCounts records;  ///< Only in, rejected, removed_exact and removed_near (duplicates).
  FieldNames fields;
  uint64_t without_url = 0;    ///< Documents whose URL is missing or empty.
  uint64_t markup = 0;         ///< HTML texts that were compared with their markup.
  uint64_t rules = 0;          ///< Proposed rules.
  uint64_t left_out = 0;       ///< Rules written with an objection, which are not proposed.
  uint64_t fetches_saved = 0;  ///< Fetches that the proposed rules save together.
  std::string design;
  double seconds = 0;
  uint64_t peak_memory_bytes = 0, peak_scratch_bytes = 0;
};

/// Finds near-duplicates as `dedup` does, then the positions where the URLs of near-duplicates
/// differ, on one host or on hosts that differ in their first label, and pairs of host names with
/// the same pages. Writes a line of JSON for each rule that this suggests: host, positions, and
/// whether it is proposed. A rule is not proposed if it would merge pages that are not alike, or if
/// there is too little evidence (docs/uses.md). `url_field` is a dotted path; for WARC files, the
/// URL in the record header is used. URLs are held in memory and do not count towards
/// Options::memory.
Result<CrumbsSummary> FindCrumbs(const Inputs& inputs, const std::string& output,
                                 const std::string& url_field, const Options& options,
                                 const Observer& observer = {});

}  // namespace lookalike

#endif  // LOOKALIKE_CRUMBS_H_
