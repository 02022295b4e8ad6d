#include "run/job_facts.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "run/lanes.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kFormatNames = {"json lines",   "json array", "csv",  "parquet", "arrow file",
                                     "arrow stream", "text",       "html", "warc",    "sketches"};
static_assert(kFormatNames.size() == kFormats.size());
constexpr std::array kCodecNames = {"none", "gzip", "zstd", "bzip2", "lz4"};

/// Returns the place of a name in a table; throws std::out_of_range if it is not there.
template <class Enum, size_t N>
Enum Named(const std::array<const char*, N>& names, const std::string& name) {
  for (size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  throw std::out_of_range("name");
}

std::string LineOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

JobFacts FactsOf(const Job& job, uint64_t lane_bytes) {
  JobFacts facts;
  for (const InputFile& file : job.inputs) {
    facts.forms[file.place()] = {file.format, file.codec, file.delimiter, file.problem};
  }
  facts.text_field = job.fields.text;
  facts.id_field = job.fields.id;
  facts.any = job.fields.any;
  facts.id_seen = job.fields.id_seen;
  facts.sizes = job.sizes;
  facts.cuts = FindCuts(job.inputs, lane_bytes);
  return facts;
}

std::string EncodeFacts(const JobFacts& facts, const InputList& inputs) {
  std::string lines = LineOf({{"text", facts.text_field},
                              {"id", facts.id_field},
                              {"any", facts.any},
                              {"id_seen", facts.id_seen},
                              {"documents", facts.sizes.documents}});
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string place = inputs[i].place();
    const InputForm& form = facts.forms.at(place);
    Json line = {{"path", place},
                 {"format", kFormatNames[static_cast<size_t>(form.format)]},
                 {"codec", kCodecNames[static_cast<size_t>(form.codec)]},
                 {"plain_bytes", facts.sizes.plain_bytes[i]}};
    if (form.format == Format::kCsv) line["delimiter"] = std::string(1, form.delimiter);
    if (const auto cut = facts.cuts.find(static_cast<uint32_t>(i)); cut != facts.cuts.end()) {
      line["cuts"] = cut->second;
    }
    if (!form.problem.empty()) line["problem"] = form.problem;
    lines += LineOf(line);
  }
  return lines;
}

Result<JobFacts> DecodeFacts(std::string_view lines, const std::string& place) {
  JobFacts facts;
  try {
    for (size_t at = 0; at < lines.size();) {
      const size_t end = lines.find('\n', at);
      const Json line = Json::parse(lines.substr(at, end - at));
      if (at == 0) {
        facts.text_field = line.at("text");
        facts.id_field = line.at("id");
        facts.any = line.at("any");
        facts.id_seen = line.at("id_seen");
        facts.sizes.documents = line.at("documents");
      } else {
        facts.forms[line.at("path")] = {Named<Format>(kFormatNames, line.at("format")),
                                        Named<Codec>(kCodecNames, line.at("codec")),
                                        line.value("delimiter", std::string(",")).at(0),
                                        line.value("problem", std::string())};
        if (line.contains("cuts")) {
          facts.cuts[static_cast<uint32_t>(facts.sizes.plain_bytes.size())] =
              line.at("cuts").get<std::vector<uint64_t>>();
        }
        facts.sizes.plain_bytes.push_back(line.at("plain_bytes"));
      }
      if (end == std::string_view::npos) break;
      at = end + 1;
    }
  } catch (const std::exception&) {
    return CorruptError("is damaged; plan the job again", place);
  }
  return facts;
}

}  // namespace lookalike
