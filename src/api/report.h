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

/// The clusters that the report shows, largest first.
Result<std::vector<ShownCluster>> ChooseClusters(const Decisions& decisions);

/// The documents whose texts the report shows, ascending.
std::vector<DocNumber> ReportExcerpts(const std::vector<ShownCluster>& clusters);

/// The removals of which it shows texts, those still to come.
ExcerptPairs ReportPairs(const std::vector<ShownCluster>& clusters);

/// Everything the report is made of. Times and memory are left out on purpose: the file is equal
/// byte for byte between runs.
struct ReportFacts {
  const Job& job;
  const SearchResult& search;
  const Decisions& decisions;
  const StoredMembers& members;
  const std::vector<ShownCluster>& clusters;
  const MeasuredRecall& recall;
  const RecordCounts& records;
  uint64_t bytes_in, bytes_kept;
  const ExcerptPairs& excerpts;  ///< Where containment decides; else `members` has them.
};

/// Writes the page: the bundled template with the facts in its place.
Status WriteReport(const ReportFacts& facts, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_API_REPORT_H_
