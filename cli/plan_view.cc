#include "plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "lookalike/summary_json.h"
#include "quantity.h"
#include "summary_rows.h"

namespace lookalike::cli {
namespace {

constexpr size_t kMostRows = 8;

std::string WideRow(std::string_view name, std::string_view text) {
  return fmt::format("  {:<12}{}\n", name, text);
}

Json ToJson(const PlannedSearch& search) {
  return {{"design", search.design},
          {"keys", search.keys},
          {"reaches_recall", search.reaches_recall},
          {"recall_at_threshold", search.recall_at_threshold},
          {"recall", search.recall},
          {"candidates", search.candidates},
          {"seconds", search.seconds},
          {"memory_bytes", search.memory_bytes},
          {"disk_bytes", search.disk_bytes},
          {"fits", search.fits}};
}

std::string DescribeSample(const PlanReport& report) {
  if (report.read_whole) return Count(report.documents_read, "document") + ", all of them";
  return fmt::format(
      "{}, {}", Count(report.documents_read, "document"),
      report.read_front ? "only the beginning of some files" : "from all parts of the inputs");
}

/// Describes the size of the inputs; compressed inputs have two sizes.
std::string DescribeSize(const PlanReport& report) {
  const std::string stored = Bytes(static_cast<double>(report.bytes));
  if (!report.packed) return stored;
  return fmt::format("{} compressed, {}{}", stored, report.read_whole ? "" : "about ",
                     Bytes(static_cast<double>(report.plain_bytes)));
}

std::string About(const PlanReport& report, uint64_t count, std::string_view name) {
  return fmt::format("{}{}", report.read_whole ? "" : "about ", Count(count, name));
}

std::string TableRow(const PlannedSearch& search, std::string_view mark) {
  const auto bytes = [](uint64_t n) { return n == 0 ? "none" : Bytes(static_cast<double>(n)); };
  return fmt::format("{:<2}{:<22}{:>5}{:>9.4f}{:>9.4f}{:>15}{:>13}{:>10}{:>10}{}\n", mark,
                     search.design, search.keys == 0 ? "" : Count(search.keys),
                     search.recall_at_threshold, search.recall, Count(search.candidates),
                     Duration(search.seconds), bytes(search.memory_bytes), bytes(search.disk_bytes),
                     search.fits ? "" : "  too little memory");
}

/// Returns the searches worth showing, in the order of the report: the chosen one, the exact join,
/// and the cheapest.
std::vector<size_t> Shown(const PlanReport& report) {
  std::vector<size_t> all(report.searches.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto goes_first = [&](size_t i) {
    return i == report.chosen || i == report.cheapest || report.searches[i].design == "exact";
  };
  std::stable_sort(all.begin(), all.end(), [&](size_t a, size_t b) {
    if (goes_first(a) != goes_first(b)) return goes_first(a);
    return report.searches[a].seconds < report.searches[b].seconds;
  });
  all.resize(std::min(all.size(), kMostRows));
  std::sort(all.begin(), all.end());
  return all;
}

std::string Advice(const PlanReport& report) {
  const PlannedSearch& chosen = report.searches[report.chosen];
  const PlannedSearch& cheapest = report.searches[report.cheapest];
  std::string text;
  if (!chosen.reaches_recall) {
    text = fmt::format("{} does not reach the requested recall at the threshold.\n", chosen.design);
  }
  const double saved = chosen.seconds - cheapest.seconds;
  if (report.cheapest == report.chosen || saved < 0.05 * chosen.seconds) return text;
  return text +
         fmt::format("{} would take {} less CPU time: {}\n", cheapest.design, Duration(saved),
                     cheapest.design == "exact" ? "--method exact" : "--design " + cheapest.design);
}

}  // namespace

Json ToJson(const PlanReport& report, const DesignReport& evaluated) {
  Json json = ToJson(evaluated);
  const PlannedSearch& chosen = report.searches[report.chosen];
  json["fields"] = Json::parse(FieldsJson(report.fields));
  json["documents"] = report.documents;
  json["bytes"] = report.bytes;
  json["plain_bytes"] = report.plain_bytes;
  json["documents_read"] = report.documents_read;
  json["read_whole"] = report.read_whole;
  json["features"] = report.features;
  json["pairs"] = report.pairs;
  json["copy_pairs"] = report.copy_pairs;
  json["recall"] = chosen.recall;
  json["candidates"] = chosen.candidates;
  json["seconds"] = chosen.seconds;
  json["memory_bytes"] = chosen.memory_bytes;
  json["disk_bytes"] = chosen.disk_bytes;
  json["cheapest"] = report.searches[report.cheapest].design;
  json["similarity"] = Json::array();
  for (const auto& [from, pairs] : report.similarity) {
    json["similarity"].push_back(Json::array({from, pairs}));
  }
  json["searches"] = Json::array();
  for (const PlannedSearch& search : report.searches) json["searches"].push_back(ToJson(search));
  return json;
}

std::string ToText(const PlanReport& report, const Request& request) {
  const PlannedSearch& chosen = report.searches[report.chosen];
  std::string text =
      fmt::format("dedup of {} would take {} of CPU time\n",
                  About(report, report.documents, "document"), Duration(chosen.seconds));
  if (const std::string fields = DescribeFields(report.fields); !fields.empty()) {
    text += WideRow("fields", fields);
  }
  text += WideRow("sample", DescribeSample(report));
  text += WideRow(
      "size", fmt::format("{}, {:.0f} shingles a document", DescribeSize(report), report.features));
  text += WideRow("pairs", fmt::format("{} of resemblance {} or more, {} of them exact copies",
                                       About(report, report.pairs, "pair"),
                                       request.options.threshold, Count(report.copy_pairs)));
  text += WideRow("recall",
                  fmt::format("{:.4f} of these pairs, {:.4f} at the threshold, {} requested",
                              chosen.recall, chosen.recall_at_threshold, request.options.recall));
  text += WideRow("memory", Bytes(static_cast<double>(chosen.memory_bytes)) + " at the peak");
  text += WideRow("scratch", chosen.disk_bytes == 0
                                 ? "none: everything fits in memory"
                                 : Bytes(static_cast<double>(chosen.disk_bytes)) + " of files");
  text += fmt::format("\n  {:<22}{:>5}{:>9}{:>9}{:>15}{:>13}{:>10}{:>10}\n", "design", "keys",
                      "at T", "recall", "candidates", "CPU time", "memory", "scratch");
  for (const size_t i : Shown(report)) {
    text += TableRow(report.searches[i], i == report.chosen ? "*" : "");
  }
  text += "  * the search that dedup runs with these options; at T: recall at the threshold\n";
  return text + Advice(report);
}

}  // namespace lookalike::cli
