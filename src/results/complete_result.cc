#include "results/complete_result.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/file_tree.h"
#include "io/object_store.h"
#include "io/object_uri.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"
#include "options/feature_options.h"
#include "results/summary_parts.h"
#include "run/decisions_input.h"
#include "run/job.h"
#include "run/job_description.h"
#include "run/resolve_job.h"
#include "run/result_checks.h"
#include "stages/input/reader.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

/// True if a result was made from sketch files.
bool IsOfSketches(const Json& manifest) { return !manifest.value("exact", true); }

/// Returns the first behaviour option that had another value when the result was made, or nothing.
std::optional<std::string> Difference(const Json& manifest, const Options& options) {
  const Json& made_with = manifest.at("options");
  // Sketch files decide how they are compared if options are at their defaults.
  const bool of_sketches = IsOfSketches(manifest);
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

/// Returns the Error for a result that is incomplete, or not the requested one.
tl::unexpected<Error> FailOther(const std::string& output, const std::string& why) {
  return UsageError("already holds a complete result, but " + why +
                        "; choose another output, or pass $<overwrite>",
                    output);
}

Status CheckVersion(const Json& manifest, const std::string& output) {
  const std::string version = manifest.at("version");
  if (version == LOOKALIKE_VERSION) return {};
  return FailOther(output, "it was made by version " + version + " of this program, which is now " +
                               LOOKALIKE_VERSION);
}

/// Checks that the features are those of the result: a file of words may have changed since then.
Status CheckFeatures(const Json& manifest, const Options& options, const std::string& output) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FeatureSpec spec, ReadSetSpec(options));
  if (IsOfSketches(manifest) && ToString(spec) == ToString(FeatureSpec())) return {};
  const auto features = manifest.at("features").get<std::string>();
  if (features == ToString(spec)) return {};
  return FailOther(output, "it was made with other features (" + features + "; this run uses " +
                               ToString(spec) + ")");
}

/// Checks that the file of decisions is what it was.
Status CheckDecisions(const Json& manifest, const Options& options, const std::string& output) {
  if (options.decisions.empty()) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const Choices choices, ReadChoices(options));
  LOOKALIKE_ASSIGN_OR_RETURN(const DecisionsInput input, ReadDecisionsInput(options, choices));
  if (manifest.value(Json::json_pointer("/decisions/xxh3"), std::string()) == input.hash) return {};
  return FailOther(output,
                   "it was made with other decisions than " + options.decisions + " has now");
}

bool IsStandardInput(const std::string& name) { return name == "-"; }

/// Lists the inputs as they are now, except standard input.
Result<InputList> FilesNow(std::vector<std::string> names, Options options,
                           const ObjectReading& objects) {
  std::erase_if(names, IsStandardInput);
  std::erase_if(options.against, IsStandardInput);
  if (names.empty()) names.swap(options.against);
  if (names.empty()) return InputList();
  Discovery how;
  how.objects = objects;
  how.objects.use = ObjectUse::kList;
  LOOKALIKE_ASSIGN_OR_RETURN(FoundCollections found,
                             FindCollections(names, options, std::move(how)));
  return std::move(found.inputs.files);
}

/// Returns how an input differs from the one that a result was made from; nothing if no difference
/// is found.
std::optional<std::string> Difference(const CheckedInput& made_of, const CheckedInput& now) {
  if (made_of.name != now.name) return "";
  if (made_of.bytes != now.bytes) return " in its size";
  if (made_of.mtime_ns && now.mtime_ns) {
    // Stores sometimes report times in whole seconds; then the first and last bytes are not known
    // either.
    const bool same = now.edges ? *made_of.mtime_ns == *now.mtime_ns
                                : IsSameTime(*made_of.mtime_ns, *now.mtime_ns);
    if (!same) return " in its modification time";
  }
  if (made_of.edges && now.edges && *made_of.edges != *now.edges) {
    return " in its first or last MiB";
  }
  return std::nullopt;
}

