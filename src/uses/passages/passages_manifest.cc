#include "uses/passages/passages_manifest.h"

#include "results/summary_parts.h"
#include "results/texts_manifest.h"

namespace lookalike {

Status WritePassagesManifest(const Job& job, const PassageRules& rules,
                             const PassagesSummary& summary, const std::string& path) {
  nlohmann::ordered_json manifest =
      TextsManifest(job,
                    {.command = Command::kPassages,
                     .summary = ToJson(summary),
                     .rules = {{rules.InChars() ? "min_chars" : "min_words", rules.Least()},
                               {"action", NameOf(rules.action)},
                               {"unit", NameOf(rules.unit)},
                               {"min_left", rules.min_left}},
                     .seconds = summary.seconds,
                     .cpu_seconds = summary.cpu_seconds,
                     .peak_memory_bytes = summary.peak_memory_bytes},
                    InputsJson(job));
  manifest["peak_scratch_bytes"] = summary.peak_scratch_bytes;
  return WriteManifestFile(manifest, path);
}

}  // namespace lookalike
