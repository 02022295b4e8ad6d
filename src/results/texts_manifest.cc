#include "results/texts_manifest.h"

#include <utility>

#include "io/output_stream.h"

namespace lookalike {

using Json = nlohmann::ordered_json;

Json TextsManifest(const Job& job, TextsRun run, Json inputs) {
  std::string command;
  for (const CommandRow& row : CommandTable()) {
    if (row.command == run.command) command = row.name;
  }
  Json manifest = {{"version", LOOKALIKE_VERSION}, {"fingerprint", "v1"}, {"command", command}};
  manifest.update(run.summary);
  manifest["rules"] = std::move(run.rules);
  Json& options = manifest["options"] = Json::object();
  for (const auto& [name, value] : BehaviourOptions(job.options, run.command)) {
    options[name] = value;
  }
  manifest["options_digest"] = OptionsDigest(job.options, run.command);
  manifest["inputs"] = std::move(inputs);
  manifest["timings"] = {{"total", run.seconds}};
  manifest["cpu_seconds"] = run.cpu_seconds;
  manifest["peak_memory_bytes"] = run.peak_memory_bytes;
  return manifest;
}

Json InputsJson(const Job& job, bool all_reference) {
  Json inputs = Json::array();
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    Json& input =
        inputs.emplace_back(Json{{"name", job.inputs.NameOf(i)}, {"bytes", job.inputs.SizeOf(i)}});
    if (all_reference || i < job.reference_inputs) input["reference"] = true;
  }
  return inputs;
}

Status WriteManifestFile(const Json& manifest, const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(
      file->Write(manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  return file->Close();
}

}  // namespace lookalike
