#include "results/planned_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "format/journal.h"
#include "io/object_uri.h"
#include "io/pending_output.h"
#include "io/whole_file.h"
#include "lookalike/options_table.h"
#include "lookalike/summary_json.h"
#include "options/feature_options.h"
#include "records/records.h"
#include "search/join_units.h"
#include "search/pair_reader.h"
#include "spill/run_file.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kJobFormat = 5;

/// Returns the hash of inputs.jsonl that job.json has, in hexadecimal.
std::string HashOfFacts(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

/// True if the tasks of a job share this option, because it may decide about the result.
bool IsOfJob(const OptionRow& row) {
  if (!row.BelongsTo(Command::kDedup)) return false;
  return row.kind == OptionClass::kBehaviour || row.name == "yes";
}

Json OptionsJson(const Options& options) {
  Json json = Json::object();
  const Options defaults;
  for (const OptionRow& row : OptionTable()) {
    if (!IsOfJob(row) || OptionText(row, options) == OptionText(row, defaults)) continue;
    if (row.IsList()) {
      json[std::string(row.name)] =
          options.*std::get<std::vector<std::string> Options::*>(row.member);
    } else {
      json[std::string(row.name)] = OptionText(row, options);
    }
  }
  return json;
}

Status TakeOptions(const Json& json, Options* options) {
  for (const OptionRow& row : OptionTable()) {
    const auto at = json.find(std::string(row.name));
    if (at == json.end() || !IsOfJob(row)) continue;
    if (!at->is_array()) {
      LOOKALIKE_RETURN_IF_ERROR(SetOption(row, at->get<std::string>(), options));
      continue;
    }
    for (const Json& value : *at) {
      LOOKALIKE_RETURN_IF_ERROR(SetOption(row, value.get<std::string>(), options));
    }
  }
  return {};
}

/// Returns the number of candidate pairs of a unit of the join; none if pairs are found without
/// keys.
Result<std::optional<uint64_t>> CountPairs(const JobFolder& folder, uint64_t unit) {
  const std::string record = folder.records() + "/" + RecordName(kJoinStage, unit);
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(record, folder.files()));
  const auto lines = DecodeJournal(text);
  if (lines.size() == 1 && lines.front().unit == RecordName(kJoinStage, unit)) return std::nullopt;
  const std::string name = JoinUnit(unit);
  const auto pairs = std::find_if(lines.begin(), lines.end(),
                                  [&](const RunRecord& line) { return line.unit == name; });
  if (pairs == lines.end() || pairs->file.find('/') != std::string::npos) {
    return CorruptError("the record of the join is damaged", record);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const auto file,
                             folder.files().OpenRead(folder.units() + "/" + pairs->file));
  LOOKALIKE_ASSIGN_OR_RETURN(const RunTable table, ReadRunTable(*file));
  return table.streams.front().bytes / sizeof(CandidatePair);
}

/// Returns the number of units of `verify`, which the candidates decide. If pairs are found without
/// keys, it is one.
Result<uint64_t> CountVerifyUnits(const PlannedJob& planned, const JobFolder& folder) {
  uint64_t pairs = 0;
  for (uint64_t unit = 0; unit < planned.key_units; ++unit) {
    LOOKALIKE_ASSIGN_OR_RETURN(const auto more, CountPairs(folder, unit));
    if (!more) return 1;
    pairs += *more;
  }
  return VerifyUnits(pairs, planned.lane_bytes);
}

/// Returns the status that the last task left.
Result<ShardStatus> ReadFinalStatus(const JobFolder& folder) {
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text,
                             ReadWholeFile(folder.complete(), folder.files()));
  try {
    ShardStatus status;
    status.complete = true;
    const Json json = Json::parse(text);
    for (const Json& stage : json.at("stages")) {
      status.stages.push_back({stage.at("name").get<std::string>(),
                               stage.at("units").get<uint64_t>(),
                               stage.at("done").get<uint64_t>()});
    }
    return status;
  } catch (const nlohmann::json::exception&) {
    return CorruptError("is damaged; the result itself is complete", folder.complete());
  }
}

}  // namespace

Status JobFolder::Make() const {
  for (const std::string& folder :
       {job_, partial(), records(), units(), tasks(), partial() + "/tasks", result()}) {
    LOOKALIKE_ASSIGN_OR_RETURN(const bool made, files_->MakeDirectory(folder));
    if (!made) return UsageError("exists; choose another folder", folder);
  }
  return {};
}

Status JobFolder::Write(const std::string& path, std::string_view text) const {
  const std::string made = tasks() + path.substr(path.find_last_of('/'));
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(made, text, *files_));
  return files_->Rename(made, path);
}

Result<bool> Exists(const std::string& path, FileSystem& files) {
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, files.Stat(path));
  return facts.kind != FileKind::kMissing;
}

std::string AbsoluteName(const std::string& input) {
  if (IsObjectUri(input)) return input;
  if (SchemeOf(input) != "file") return AbsolutePath(input);
  return PathOfFileUri(input).value_or(input);  // discovery says what is wrong with it
}

Options WithAbsolutePaths(Options options) {
  for (std::string& name : options.against) name = AbsoluteName(name);
  for (std::string* table : {&options.weights, &options.stop_words}) {
    if (IsTablePath(*table)) *table = AbsolutePath(*table);
  }
  return options;
}

