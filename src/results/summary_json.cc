#include "lookalike/summary_json.h"

#include <nlohmann/json.hpp>

#include "results/summary_parts.h"

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Adds the costs of the run, as far as this summary has them.
template <class Summary>
void AddCosts(const Summary& summary, Json* json) {
  if constexpr (requires { summary.bytes_in; }) (*json)["bytes_in"] = summary.bytes_in;
  if constexpr (requires { summary.bytes_kept; }) (*json)["bytes_kept"] = summary.bytes_kept;
  if constexpr (requires { summary.bytes_out; }) (*json)["bytes_out"] = summary.bytes_out;
  (*json)["seconds"] = summary.seconds;
  if constexpr (requires { summary.cpu_seconds; }) (*json)["cpu_seconds"] = summary.cpu_seconds;
  (*json)["peak_memory_bytes"] = summary.peak_memory_bytes;
  if constexpr (requires { summary.peak_scratch_bytes; }) {
    (*json)["peak_scratch_bytes"] = summary.peak_scratch_bytes;
  }
  if constexpr (requires { summary.predicted; }) (*json)["predicted"] = ToJson(summary.predicted);
}

/// Returns the summary of a search for pairs or neighbours; `counted` names what `count` counts.
template <class Summary>
std::string FoundJson(const char* counted, uint64_t count, const Summary& summary) {
  Json json = {{counted, count},
               {"records", SearchedJson(summary.records)},
               {"fields", ToJson(summary.fields)},
               {"recall", ToJson(summary.recall)},
               {"design", summary.design}};
  AddCosts(summary, &json);
  return TextOf(json);
}

/// Adds the kind of the stored sketches and their features.
template <class Summary>
void AddSketches(const Summary& summary, Json* json) {
  (*json)["sketch"] = summary.sketch;
  (*json)["sketch_bits"] = summary.sketch_bits;
  (*json)["features"] = summary.features;
}

}  // namespace

std::string StatusJson(const ShardStatus& status) {
  Json stages = Json::array();
  for (const ShardStage& stage : status.stages) {
    stages.push_back({{"name", stage.name},
                      {"units", stage.units ? Json(*stage.units) : Json()},
                      {"done", stage.done}});
  }
  return TextOf({{"stages", stages}, {"complete", status.complete}});
}

std::string FieldsJson(const FieldNames& fields) { return TextOf(ToJson(fields)); }

std::string SummaryJson(const DedupSummary& summary) {
  Json json = {{"records", DecidedJson(summary.records)},
               {"fields", ToJson(summary.fields)},
               {"clusters", summary.clusters},
               {"recall", ToJson(summary.recall)},
               {"design", summary.design}};
  if (!summary.exact) {
    json["exact"] = false;
    json["suggested"] = summary.suggested;
  }
  if (!summary.kept_by.empty()) json["kept_by"] = KeptByJson(summary.kept_by);
  if (summary.guarded_pairs != 0) json["guarded_pairs"] = summary.guarded_pairs;
  if (summary.decisions != 0) json["decisions"] = summary.decisions;
  AddCosts(summary, &json);
  json["bytes_per_second"] =
      summary.seconds > 0 ? static_cast<double>(summary.bytes_in) / summary.seconds : 0;
  json["resumed_units"] = summary.resumed_units;
  json["was_complete"] = summary.was_complete;
  return TextOf(json);
}

std::string SummaryJson(const PairsSummary& summary) {
  return FoundJson("pairs", summary.pairs, summary);
}

std::string SummaryJson(const NearestSummary& summary) {
  return FoundJson("neighbours", summary.neighbours, summary);
}

std::string SummaryJson(const SketchFileSummary& summary) {
  Json json = {{"documents", summary.documents},
               {"records", ReadJson(summary.records)},
               {"fields", ToJson(summary.fields)}};
  AddSketches(summary, &json);
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const SketchMergeSummary& summary) {
  Json json = {{"documents", summary.documents},
               {"merged", summary.merged},
               {"records", ReadJson(summary.records)}};
  AddSketches(summary, &json);
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const ContaminationSummary& summary) {
  Json json = ToJson(summary);
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const PassagesSummary& summary) {
  Json json = ToJson(summary);
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const ListAudit& summary) {
  Json json = ToJson(summary);
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const GroupSummary& summary) {
  Json json = {
      {"groups", summary.groups}, {"items", summary.items}, {"records", ReadJson(summary.records)}};
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const WeightsSummary& summary) {
  return TextOf({{"words", summary.words},
                 {"records", ReadJson(summary.records)},
                 {"fields", ToJson(summary.fields)}});
}

std::string SummaryJson(const FilterSummary& summary) {
  Json json = {{"records", ReadJson(summary.records)},
               {"fields", ToJson(summary.fields)},
               {"new", summary.fresh},
               {"seen", summary.seen},
               {"remembered", summary.remembered},
               {"bytes_per_document", summary.bytes_per_document},
               {"table_bytes", summary.table_bytes},
               {"table_bytes_per_document", summary.TableBytesPerDocument()},
               {"id_bytes", summary.id_bytes},
               {"design", summary.design},
               {"sketch", summary.sketch}};
  AddCosts(summary, &json);
  return TextOf(json);
}

std::string SummaryJson(const CrumbsSummary& summary) {
  Json json = {{"records", ReadJson(summary.records)},
               {"fields", ToJson(summary.fields)},
               {"duplicates", summary.records.removed_exact + summary.records.removed_near},
               {"without_url", summary.without_url},
               {"markup", summary.markup},
               {"rules", summary.rules},
               {"left_out", summary.left_out},
               {"fetches_saved", summary.fetches_saved},
               {"design", summary.design}};
  AddCosts(summary, &json);
  return TextOf(json);
}

}  // namespace lookalike
