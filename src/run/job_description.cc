#include "run/job_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lookalike/options_table.h"
#include "run/edge_hash.h"
#include "run/units.h"

namespace lookalike {
namespace {

/// Returns the time of change of an input. Stores tell whole seconds, and the copy of an object has
/// the time that its disk can hold; whether there is a copy must make no difference.
int64_t TimeOf(const InputFile& file) {
  constexpr int64_t kSecond = 1'000'000'000;
  return file.uri.empty() ? file.mtime_ns : file.mtime_ns / kSecond * kSecond;
}

Result<nlohmann::ordered_json> DescribeInput(const InputFile& file, uint64_t edge) {
  // Reading the edges of all objects would take every attempt and task two requests for each.
  uint64_t edges = 0;
  if (file.uri.empty()) {
    LOOKALIKE_ASSIGN_OR_RETURN(edges, HashEdges(file, edge));
  }
  return nlohmann::ordered_json{{"path", file.place()},
                                {"name", file.name},
                                {"size", file.size},
                                {"mtime_ns", TimeOf(file)},
                                {"edges_xxh3", edges}};
}

/// Returns entries that distinguish the inputs of a job from other inputs. If there are very many
/// inputs, each entry covers several in a row, so that a description stays small.
Result<nlohmann::ordered_json> DescribeInputs(const InputList& inputs, uint64_t edge) {
  using Json = nlohmann::ordered_json;
  constexpr size_t kMostEntries = 1000;
  const size_t each = std::max<size_t>(1, (inputs.size() + kMostEntries - 1) / kMostEntries);
  Json entries = Json::array();
  for (size_t first = 0; first < inputs.size(); first += each) {
    const size_t count = std::min(each, inputs.size() - first);
    std::string lines;
    for (size_t i = first; i < first + count; ++i) {
      LOOKALIKE_ASSIGN_OR_RETURN(Json entry, DescribeInput(inputs[i], edge));
      if (each == 1) {
        entries.push_back(std::move(entry));
      } else {
        lines += entry.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
      }
    }
    if (each == 1) continue;
    entries.push_back({{"path", inputs[first].place()},
                       {"count", count},
                       {"xxh3", XXH3_64bits(lines.data(), lines.size())}});
  }
  return entries;
}

/// Returns an Error that names the difference between the inputs of two attempts, if there is one.
Status CheckSameInputs(const nlohmann::json& earlier, const nlohmann::json& now,
                       const EarlierJob& words) {
  for (size_t i = 0; i < std::max(earlier.size(), now.size()); ++i) {
    if (i >= now.size()) {
      return UsageError(
          fmt::format("this input of {} is missing now; pass all of its inputs, or {}", words.name,
                      words.again),
          earlier.at(i).at("path").get<std::string>());
    }
    const std::string path = now.at(i).at("path");
    if (i >= earlier.size() || earlier.at(i).at("path") != path) {
      return UsageError(fmt::format("is not the input that {} had in this position; pass the same "
                                    "inputs in the same order, or {}",
                                    words.name, words.again),
                        path);
    }
    if (earlier.at(i) != now.at(i) && now.at(i).contains("count")) {
      return InputError(
          fmt::format("one of the {} inputs that start with this one changed since {} "
                      "{}; pass the same inputs, or {}",
                      now.at(i).at("count").get<size_t>(), words.name, words.ended, words.again),
          path);
    }
    if (earlier.at(i) != now.at(i)) {
      return UsageError(
          fmt::format("the input changed since {} {}; {}", words.name, words.ended, words.again),
          path);
    }
  }
  return {};
}

/// Checks that decisions of people are the same, though they may be in a file of the same name.
Status CheckSameDecisions(const nlohmann::json& earlier, const nlohmann::json& now,
                          const EarlierJob& words) {
  if (earlier.value("decisions", "") == now.value("decisions", "")) return {};
  return OptionError(
      fmt::format("the file of $<decisions> changed since {} {}; pass the decisions "
                  "that it had, or {}",
                  words.name, words.ended, words.again));
}

Status CheckSameOptions(const nlohmann::json& earlier, const nlohmann::json& now,
                        const EarlierJob& words) {
  for (const auto& [name, value] : now.items()) {
    const auto was = earlier.value(name, nlohmann::json());
    if (was == value) continue;
    return OptionError(fmt::format("$<{}> is {} but was {} in {}; pass the same options, or {}",
                                   name, value.dump(), was.is_null() ? "not set" : was.dump(),
                                   words.name, words.again));
  }
  return {};
}

}  // namespace

std::string JobDigest(const Job& job) {
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  std::string text = OptionsDigest(job.options, command);
  for (const std::string& field : {job.fields.text, job.fields.id, job.fields.keep}) {
    text += "\nfield=" + field;
  }
  text += fmt::format(
      "\nfingerprint=v{}\nfeatures={}\ndesign={}\nsmall={}\nlast={}\nleaders={}\nfloor={}\ncover={"
      "}",
      kFingerprintVersion, job.FeaturesName(), job.DesignName(), job.rules.small,
      job.rules.small_at_last, job.rules.leaders, job.rules.agreement_floor, job.rules.cover_floor);
  if (job.people.given()) text += "\ndecisions=" + job.people.hash;
  if (job.few) text += fmt::format("\nfew={}", FewFeatures::kFew);
  for (const Extension& extension : job.rules.extensions) {
    text += fmt::format("\nextension={}x{}", extension.keys, extension.rows);
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<std::string> DescribeJob(const Job& job, uint64_t edge) {
  using Json = nlohmann::ordered_json;
  LOOKALIKE_ASSIGN_OR_RETURN(const Json inputs, DescribeInputs(job.inputs, edge));
  Json options = Json::object();
  const Command command = job.rules.all_pairs ? Command::kPairs : Command::kDedup;
  for (const auto& [name, value] : BehaviourOptions(job.options, command)) options[name] = value;
  Json description = {
      {"version", LOOKALIKE_VERSION},
      {"unit_layout", kUnitLayout},
      {"options", options},
      {"options_digest", JobDigest(job)},
      {"design", job.DesignName()},
      {"fields", {{"text", job.fields.text}, {"id", job.fields.id}, {"keep", job.fields.keep}}},
      {"reference_inputs", job.reference_inputs},
      {"partitions", job.partitions()},
      {"inputs", inputs}};
  if (job.people.given()) description["decisions"] = job.people.hash;
  return description.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status CheckSameJob(const EarlierJob& earlier, const std::string& now) {
  try {
    const auto then = nlohmann::json::parse(earlier.description), job = nlohmann::json::parse(now);
    if (then.at("version") != job.at("version")) {
      return UsageError(fmt::format("{} was made by version {}; {}", earlier.name,
                                    then.at("version").dump(), earlier.again));
    }
    LOOKALIKE_RETURN_IF_ERROR(CheckSameOptions(then.at("options"), job.at("options"), earlier));
    LOOKALIKE_RETURN_IF_ERROR(CheckSameDecisions(then, job, earlier));
    LOOKALIKE_RETURN_IF_ERROR(CheckSameInputs(then.at("inputs"), job.at("inputs"), earlier));
    for (const char* name : {"unit_layout", "options_digest", "partitions", "reference_inputs"}) {
      if (then.at(name) == job.at(name)) continue;
      return UsageError(
          fmt::format("{} had a different {}; {}", earlier.name, name, earlier.again));
    }
    return {};
  } catch (const nlohmann::json::exception&) {
    return UsageError(
        fmt::format("the description of {} cannot be read; {}", earlier.name, earlier.again));
  }
}

}  // namespace lookalike