Result<std::string> EncodeJob(const PlannedJob& planned) {
  const Json json = {{"format", kJobFormat},
                     {"id", planned.id},
                     {"inputs", planned.inputs},
                     {"output", planned.output},
                     {"options", OptionsJson(planned.options)},
                     {"objects",
                      {{"endpoint", planned.options.object_endpoint},
                       {"region", planned.options.object_region},
                       {"anonymous", planned.options.object_anonymous}}},
                     {"max_record", planned.max_record},
                     {"lane_bytes", planned.lane_bytes},
                     {"lanes", planned.lanes},
                     {"written_lanes", planned.written_lanes},
                     {"key_units", planned.key_units},
                     {"facts", HashOfFacts(EncodeFacts(planned.facts))},
                     {"job", Json::parse(planned.description)}};
  try {
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::exception&) {
    return UsageError(
        "tasks can only share names in UTF-8, and an input, the output or an option has another; "
        "rename it, or run dedup on one machine");
  }
}

Result<PlannedJob> ReadJob(const JobFolder& folder, const std::string& name) {
  const std::string path = folder.job_file();
  LOOKALIKE_ASSIGN_OR_RETURN(const FileFacts facts, folder.files().Stat(path));
  if (facts.kind != FileKind::kFile) {
    return UsageError("there is no job here; plan one first, or check the path", name);
  }
  LOOKALIKE_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, folder.files()));
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kJobFormat) {
      return UsageError("was planned by another version; plan the job again", path);
    }
    PlannedJob planned;
    planned.id = json.at("id").get<std::string>();
    planned.inputs = json.at("inputs").get<std::vector<std::string>>();
    planned.output = json.at("output").get<std::string>();
    LOOKALIKE_RETURN_IF_ERROR(TakeOptions(json.at("options"), &planned.options));
    const Json& objects = json.at("objects");
    planned.options.object_endpoint = objects.at("endpoint").get<std::string>();
    planned.options.object_region = objects.at("region").get<std::string>();
    planned.options.object_anonymous = objects.at("anonymous").get<bool>();
    planned.max_record = json.at("max_record").get<uint64_t>();
    planned.lane_bytes = json.at("lane_bytes").get<uint64_t>();
    planned.lanes = json.at("lanes").get<uint64_t>();
    planned.written_lanes = json.at("written_lanes").get<uint64_t>();
    planned.key_units = json.at("key_units").get<uint64_t>();
    planned.description = json.at("job").dump();
    const std::string inputs = folder.inputs_file();
    LOOKALIKE_ASSIGN_OR_RETURN(const std::string lines, ReadWholeFile(inputs, folder.files()));
    if (json.at("facts") != HashOfFacts(lines)) {
      return CorruptError(
          "is of another job, or damaged; plan the job again, where nobody else plans one", inputs);
    }
    LOOKALIKE_ASSIGN_OR_RETURN(planned.facts, DecodeFacts(lines, inputs));
    return planned;
  } catch (const nlohmann::json::exception&) {
    return CorruptError("is not the description of a job; plan the job again", path);
  }
}

Result<bool> IsCommitted(const JobFolder& folder) {
  LOOKALIKE_ASSIGN_OR_RETURN(const bool marked, Exists(folder.complete(), folder.files()));
  if (marked || IsObjectUri(folder.output())) return marked;
  LOOKALIKE_ASSIGN_OR_RETURN(const bool pending, Exists(folder.result()));
  if (pending) return false;
  return Exists(folder.output());
}

Result<ShardStatus> CountUnits(const PlannedJob& planned, const JobFolder& folder) {
  LOOKALIKE_ASSIGN_OR_RETURN(const bool marked, Exists(folder.complete(), folder.files()));
  if (marked) return ReadFinalStatus(folder);
  ShardStatus status;
  bool joined = false;
  LOOKALIKE_ASSIGN_OR_RETURN(const auto names, folder.files().List(folder.records()));
  for (const std::string_view name : kStages) {
    ShardStage stage = {std::string(name), 1};
    if (name == kFingerprintStage || name == kSetsStage) stage.units = planned.lanes;
    if (name == kSurveyStage || name == kCountStage || name == kJoinStage) {
      stage.units = planned.key_units;
    }
    if (name == kVerifyStage) stage.units.reset();
    if (name == kWriteStage) stage.units = planned.written_lanes;
    stage.done = static_cast<uint64_t>(std::count_if(
        names.begin(), names.end(),
        [&](const std::string& record) { return record.starts_with(stage.name + "."); }));
    if (name == kJoinStage) joined = stage.done == *stage.units;
    if (name == kVerifyStage && joined) {
      LOOKALIKE_ASSIGN_OR_RETURN(stage.units, CountVerifyUnits(planned, folder));
    }
    status.stages.push_back(std::move(stage));
  }
  LOOKALIKE_ASSIGN_OR_RETURN(status.complete, IsCommitted(folder));
  return status;
}

Status WriteFinalStatus(const ShardStatus& status, const JobFolder& folder) {
  FileSystem& files = folder.files();
  std::random_device random;
  const std::string made =
      fmt::format("{}/complete-{:08x}{:08x}", folder.tasks(), random(), random());
  LOOKALIKE_RETURN_IF_ERROR(WriteDurably(made, StatusJson(status) + "\n", files));
  return MoveUnlessThere(made, folder.complete(), files);
}

}  // namespace lookalike
