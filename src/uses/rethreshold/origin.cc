#include "uses/rethreshold/origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "io/file_system.h"
#include "io/object_uri.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// Returns a path that was relative to a folder as it is named here.
std::string FromFolder(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  const bool stays = IsObjectUri(name) || fs::path(name).is_absolute() || folder.empty() ||
                     fs::path(folder) == fs::current_path(ignored);
  return stays ? name : (fs::path(folder) / name).string();
}

/// Returns the folder in which the run worked; empty if the manifest does not say.
std::string FolderOfRun(const Json& manifest) {
  return manifest.value(Json::json_pointer("/run/folder"), std::string());
}

/// Returns the inputs that the manifest names.
Result<Inputs> InputsOfRun(const Json& manifest, const std::string& folder) {
  const auto names = manifest.value(Json::json_pointer("/run/inputs"), std::vector<std::string>());
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (name == "-") {
      return UsageError("was made from standard input, which cannot be read again", folder);
    }
    found.push_back(FromFolder(name, FolderOfRun(manifest)));
  }
  if (!found.empty()) return Inputs(std::move(found));
  return UsageError("does not say which files it was made from; pass them after it", folder);
}

/// Refuses results whose pairs were not compared by features, and those of older versions.
Status CheckHasScores(const Options& options, const std::string& folder) {
  if (options.verify == "sketch" || options.verify == "none") {
    return UsageError(
        "has pairs that were judged by sketches, and no exact scores; run "
        "`lookalike dedup` with another threshold",
        folder);
  }
  const std::string path = folder + "/" + std::string(kScoresFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  if (facts.kind == FileKind::kFile) return {};
  return UsageError(
      "has no scores.bin: it was made by an older version, or with decisions; rethreshold the "
      "result that the decisions are about, or run `lookalike dedup` with another threshold",
      folder);
}

/// Refuses results that were compared with an index, which may have changed since.
Status CheckReference(const Options& options, const std::string& folder) {
  for (const std::string& name : options.against) {
    if (IsObjectUri(name)) continue;
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(name + "/format"));
    if (facts.kind != FileKind::kFile) continue;
    return UsageError(fmt::format("was compared with the index {}, which may have changed since; "
                                  "run `lookalike dedup` with another threshold",
                                  name),
                      folder);
  }
  return {};
}

/// Returns the options of a result with resources of their own, and the design that it had.
Result<Options> OptionsToUse(const ResultLists& lists, const Json& manifest,
                             const Options& resources) {
  Options options = lists.options();
  for (const OptionRow& row : OptionTable()) {
    if (row.kind != OptionClass::kPerformance) continue;
    const std::string text = OptionText(row, resources);
    if (!text.empty()) LOOKALIKE_RETURN_IF_ERROR(SetOption(row, text, &options));
  }
  for (std::string& name : options.against) name = FromFolder(name, FolderOfRun(manifest));
  const auto design = manifest.value("design", std::string());
  const bool has_keys = design.find(':') != design.npos && !options.method.starts_with("shingle") &&
                        options.measure == "resemblance";
  // The designs of fields that were searched one by one are planned again, and are the same.
  if (has_keys && design.find(" + ") == design.npos) options.design = design;
  return options;
}

Result<ResultChecks> ReadChecksOf(const std::string& folder, const std::string& manifest) {
  const std::string path = folder + "/" + std::string(kChecksFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, RealFileSystem().Stat(path));
  if (facts.kind != FileKind::kFile) {
    return UsageError(
        "has no checks.jsonl, by which inputs are known again; run `lookalike dedup` "
        "again",
        folder);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, RealFileSystem()));
  auto checks = ReadChecks(text);
  if (!checks) return CorruptError("is damaged; run `lookalike dedup` again", path);
  if (HashManifest(manifest) == checks->manifest) return checks;
  return CorruptError(
      "has a manifest.json that was changed after the run; run `lookalike dedup` "
      "again",
      folder);
}

}  // namespace

Result<Origin> OpenOrigin(const std::string& folder, const Inputs& given, const Options& options) {
  LOOKALIKE_ASSIGN_OR_RETURN(const ResultLists lists, ResultLists::Open(folder));
  LOOKALIKE_RETURN_IF_ERROR(CheckHasScores(lists.options(), folder));
  const Json manifest = Json::parse(lists.manifest());
  Origin origin = {
      .folder = folder, .hash = lists.hash(), .options = {}, .inputs = given, .checks = {}};
  LOOKALIKE_ASSIGN_OR_RETURN(origin.checks, ReadChecksOf(folder, lists.manifest()));
  LOOKALIKE_ASSIGN_OR_RETURN(origin.options, OptionsToUse(lists, manifest, options));
  LOOKALIKE_RETURN_IF_ERROR(CheckReference(origin.options, folder));
  if (!given.names.empty() || !given.tables.empty()) return origin;
  LOOKALIKE_ASSIGN_OR_RETURN(origin.inputs, InputsOfRun(manifest, folder));
  return origin;
}

Status CheckInputsOf(const Origin& origin, const InputList& inputs) {
  const std::vector<CheckedInput>& known = origin.checks.inputs;
  if (inputs.size() != known.size()) {
    return UsageError(fmt::format("was made from {} inputs, and {} are here; pass the files or "
                                  "folders that it was made from",
                                  known.size(), inputs.size()),
                      origin.folder);
  }
  for (size_t i = 0; i < known.size(); ++i) {
    LOOKALIKE_ASSIGN_OR_RETURN(const CheckedInput now, DescribeInput(inputs[i], true));
    const bool is_same = now.name == known[i].name && now.bytes == known[i].bytes &&
                         (!now.edges || !known[i].edges || now.edges == known[i].edges);
    if (is_same) continue;
    return InputError(fmt::format("is not what {} was made from, or has changed since; pass the "
                                  "files or folders that it was made from",
                                  origin.folder),
                      inputs[i].place());
  }
  return {};
}

Result<ScoresReader> OpenScores(const Origin& origin) {
  const std::string path = origin.folder + "/" + std::string(kScoresFile);
  const auto known = std::ranges::find(origin.checks.files, kScoresFile, &ResultFile::name);
  LOOKALIKE_ASSIGN_OR_RETURN(const ContentHash content, ReadContentHash(path));
  if (known == origin.checks.files.end() || known->content != content) {
    return CorruptError("is not what the run wrote; run `lookalike dedup` again", path);
  }
  return ScoresReader::Open(path);
}

}  // namespace lookalike
