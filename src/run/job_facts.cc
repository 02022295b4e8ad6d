#include "run/job_facts.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "run/lanes.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kFormatNames = {"json lines", "json array",   "csv",     "parquet",
                                     "arrow file", "arrow stream", "text",    "html",
                                     "warc",       "sketches",     "features"};
static_assert(kFormatNames.size() == kFormats.size());
constexpr std::array kCodecNames = {"none", "gzip", "zstd", "bzip2", "lz4"};

/// Returns the value of a name in a table; nothing if it is not there.
template <class Enum, size_t N>
std::optional<Enum> Named(const std::array<const char*, N>& names, const std::string& name) {
  const auto found = std::ranges::find(names, std::string_view(name));
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

std::string LineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string Encode(const InputFacts& input) {
  const InputForm& form = input.form;
  Json line = {{"path", input.place},
               {"format", kFormatNames[static_cast<size_t>(form.format)]},
               {"codec", kCodecNames[static_cast<size_t>(form.codec)]},
               {"plain_bytes", input.plain_bytes}};
  if (form.format == Format::kCsv) line["delimiter"] = std::string(1, form.delimiter);
  if (!form.problem.empty()) line["problem"] = form.problem;
  if (!input.cuts.empty()) line["cuts"] = input.cuts;
  return LineOf(line);
}

InputFacts DecodeInput(const Json& line) {
  InputFacts input;
  input.place = line.at("path");
  input.form = {Named<Format>(kFormatNames, line.at("format")).value(),
                Named<Codec>(kCodecNames, line.at("codec")).value(),
                line.value("delimiter", std::string(",")).at(0),
                line.value("problem", std::string())};
  input.plain_bytes = line.at("plain_bytes");
  if (line.contains("cuts")) input.cuts = line.at("cuts").get<std::vector<uint64_t>>();
  return input;
}

void DecodeJob(const Json& line, JobFacts* facts) {
  facts->text_field = line.at("text");
  facts->id_field = line.at("id");
  facts->any = line.at("any");
  facts->id_seen = line.at("id_seen");
  facts->documents = line.at("documents");
}

}  // namespace

InputForms JobFacts::Forms() const {
  InputForms forms;
  for (const InputFacts& input : inputs) forms[input.place] = input.form;
  return forms;
}

InputSizes JobFacts::Sizes() const {
  InputSizes sizes;
  sizes.documents = documents;
  for (const InputFacts& input : inputs) sizes.plain_bytes.push_back(input.plain_bytes);
  return sizes;
}

InputCuts JobFacts::Cuts() const {
  InputCuts cuts;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].cuts.empty()) cuts[i] = inputs[i].cuts;
  }
  return cuts;
}

JobFacts FactsOf(const Job& job, uint64_t lane_bytes) {
  JobFacts facts;
  facts.text_field = job.fields.text;
  facts.id_field = job.fields.id;
  facts.any = job.fields.any;
  facts.id_seen = job.fields.id_seen;
  facts.documents = job.sizes.documents;
  InputCuts cuts = FindCuts(job.inputs, lane_bytes);
  for (uint32_t i = 0; i < job.inputs.size(); ++i) {
    const InputFile file = job.inputs[i];
    facts.inputs.push_back({file.place(),
                            {file.format, file.codec, file.delimiter, file.problem},
                            job.sizes.plain_bytes[i],
                            std::move(cuts[i])});
  }
  return facts;
}

std::string EncodeFacts(const JobFacts& facts) {
  std::string lines = LineOf({{"text", facts.text_field},
                              {"id", facts.id_field},
                              {"any", facts.any},
                              {"id_seen", facts.id_seen},
                              {"documents", facts.documents},
                              {"inputs", facts.inputs.size()}});
  for (const InputFacts& input : facts.inputs) lines += Encode(input);
  return lines;
}

Result<JobFacts> DecodeFacts(std::string_view lines, const std::string& place) {
  JobFacts facts;
  size_t expected = 0;
  try {
    for (size_t at = 0, end = 0; at < lines.size(); at = end + 1) {
      end = std::min(lines.find('\n', at), lines.size());
      const Json line = Json::parse(lines.substr(at, end - at));
      if (at == 0) {
        DecodeJob(line, &facts);
        expected = line.at("inputs");
      } else {
        facts.inputs.push_back(DecodeInput(line));
      }
    }
  } catch (const std::exception&) {
    return CorruptError("is damaged; plan the job again", place);
  }
  if (lines.empty() || facts.inputs.size() != expected) {
    return CorruptError("is not whole; plan the job again", place);
  }
  return facts;
}

}  // namespace lookalike
