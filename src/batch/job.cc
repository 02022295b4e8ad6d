#include "batch/job.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "io/output_stream.h"
#include "lookalike/options_table.h"
#include "stages/input/reader.h"
#include "stages/verify/resemblance.h"

namespace lookalike {
namespace {

/// How often a large bucket is split. Each split multiplies its records by the extension keys, and
/// where its members are alike, or share a template, no split makes it small.
constexpr uint32_t kRefinements = 1;

/// A bucket is split only where that is cheaper than comparing all its members: n members make
/// n * keys records of some 15 ns against n * n / 2 comparisons of codes of some 2 ns.
constexpr uint64_t kSmallPerKey = 16;

/// Share of the allowed misses that one refinement of a large bucket may cause at the threshold.
constexpr double kRefineMissShare = 0.1;

/// Share of the allowed misses that the code filter may cause at the threshold.
constexpr double kCodeMissShare = 0.001;

/// The exact join is the answer where no design reaches the recall (very low thresholds).
Status ResolveDesign(Job* job) {
  const Options& options = job->options;
  if (options.method == "exact") return {};
  const uint32_t coordinates = job->sketch.coordinates;
  Result<Design> design = options.design.empty()
                              ? PlanDesign(options.threshold, options.recall, coordinates)
                              : ParseDesign(options.design);
  if (!design && options.method == "auto" && options.design.empty()) return {};
  if (!design) return tl::make_unexpected(design.error());
  if (design->coordinates > coordinates) {
    return Fail("--design " + ToString(*design) + " needs " + std::to_string(design->coordinates) +
                " coordinates, but --sketch makes " + std::to_string(coordinates) +
                "; give --sketch with a larger power of two");
  }
  job->design = *std::move(design);
  return {};
}

void ResolveRules(Job* job, bool all_pairs) {
  const Options& options = job->options;
  const uint32_t codes = CodeCount(job->sketch.coordinates);
  job->rules.all_pairs = all_pairs;
  job->rules.agreement_floor =
      CodeAgreementFloor(options.threshold, codes, kCodeMissShare * (1 - options.recall));
  for (uint32_t level = 0; level < kRefinements; ++level) {
    job->rules.extensions.push_back(PlanExtension(
        options.threshold, 1 - kRefineMissShare * (1 - options.recall), codes, level));
  }
  job->rules.small = std::max(job->rules.small, kSmallPerKey * job->rules.extensions.front().keys);
}

Status CheckKeepSources(const Job& job) {
  for (const std::string& name : job.keep.sources) {
    const bool known = std::any_of(job.inputs.begin(), job.inputs.end(),
                                   [&](const InputFile& file) { return file.name == name; });
    if (known) continue;
    std::string names;
    for (size_t i = 0; i < std::min<size_t>(job.inputs.size(), 20); ++i) {
      names += (i == 0 ? "" : ", ") + job.inputs[i].name;
    }
    return Fail("--keep source: no input is named '" + name + "'; the inputs are " + names);
  }
  return {};
}

}  // namespace

Result<Job> ResolveJob(const std::vector<std::string>& inputs, const Options& options,
                       bool all_pairs, const std::string& spool_dir) {
  LOOKALIKE_RETURN_IF_ERROR(options.Validate());
  Job job;
  job.options = options;
  LOOKALIKE_ASSIGN_OR_RETURN(job.shingle, ParseShingle(options.shingle));
  LOOKALIKE_ASSIGN_OR_RETURN(job.sketch, ParseSketch(options.sketch));
  LOOKALIKE_ASSIGN_OR_RETURN(job.keep, ParseKeepOption(options.keep));
  LOOKALIKE_RETURN_IF_ERROR(ResolveDesign(&job));
  ResolveRules(&job, all_pairs);
  job.limits = {options.max_record, options.max_expansion};
  const auto unreadable =
      options.skip_bad_inputs ? UnreadableInputs::kList : UnreadableInputs::kFail;
  LOOKALIKE_ASSIGN_OR_RETURN(job.inputs, DiscoverInputs(inputs, spool_dir, unreadable));
  LOOKALIKE_RETURN_IF_ERROR(CheckKeepSources(job));
  LOOKALIKE_ASSIGN_OR_RETURN(
      job.fields,
      ResolveFields(job.inputs, options.text_field, options.id_field, job.keep.field, job.limits));
  return job;
}

std::string JobDigest(const Job& job) {
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  std::string text = OptionsDigest(job.options, command);
  for (const std::string& field : {job.fields.text, job.fields.id, job.fields.keep}) {
    text += "\nfield=" + field;
  }
  text +=
      fmt::format("\nfingerprint=v1\ndesign={}\nsmall={}\nleaders={}\nfloor={}", job.DesignName(),
                  job.rules.small, job.rules.leaders, job.rules.agreement_floor);
  for (const Extension& extension : job.rules.extensions) {
    text += fmt::format("\nextension={}x{}", extension.keys, extension.rows);
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Status WriteJob(const Job& job, const std::string& path) {
  using Json = nlohmann::ordered_json;
  Json inputs = Json::array();
  for (const InputFile& file : job.inputs) {
    inputs.push_back({{"path", file.path},
                      {"name", file.name},
                      {"size", file.size},
                      {"mtime_ns", file.mtime_ns}});
  }
  Json options = Json::object();
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  for (const auto& [name, value] : BehaviourOptions(job.options, command)) options[name] = value;
  const Json description = {
      {"options", options},
      {"options_digest", JobDigest(job)},
      {"design", job.DesignName()},
      {"fields", {{"text", job.fields.text}, {"id", job.fields.id}, {"keep", job.fields.keep}}},
      {"inputs", inputs}};
  auto stream = OutputStream::Create(path, Codec::kNone);
  if (!stream) return tl::make_unexpected(std::move(stream).error());
  LOOKALIKE_RETURN_IF_ERROR(
      (*stream)->Write(description.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  return (*stream)->Close();
}

Status CheckUnchanged(const InputFile& file) {
  struct stat now = {};
  if (stat(file.path.c_str(), &now) != 0) {
    return Fail("the input is gone since the run began; run again", file.path);
  }
  const int64_t mtime = int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec;
  if (static_cast<uint64_t>(now.st_size) == file.size && mtime == file.mtime_ns) return {};
  return Fail("the input changed while it was read; run again when nothing writes to it",
              file.path);
}

}  // namespace lookalike
