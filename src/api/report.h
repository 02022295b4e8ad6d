// report.html: what a person reads after `dedup`.
#ifndef LOOKALIKE_API_REPORT_H_
#define LOOKALIKE_API_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "api/excerpts.h"
#include "batch/decisions.h"
#include "batch/job.h"
#include "batch/members.h"
#include "batch/recall.h"
#include "batch/search.h"

namespace lookalike {

/// What the report shows of one of the largest clusters.
struct ShownCluster {
  uint64_t size = 0;
  std::vector<DocRemoval> removals;  ///< A few, all of one witness; near ones first.
};

/// What the report shows of the removals.
struct ShownRemovals {
  std::vector<ShownCluster> clusters;  ///< The largest, largest first.
  /// The near ones that were decided most narrowly: of the lowest measure, lowest first.
  std::vector<DocRemoval> narrowest;

  /// All near ones among them, some perhaps twice.
  [[nodiscard]] std::vector<DocRemoval> NearOnes() const;
};

Result<ShownRemovals> ChooseRemovals(const Job& job, const Decisions& decisions);

/// How much of a text is looked at for what it shares with another one.
constexpr size_t kLookedAtBytes = size_t{64} << 10;

/// The documents whose texts the report is made of, ascending.
std::vector<DocNumber> ReportTexts(const ShownRemovals& shown);

/// The removals of which it shows texts, those still to come.
ExcerptPairs ReportPairs(const ShownRemovals& shown);

/// Everything the report is made of. Times, memory and the place of the result are left out on
/// purpose: the file is equal byte for byte between runs. manifest.json has them.
struct ReportFacts {
  const Job& job;
  const SearchResult& search;
  const Decisions& decisions;
  const StoredMembers& members;
  const ShownRemovals& shown;
  const MeasuredRecall& recall;
  const RecordCounts& records;
  uint64_t bytes_in, bytes_kept;
  const ExcerptPairs& excerpts;  ///< Where containment decides; else `members` has them.
};

/// Writes the page: the bundled template with the facts in its place.
Status WriteReport(const ReportFacts& facts, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_API_REPORT_H_
