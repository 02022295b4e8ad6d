// removed.jsonl, clusters.jsonl and the manifest.
#ifndef LOOKALIKE_RESULTS_RESULT_FILES_H_
#define LOOKALIKE_RESULTS_RESULT_FILES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "run/members.h"
#include "search/decisions.h"
#include "search/recall.h"
#include "search/search.h"

namespace lookalike {

/// Writes a line for each removed document, in input order.
Status WriteRemoved(const Job& job, const Decisions& decisions, const StoredMembers& members,
                    const std::string& path);

/// Writes a line for each cluster, largest first.
Status WriteClusters(const Job& job, const Decisions& decisions, const StoredMembers& members,
                     const std::string& path);

/// The contents of manifest.json besides options and records.
struct ManifestFacts {
  std::string command;  ///< The command line that does what the run did.
  std::string started;  ///< Start time, in UTC, by ISO 8601.
  std::string options_digest;
  std::vector<std::pair<std::string, std::string>> options;
  std::string version;
  std::vector<std::pair<std::string, double>> timings;
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t peak_scratch_bytes = 0;
  uint64_t resumed_units = 0;
  uint64_t clusters = 0;
  uint64_t suggested = 0;  ///< For a job that only suggests.
};

Status WriteManifest(const Job& job, const SearchResult& search, const MeasuredRecall& recall,
                     const RecordCounts& records, const ManifestFacts& facts,
                     const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RESULT_FILES_H_
