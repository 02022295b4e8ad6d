#include "api/complete_result.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "batch/job.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"
#include "options/feature_options.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;

/// The first behaviour option that the result was made with otherwise, or nothing.
std::optional<std::string> Difference(const Json& manifest, const Options& options) {
  const Json& made_with = manifest.at("options");
  // Sketch files say how they are compared where options are at their defaults.
  const bool of_sketches = !manifest.value("exact", true);
  const auto usual = BehaviourOptions(Options(), Command::kDedup);
  const auto given = BehaviourOptions(options, Command::kDedup);
  for (size_t i = 0; i < given.size(); ++i) {
    const auto& [name, value] = given[i];
    const bool gives_way =
        name == "sketch" || name == "seed" || name == "verify" || name == "audit-documents";
    if (of_sketches && gives_way && value == usual[i].second) continue;
    if (!made_with.contains(name) || made_with[name] != value) return name;
  }
  return std::nullopt;
}

/// Whether the features are those of the result: a table of words may have another content by now.
Status CheckFeatures(const Json& manifest, const Options& options, const std::string& output) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
  const bool of_sketches = !manifest.value("exact", true);
  if (of_sketches && ToString(spec) == ToString(FeatureSpec())) return {};
  if (manifest.value("features", ToString(spec)) == ToString(spec)) return {};
  return Fail(
      "is a complete result, but of other features: " + manifest.at("features").get<std::string>() +
          ", now " + ToString(spec) + "; choose another output, or add --overwrite",
      output);
}

std::optional<double> Figure(const Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Whether a result is of these inputs. Standard input cannot be told, and is not read for it.
Status CheckInputs(const Json& made_of, const Inputs& inputs, const Options& options,
                   const std::string& output, const ObjectReading& objects) {
  const std::vector<std::string> all = NamedInputs(inputs.names, options);
  if (std::find(all.begin(), all.end(), "-") != all.end()) return {};
  Discovery how;
  if (options.skip_bad_inputs) how.unreadable = UnreadableInputs::kList;
  how.objects = objects;
  how.objects.fetch = false;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto files, DiscoverInputs(all, how));
  for (size_t i = 0; i < std::max(files.size(), made_of.size()); ++i) {
    const bool same = i < files.size() && i < made_of.size() &&
                      made_of.at(i).at("name") == files[i].name &&
                      made_of.at(i).at("bytes") == files[i].size;
    if (same) continue;
    const std::string name =
        i < files.size() ? files[i].place() : made_of.at(i).at("name").get<std::string>();
    return Fail("is a complete result, but of other inputs: " + name +
                    " differs; choose another output, or add --overwrite",
                output);
  }
  return {};
}

RunPrediction PredictionOf(const Json& json) {
  RunPrediction predicted;
  const auto count = [&](const char* name) -> std::optional<uint64_t> {
    const Json& value = json.at(name);
    return value.is_number() ? std::optional<uint64_t>(value) : std::nullopt;
  };
  predicted.pairs = count("pairs");
  predicted.candidates = count("candidates");
  predicted.recall = Figure(json.at("recall"));
  predicted.cpu_seconds = Figure(json.at("cpu_seconds"));
  predicted.memory_bytes = count("peak_memory_bytes");
  predicted.disk_bytes = count("peak_scratch_bytes");
  return predicted;
}

DedupSummary SummaryOf(const Json& manifest) {
  DedupSummary summary;
  const Json& records = manifest.at("records");
  const Json& recall = manifest.at("recall");
  summary.records.in = records.at("in");
  summary.records.kept = records.at("kept");
  summary.records.removed_exact = records.at("removed_exact");
  summary.records.removed_near = records.at("removed_near");
  summary.records.rejected = records.at("rejected");
  summary.records.skipped_inputs = manifest.at("notes").at("skipped_inputs");
  summary.recall.asked = recall.at("asked");
  summary.recall.estimate = Figure(recall.at("estimate"));
  summary.recall.low = Figure(recall.at("low"));
  summary.recall.high = Figure(recall.at("high"));
  summary.recall.sampled_documents = recall.at("sampled_documents");
  summary.recall.sampled_pairs = recall.at("sampled_pairs");
  summary.recall.left_over = recall.at("left_over");
  summary.recall.met = recall.at("met");
  summary.design = manifest.at("search").at("design");
  summary.clusters = manifest.at("clusters");
  summary.exact = manifest.value("exact", true);
  summary.suggested = manifest.value("suggested", uint64_t{0});
  summary.cpu_seconds = manifest.value("cpu_seconds", 0.0);
  summary.peak_memory_bytes = manifest.at("peak_memory_bytes");
  if (manifest.contains("predicted")) summary.predicted = PredictionOf(manifest.at("predicted"));
  summary.was_complete = true;
  return summary;
}

}  // namespace

Result<DedupSummary> ReadComplete(const std::string& text, const Inputs& inputs,
                                  const std::string& output, const Options& options,
                                  const ObjectReading& objects) {
  try {
    const Json manifest = Json::parse(text);
    if (const auto name = Difference(manifest, options)) {
      return Fail("is a complete result, but with another --" + *name +
                      "; choose another output, or add --overwrite",
                  output);
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckFeatures(manifest, options, output));
    LOOKALIKE_RETURN_IF_ERROR(CheckInputs(manifest.at("inputs"), inputs, options, output, objects));
    return SummaryOf(manifest);
  } catch (const Json::exception& error) {
    return Fail(std::string("cannot be read: ") + error.what() +
                    "; choose another output, or add --overwrite",
                output + "/manifest.json");
  }
}

Result<std::optional<DedupSummary>> FindComplete(const Inputs& inputs, const std::string& output,
                                                 const Options& options,
                                                 const ObjectReading& objects) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts folder, files.Stat(output));
  if (folder.kind == FileKind::kMissing) return std::nullopt;
  const std::string path = output + "/manifest.json";
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) {
    return Fail("exists and is no result of this command; move it away or choose another output",
                output);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, files));
  LOOKALIKE_ASSIGN_OR_RETURN(DedupSummary summary,
                             ReadComplete(text, inputs, output, options, objects));
  return summary;
}

}  // namespace lookalike
