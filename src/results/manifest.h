// manifest.json, which describes a result and the run that made it.
#ifndef LOOKALIKE_RESULTS_MANIFEST_H_
#define LOOKALIKE_RESULTS_MANIFEST_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/lookalike.h"
#include "run/job.h"
#include "search/recall.h"
#include "search/search.h"

namespace lookalike {

/// The contents of manifest.json besides options and records.
struct ManifestFacts {
  std::string command;              ///< The command line that does what the run did.
  std::vector<std::string> inputs;  ///< As the caller named them.
  nlohmann::ordered_json of;        ///< The result that this one was made from; null: none.
  std::string started;              ///< Start time, in UTC, by ISO 8601.
  std::string options_digest;
  std::vector<std::pair<std::string, std::string>> options;
  std::string version;
  std::vector<StageCost> stages;
  double seconds = 0;
  double cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
  uint64_t peak_scratch_bytes = 0;
  uint64_t resumed_units = 0;
  uint64_t clusters = 0;
  uint64_t guarded_pairs = 0;
  std::vector<std::pair<std::string, uint64_t>> kept_by = {};  ///< As in DedupSummary.
  uint64_t suggested = 0;                                      ///< For a job that only suggests.
};

/// Writes manifest.json to `path`; with very many inputs, also a list of them beside it.
Status WriteManifest(const Job& job, const SearchResult& search, const MeasuredRecall& recall,
                     const RecordCounts& records, const ManifestFacts& facts,
                     const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_MANIFEST_H_
