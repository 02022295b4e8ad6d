// report.html, the page that a person reads after `dedup`.
#ifndef LOOKALIKE_RESULTS_REPORT_H_
#define LOOKALIKE_RESULTS_REPORT_H_

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/excerpts.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"
#include "search/recall.h"
#include "search/search.h"

namespace lookalike {

/// One of the largest clusters, as shown in the report.
struct ShownCluster {
  uint64_t size = 0;
  std::vector<DocRemoval> removals;  ///< A few, all with one witness; near-duplicates first.
};

/// The removals that the report shows, or is made from.
struct ShownRemovals {
  std::vector<ShownCluster> clusters;  ///< The largest, largest first.
  /// The near-duplicates that were removed most narrowly: with the lowest measure, lowest first.
  std::vector<DocRemoval> narrowest;
  std::vector<DocRemoval> drawn;  ///< For DrawForNumbers(), which are not shown themselves.

  /// Returns all near-duplicates that are shown, some perhaps twice.
  [[nodiscard]] std::vector<DocRemoval> NearOnes() const;
};

Result<ShownRemovals> ChooseRemovals(const Job& job, const Decisions& decisions);

/// The number of bytes of a text that are searched for what it shares with another.
constexpr size_t kLookedAtBytes = size_t{64} << 10;

/// Returns the documents whose texts the report needs, ascending.
std::vector<DocNumber> ReportTexts(const ShownRemovals& shown);

/// Returns the removals whose texts the report shows, with the texts still to be filled in.
ExcerptPairs ReportPairs(const ShownRemovals& shown);

/// Everything the report is made from. Times, memory and the place of the result are left out on
/// purpose, so that the file is byte-for-byte equal between runs. manifest.json has them.
struct ReportFacts {
  const Job& job;
  const SearchResult& search;
  const Decisions& decisions;
  const StoredMembers& members;
  const ShownRemovals& shown;
  const MeasuredRecall& recall;
  const RecordCounts& records;
  uint64_t bytes_in, bytes_kept;
  const ExcerptPairs& excerpts;  ///< Used if containment decides; else `members` has them.
};

/// Returns flags and their values, as the page shows them; for settings that the run determined,
/// the values it chose.
nlohmann::ordered_json ReportOptions(const Job& job);

/// Returns the page: the bundled template with the data filled in, which web/report/src/data.ts
/// describes.
Result<std::string> FillReport(const nlohmann::ordered_json& report);

/// Returns the resemblances 0, .01, ..., 1, each with the probability that a design compares two
/// documents of it.
nlohmann::ordered_json AcceptanceCurve(const Design& design);

/// Writes the page with these facts.
Status WriteReport(const ReportFacts& facts, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_REPORT_H_