/// Checks that a result was made from these inputs. Standard input cannot be checked, and is not
/// read for this.
Status CheckInputs(std::vector<CheckedInput> made_of, const Inputs& inputs,
                   const std::vector<std::string>& names, const Options& options,
                   const std::string& output, const ObjectReading& objects) {
  LOOKALIKE_ASSIGN_OR_RETURN(const auto files, FilesNow(inputs.names, options, objects));
  if (std::any_of(names.begin(), names.end(), IsStandardInput)) {
    std::erase_if(made_of, [](const CheckedInput& input) { return input.name == "stdin"; });
  }
  for (size_t i = 0; i < std::max(files.size(), made_of.size()); ++i) {
    std::optional<std::string> difference = "";
    if (i < files.size() && i < made_of.size()) {
      LOOKALIKE_ASSIGN_OR_RETURN(const CheckedInput now, DescribeInput(files[i], false));
      difference = Difference(made_of[i], now);
    }
    if (!difference) continue;
    const std::string name = i < files.size() ? files[i].place() : made_of[i].name;
    return FailOther(output, "it was made from other inputs: " + name + " differs" + *difference);
  }
  return {};
}

/// Checks that everything derived from options and inputs is unchanged: the design, the fields, the
/// constants of the search. Skipped if an input must be fetched or can be read only once.
Status CheckDigest(const Json& manifest, const Inputs& inputs,
                   const std::vector<std::string>& names, const Options& options,
                   const std::string& output) {
  const bool at_hand = std::none_of(names.begin(), names.end(), [](const std::string& name) {
    return IsStandardInput(name) || IsObjectUri(name);
  });
  if (!at_hand) return {};
  LOOKALIKE_ASSIGN_OR_RETURN(const Job job, ResolveJob(inputs, options, {}));
  if (manifest.at("options_digest") == JobDigest(job)) return {};
  return FailOther(
      output,
      "it was made by another build of this program, which resolved these options differently");
}

/// Checks every file of a result.
class FileChecker {
 public:
  FileChecker(const StandingResult& result, const Observer& observer)
      : result_(result), observer_(observer) {}

  Status Check(std::vector<ResultFile> files) {
    for (const ResultFile& file : files) total_ += file.content.bytes;
    for (const ResultFile& file : files) LOOKALIKE_RETURN_IF_ERROR(CheckOne(file));
    return CheckNothingElse(std::move(files));
  }

 private:
  Status CheckOne(const ResultFile& file) {
    const auto size = result_.sizes.find(file.name);
    if (size == result_.sizes.end()) return FailOther(result_.name, file.name + " is missing");
    if (size->second != file.content.bytes) {
      return FailOther(result_.name, file.name + " does not have the size that was written");
    }
    if (!result_.folder) return {};
    const auto look = [this](uint64_t more) {
      done_ += more;
      if (observer_.progress) observer_.progress({"check", done_, total_, "bytes"});
      return !observer_.cancelled || !observer_.cancelled();
    };
    LOOKALIKE_ASSIGN_OR_RETURN(const ContentHash content,
                               ReadContentHash(*result_.folder + "/" + file.name, look));
    if (content == file.content) return {};
    return FailOther(result_.name, file.name + " does not have the content that was written");
  }

  /// Checks that folders hold nothing else, because later tools read folders as a whole.
  Status CheckNothingElse(std::vector<ResultFile> files) const {
    std::sort(files.begin(), files.end(),
              [](const ResultFile& a, const ResultFile& b) { return a.name < b.name; });
    for (const auto& [name, size] : result_.sizes) {
      if (name.find('/') == name.npos || !IsOfResult(name)) continue;
      const auto at = std::lower_bound(
          files.begin(), files.end(), name,
          [](const ResultFile& file, const std::string& wanted) { return file.name < wanted; });
      if (at != files.end() && at->name == name) continue;
      return UsageError(
          "already holds a complete result, but " + name +
              " is not one of its files; move that file away, or choose another output",
          result_.name);
    }
    return {};
  }

  const StandingResult& result_;
  const Observer& observer_;
  uint64_t done_ = 0, total_ = 0;
};

/// Reads checks.jsonl, and checks the manifest against the hash in it.
Result<ResultChecks> ReadChecksOf(const StandingResult& result) {
  if (!result.checks)
    return FailOther(result.name, "its checks.jsonl is missing, so it cannot be checked");
  auto checks = ReadChecks(*result.checks);
  if (!checks) return FailOther(result.name, "its checks.jsonl is damaged");
  if (checks->manifest == HashManifest(result.manifest)) return checks;
  return FailOther(result.name, "its manifest.json was changed after the run");
}

