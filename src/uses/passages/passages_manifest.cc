#include "uses/passages/passages_manifest.h"

#include <nlohmann/json.hpp>

#include "io/output_stream.h"
#include "lookalike/options_table.h"
#include "results/summary_parts.h"

namespace lookalike {

Status WritePassagesManifest(const Job& job, const PassageRules& rules,
                             const PassagesSummary& summary, const std::string& path) {
  using Json = nlohmann::ordered_json;
  Json options = Json::object();
  for (const auto& [name, value] : BehaviourOptions(job.options, Command::kPassages)) {
    options[name] = value;
  }
  Json inputs = Json::array();
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    Json input = {{"name", job.inputs[i].name}, {"bytes", job.inputs[i].size}};
    if (i < job.reference_inputs) input["reference"] = true;
    inputs.push_back(std::move(input));
  }
  Json manifest = {{"version", LOOKALIKE_VERSION}, {"fingerprint", "v1"}, {"command", "passages"}};
  manifest.update(ToJson(summary));
  manifest["rules"] = {{rules.InChars() ? "min_chars" : "min_words", rules.Least()},
                       {"action", NameOf(rules.action)},
                       {"unit", NameOf(rules.unit)},
                       {"min_left", rules.min_left}};
  manifest["options"] = options;
  manifest["options_digest"] = OptionsDigest(job.options, Command::kPassages);
  manifest["inputs"] = inputs;
  manifest["timings"] = {{"total", summary.seconds}};
  manifest["cpu_seconds"] = summary.cpu_seconds;
  manifest["peak_memory_bytes"] = summary.peak_memory_bytes;
  manifest["peak_scratch_bytes"] = summary.peak_scratch_bytes;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(
      file->Write(manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  return file->Close();
}

}  // namespace lookalike
