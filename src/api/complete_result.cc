#include "api/complete_result.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "io/whole_file.h"
#include "lookalike/options_table.h"

namespace lookalike {
namespace {

using Json = nlohmann::json;

/// The first behaviour option that the result was made with otherwise, or nothing.
std::optional<std::string> Difference(const Json& made_with, const Options& options) {
  for (const auto& [name, value] : BehaviourOptions(options, Command::kDedup)) {
    if (!made_with.contains(name) || made_with[name] != value) return name;
  }
  return std::nullopt;
}

std::optional<double> Figure(const Json& value) {
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
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
  summary.peak_memory_bytes = manifest.at("peak_memory_bytes");
  summary.was_complete = true;
  return summary;
}

}  // namespace

Result<std::optional<DedupSummary>> FindComplete(const std::string& output,
                                                 const Options& options) {
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
  try {
    const Json manifest = Json::parse(text);
    if (const auto name = Difference(manifest.at("options"), options)) {
      return Fail("is a complete result, but with another --" + *name +
                      "; choose another output, or --overwrite instead of --resume",
                  output);
    }
    return SummaryOf(manifest);
  } catch (const Json::exception& error) {
    return Fail(std::string("cannot be read: ") + error.what() +
                    "; choose another output, or --overwrite instead of --resume",
                path);
  }
}

}  // namespace lookalike
