// Summaries of the commands for streams and URLs.
#include <fmt/format.h>

#include "quantity.h"
#include "summaries.h"
#include "summary_rows.h"

namespace lookalike::cli {
namespace {

std::string MemoryRow(uint64_t bytes) {
  return Row("memory", Bytes(static_cast<double>(bytes)) + " at the peak");
}

}  // namespace

Json ToJson(const FilterSummary& summary, const Request& request) {
  const auto name_or_null = [](const std::string& name) {
    return name.empty() ? Json(nullptr) : Json(name);
  };
  Json json = Json::parse(SummaryJson(summary));
  json["state"] = name_or_null(request.filter.state);
  json["output"] = name_or_null(request.output);
  return json;
}

std::string ToText(const FilterSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} of {} were seen before, by sketches alone\n", Count(summary.seen),
                  Count(summary.fresh + summary.seen, "document"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  text += Row("design", fmt::format("{} of {}", summary.design, summary.sketch));
  text += Row("remembers", fmt::format("{} in {} each ({} with lookup tables), plus {} of ids",
                                       Count(summary.remembered, "document"),
                                       Bytes(static_cast<double>(summary.bytes_per_document)),
                                       Bytes(summary.TableBytesPerDocument()),
                                       Bytes(static_cast<double>(summary.id_bytes))));
  text += Row("time", Duration(summary.seconds));
  text += MemoryRow(summary.peak_memory_bytes);
  if (!request.filter.state.empty()) text += Row("state", request.filter.state);
  return request.output.empty() ? text : text + Row("answers", request.output);
}

std::string ToText(const CrumbsSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} would have saved {} of {}\n", Count(summary.rules, "rule"),
                  Count(summary.fetches_saved, "request"), Count(summary.records.in, "page"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  if (summary.without_url > 0) text += Row("no URL", Count(summary.without_url, "page"));
  text += Row("copies", Count(summary.records.removed_exact + summary.records.removed_near));
  if (summary.left_out > 0) {
    text += Row("left out", Count(summary.left_out, "suggestion") + ", see their objections");
  }
  text += Row("time", Duration(summary.seconds));
  text += MemoryRow(summary.peak_memory_bytes);
  return text + Row("rules", request.output);
}

}  // namespace lookalike::cli