DedupSummary SummaryOf(const Json& manifest) {
  DedupSummary summary;
  const Json& records = manifest.at("records");
  summary.records.in = records.at("in");
  summary.records.kept = records.at("kept");
  summary.records.removed_exact = records.at("removed_exact");
  summary.records.removed_near = records.at("removed_near");
  summary.records.rejected = records.at("rejected");
  const Json& notes = manifest.at("notes");
  summary.records.skipped_inputs = notes.at("skipped_inputs");
  summary.records.null_text = notes.at("null_text");
  summary.records.repaired_text = notes.at("repaired_text");
  summary.records.repeated_ids = notes.at("repeated_ids");
  summary.records.too_short = notes.at("too_short");
  summary.records.too_short_reference = notes.at("too_short_reference");
  summary.records.reference = manifest.at("reference").at("documents");
  summary.records.rejected_reference = manifest.at("reference").at("rejected");
  summary.records.left_out_inputs = notes.at("left_out_inputs");
  summary.fields = FieldsOf(manifest.at("fields"));
  summary.recall = RecallOf(manifest.at("recall"));
  summary.design = manifest.at("search").at("design");
  summary.clusters = manifest.at("clusters");
  summary.exact = !IsOfSketches(manifest);
  summary.decisions = manifest.value(Json::json_pointer("/decisions/count"), uint64_t{0});
  summary.guarded_pairs = manifest.value("guarded_pairs", uint64_t{0});
  if (manifest.contains("kept_by")) summary.kept_by = KeptByOf(manifest.at("kept_by"));
  summary.suggested = manifest.value("suggested", uint64_t{0});
  summary.cpu_seconds = manifest.value("cpu_seconds", 0.0);
  summary.peak_memory_bytes = manifest.at("peak_memory_bytes");
  summary.peak_scratch_bytes = manifest.at("peak_scratch_bytes");
  if (manifest.contains("predicted")) summary.predicted = PredictionOf(manifest.at("predicted"));
  summary.was_complete = true;
  return summary;
}

}  // namespace

Result<DedupSummary> ReadComplete(const StandingResult& result, const Inputs& inputs,
                                  const Options& options, const ObjectReading& objects,
                                  const Observer& observer) {
  const std::string& output = result.name;
  const std::vector<std::string> names = NamedInputs(inputs.names, options);
  try {
    const Json manifest = Json::parse(result.manifest);
    if (const auto name = Difference(manifest, options)) {
      return FailOther(output, "it was made with another $<" + *name + ">");
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckVersion(manifest, output));
    LOOKALIKE_RETURN_IF_ERROR(CheckFeatures(manifest, options, output));
    LOOKALIKE_RETURN_IF_ERROR(CheckDecisions(manifest, options, output));
    LOOKALIKE_ASSIGN_OR_RETURN(ResultChecks checks, ReadChecksOf(result));
    LOOKALIKE_RETURN_IF_ERROR(
        CheckInputs(std::move(checks.inputs), inputs, names, options, output, objects));
    LOOKALIKE_RETURN_IF_ERROR(CheckDigest(manifest, inputs, names, options, output));
    LOOKALIKE_RETURN_IF_ERROR(FileChecker(result, observer).Check(std::move(checks.files)));
    return SummaryOf(manifest);
  } catch (const Json::exception&) {
    return CorruptError(
        "cannot be read: it is damaged, or was written by another version; choose another output, "
        "or pass $<overwrite>",
        output + "/manifest.json");
  }
}

Result<std::optional<DedupSummary>> FindComplete(const Inputs& inputs, const std::string& output,
                                                 const Options& options,
                                                 const ObjectReading& objects,
                                                 const Observer& observer) {
  FileSystem& files = RealFileSystem();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts folder, files.Stat(output));
  if (folder.kind == FileKind::kMissing) return std::nullopt;
  const std::string path = output + "/" + std::string(kManifestFile);
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  if (facts.kind != FileKind::kFile) {
    return UsageError(
        "exists, but is not a result of this command; move it away or choose another output",
        output);
  }
  StandingResult result{
      .name = output, .manifest = {}, .checks = {}, .sizes = {}, .folder = output};
  LOOKALIKE_ASSIGN_OR_RETURN(result.manifest, ReadWholeFile(path, files));
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, ListFilesBelow(output, files));
  for (const std::string& name : names) {
    LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts file, files.Stat(output + "/" + name));
    if (file.kind == FileKind::kFile) result.sizes.emplace(name, file.size);
  }
  if (result.sizes.contains(std::string(kChecksFile))) {
    LOOKALIKE_ASSIGN_OR_RETURN(result.checks,
                               ReadWholeFile(output + "/" + std::string(kChecksFile), files));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(DedupSummary summary,
                             ReadComplete(result, inputs, options, objects, observer));
  return summary;
}

}  // namespace lookalike
