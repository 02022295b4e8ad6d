#include "results/manifest.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/object_uri.h"
#include "io/output_stream.h"
#include "results/summary_parts.h"

namespace lookalike {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of inputs to list in the manifest itself.
constexpr size_t kMostInManifest = 1000;
constexpr const char* kInputsFile = "inputs.jsonl";

Json InputJson(const Job& job, const DocumentUnits& units, size_t i) {
  const bool skipped = units.inputs.skipped[i];
  const auto& first = units.inputs.first_of_source;
  Json input = {{"name", job.inputs.NameOf(i)},
                {"bytes", job.inputs.SizeOf(i)},
                {"documents", skipped ? 0 : first[i + 1] - first[i]},
                {"rejected", units.rejected[i]},
                {"skipped", skipped}};
  if (skipped) input["reason"] = units.skip_reasons.at(static_cast<uint32_t>(i));
  if (i < job.reference_inputs) input["reference"] = true;
  return input;
}

std::string LineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Writes a line for each input.
Status WriteInputs(const Job& job, const DocumentUnits& units, const std::string& path) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, Codec::kNone));
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    LOOKALIKE_RETURN_IF_ERROR(stream->Write(LineOf(InputJson(job, units, i))));
  }
  return stream->Close();
}

/// Adds the inputs to the manifest, or, if there are many, to a file next to it, because programs
/// that need only the counts must read the whole manifest.
Status AddInputs(const Job& job, const DocumentUnits& units, const std::string& manifest_path,
                 Json* manifest) {
  (*manifest)["input_count"] = job.inputs.size();
  if (job.inputs.size() > kMostInManifest) {
    (*manifest)["inputs_file"] = kInputsFile;
    const std::string folder = manifest_path.substr(0, manifest_path.rfind('/') + 1);
    return WriteInputs(job, units, folder + kInputsFile);
  }
  Json& inputs = (*manifest)["inputs"] = Json::array();
  for (size_t i = 0; i < job.inputs.size(); ++i) inputs.push_back(InputJson(job, units, i));
  return {};
}

/// Returns the files that the search for inputs left out, by reason.
Json LeftOutJson(const LeftOut& left_out) {
  Json json = Json::object();
  for (size_t i = 0; i < LeftOut::kReasons; ++i) {
    const auto reason = static_cast<LeftOutReason>(i);
    const LeftOut::Group& group = left_out.Of(reason);
    if (group.count == 0) continue;
    json[std::string(LeftOut::NameOf(reason))] = {{"count", group.count}, {"first", group.first}};
  }
  return json;
}

Json MergeJson(const MergeCounts& counts) {
  return {{"documents", counts.documents},
          {"records", counts.records},
          {"shingles", counts.shingles},
          {"left_out", counts.left_out},
          {"left_out_records", counts.left_out_records},
          {"id_pairs", counts.id_pairs},
          {"distinct_pairs", counts.distinct_pairs},
          {"candidates", counts.candidates},
          {"hidden_documents", counts.hidden_documents},
          {"unsampled_documents", counts.unsampled_documents}};
}

Json SearchJson(const Job& job, const SearchResult& search) {
  const BucketCounts& counts = search.buckets;
  Json json = {{"design", job.DesignName()},
               {"planned_documents", job.sizes.documents},
               {"edges", search.edges.edges},
               {"copies", search.classes.copy_count},
               {"buckets", counts.buckets},
               {"refined_buckets", counts.refined},
               {"keys_added", counts.keys_added},
               {"pairs_met", counts.pairs_met},
               {"pairs_left_out", counts.pairs_left_out},
               {"candidates", counts.pairs_passed}};
  if (job.choices.method.merges()) json["shingle_merge"] = MergeJson(search.merge);
  return json;
}

/// Returns the facts about one run. The names of inputs and the folder that they are relative to
/// lead a later run back to them.
Json RunJson(const ManifestFacts& facts) {
  Json inputs = Json::array();
  for (const std::string& name : facts.inputs) inputs.push_back(PublicName(name));
  std::error_code ignored;
  return {{"started", facts.started},
          {"seconds", facts.seconds},
          {"command", facts.command},
          {"folder", std::filesystem::current_path(ignored).string()},
          {"inputs", inputs}};
}

/// Returns the file of decisions that people made.
Json DecisionsJson(const Job& job) {
  return {{"file", PublicName(job.options.decisions)},
          {"count", job.people.decisions.size()},
          {"xxh3", job.people.hash}};
}

}  // namespace

Status WriteManifest(const Job& job, const SearchResult& search, const MeasuredRecall& recall,
                     const RecordCounts& records, const ManifestFacts& facts,
                     const std::string& path) {
  Json options = Json::object();
  for (const auto& [name, value] : facts.options) options[name] = value;
  Json timings = Json::object();
  for (const StageCost& stage : facts.stages) timings[stage.name] = stage.wall;
  timings["total"] = facts.seconds;
  Json manifest = {
      {"version", facts.version},
      {"fingerprint", "v1"},
      {"records",
       {{"in", records.in},
        {"kept", records.kept},
        {"removed_exact", records.removed_exact},
        {"removed_near", records.removed_near},
        {"rejected", records.rejected}}},
      {"reference", {{"documents", records.reference}, {"rejected", records.rejected_reference}}},
      {"notes",
       {{"null_text", records.null_text},
        {"repaired_text", records.repaired_text},
        {"repeated_ids", records.repeated_ids},
        {"too_short", records.too_short},
        {"too_short_reference", records.too_short_reference},
        {"skipped_inputs", records.skipped_inputs},
        {"left_out_inputs", records.left_out_inputs}}},
      {"left_out", LeftOutJson(job.left_out)},
      {"fields", ToJson(job.FieldsRead())},
      {"run", RunJson(facts)},
      {"design", job.DesignName()},
      {"options", options},
      {"features", job.FeaturesName()},
      {"options_digest", facts.options_digest},
      {"search", SearchJson(job, search)},
      {"clusters", facts.clusters},
      {"recall", ToJson(recall.audit)},
      {"timings", timings},
      {"profile", ProfileJson(facts.stages)},
      {"cpu_seconds", facts.cpu_seconds},
      {"peak_memory_bytes", facts.peak_memory_bytes},
      {"peak_scratch_bytes", facts.peak_scratch_bytes},
      {"predicted", ToJson(search.predicted)},
      {"resumed_units", facts.resumed_units}};
  if (!facts.of.is_null()) manifest["rethreshold"] = facts.of;
  if (job.people.given()) manifest["decisions"] = DecisionsJson(job);
  if (job.only_suggests) {
    manifest["exact"] = false;
    manifest["suggested"] = facts.suggested;
  }
  if (!facts.kept_by.empty()) manifest["kept_by"] = KeptByJson(facts.kept_by);
  if (!job.choices.guards.differ.empty()) manifest["guarded_pairs"] = facts.guarded_pairs;
  LOOKALIKE_RETURN_IF_ERROR(AddInputs(job, search.units, path, &manifest));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto stream, OutputStream::Create(path, Codec::kNone));
  LOOKALIKE_RETURN_IF_ERROR(
      stream->Write(manifest.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  return stream->Close();
}

}  // namespace lookalike
