// Summaries of the commands for streams and URLs.
#include <fmt/format.h>

#include <algorithm>

#include "quantity.h"
#include "summaries.h"
#include "summary_rows.h"

namespace lookalike::cli {
namespace {

Json ReadRecords(const RecordCounts& records) {
  return {{"in", records.in},
          {"rejected", records.rejected},
          {"null_text", records.null_text},
          {"repaired_text", records.repaired_text}};
}

/// Returns the bytes per remembered document, including lookup tables.
double TableBytesEach(const FilterSummary& summary) {
  return static_cast<double>(summary.table_bytes) /
         static_cast<double>(std::max<uint64_t>(1, summary.remembered));
}

std::string MemoryRow(uint64_t bytes) {
  return Row("memory", Bytes(static_cast<double>(bytes)) + " at the peak");
}

}  // namespace

Json ToJson(const FilterSummary& summary, const Request& request) {
  return {{"records", ReadRecords(summary.records)},
          {"fields", FieldsJson(summary.fields)},
          {"new", summary.fresh},
          {"seen", summary.seen},
          {"remembered", summary.remembered},
          {"bytes_per_document", summary.bytes_per_document},
          {"table_bytes", summary.table_bytes},
          {"table_bytes_per_document", TableBytesEach(summary)},
          {"id_bytes", summary.id_bytes},
          {"design", summary.design},
          {"sketch", summary.sketch},
          {"seconds", summary.seconds},
          {"peak_memory_bytes", summary.peak_memory_bytes},
          {"state", request.filter.state.empty() ? Json(nullptr) : Json(request.filter.state)},
          {"output", request.output.empty() ? Json(nullptr) : Json(request.output)}};
}

Json ToJson(const CrumbsSummary& summary, const Request& request) {
  Json records = ReadRecords(summary.records);
  records["skipped_inputs"] = summary.records.skipped_inputs;
  records["left_out_inputs"] = summary.records.left_out_inputs;
  return {{"records", records},
          {"fields", FieldsJson(summary.fields)},
          {"duplicates", summary.records.removed_exact + summary.records.removed_near},
          {"without_url", summary.without_url},
          {"markup", summary.markup},
          {"rules", summary.rules},
          {"left_out", summary.left_out},
          {"fetches_saved", summary.fetches_saved},
          {"design", summary.design},
          {"seconds", summary.seconds},
          {"peak_memory_bytes", summary.peak_memory_bytes},
          {"peak_scratch_bytes", summary.peak_scratch_bytes},
          {"output", request.output}};
}

std::string ToText(const FilterSummary& summary, const Request& request) {
  std::string text =
      fmt::format("{} of {} were seen before, by sketches alone\n", Count(summary.seen),
                  Count(summary.fresh + summary.seen, "document"));
  text += FieldsRow(summary.fields);
  text += OddRecords(summary.records);
  text += Row("design", fmt::format("{} of {}", summary.design, summary.sketch));
  text += Row("remembers", fmt::format("{} in {} each, {} with lookups, and {} of ids",
                                       Count(summary.remembered, "document"),
                                       Bytes(static_cast<double>(summary.bytes_per_document)),
                                       Bytes(TableBytesEach(summary)),
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
