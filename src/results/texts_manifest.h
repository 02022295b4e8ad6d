// manifest.json of the commands that look into texts: `passages` and `decontaminate`.
#ifndef LOOKALIKE_RESULTS_TEXTS_MANIFEST_H_
#define LOOKALIKE_RESULTS_TEXTS_MANIFEST_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lookalike/options_table.h"
#include "lookalike/status.h"
#include "run/job.h"

namespace lookalike {

/// The facts about such a run, and its costs.
struct TextsRun {
  Command command;
  nlohmann::ordered_json summary;  ///< Its members become members of the manifest.
  nlohmann::ordered_json rules;    ///< The options of the command alone.
  double seconds = 0, cpu_seconds = 0;
  uint64_t peak_memory_bytes = 0;
};

/// Returns a manifest, to which the command may add. `inputs`: as InputsJson() returns them.
nlohmann::ordered_json TextsManifest(const Job& job, TextsRun run, nlohmann::ordered_json inputs);

/// Returns the names and sizes of a job's inputs. `all_reference`: they are all of the reference;
/// otherwise Job::reference_inputs are.
nlohmann::ordered_json InputsJson(const Job& job, bool all_reference = false);

/// Writes a manifest to `path`.
Status WriteManifestFile(const nlohmann::ordered_json& manifest, const std::string& path);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_TEXTS_MANIFEST_H_
