#include "results/summary_parts.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace lookalike {
namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json OrNull(const std::optional<Number>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Number>
std::optional<Number> NumberOf(const Json& value) {
  return value.is_number() ? std::optional<Number>(value.get<Number>()) : std::nullopt;
}

Json NameOrNull(const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); }

std::string NameOf(const Json& value) {
  return value.is_null() ? std::string() : value.get<std::string>();
}

/// Returns the counts of a run that looks into texts, and the fields that it read.
Json ReadInTexts(const RecordCounts& records, const FieldNames& fields) {
  return {
      {"records",
       {{"in", records.in},
        {"kept", records.kept},
        {"dropped", records.removed_near},
        {"rejected", records.rejected}}},
      {"reference", {{"documents", records.reference}, {"rejected", records.rejected_reference}}},
      {"notes",
       {{"null_text", records.null_text},
        {"repaired_text", records.repaired_text},
        {"skipped_inputs", records.skipped_inputs},
        {"left_out_inputs", records.left_out_inputs}}},
      {"fields", ToJson(fields)}};
}

}  // namespace

Json ReadJson(const RecordCounts& records) {
  return {{"in", records.in},
          {"rejected", records.rejected},
          {"null_text", records.null_text},
          {"repaired_text", records.repaired_text},
          {"skipped_inputs", records.skipped_inputs},
          {"left_out_inputs", records.left_out_inputs}};
}

Json SearchedJson(const RecordCounts& records) {
  Json json = ReadJson(records);
  json.update({{"repeated_ids", records.repeated_ids},
               {"too_short", records.too_short},
               {"too_short_reference", records.too_short_reference},
               {"reference", records.reference},
               {"rejected_reference", records.rejected_reference}});
  return json;
}

Json DecidedJson(const RecordCounts& records) {
  Json json = {{"in", records.in},
               {"kept", records.kept},
               {"removed_exact", records.removed_exact},
               {"removed_near", records.removed_near}};
  json.update(SearchedJson(records));
  return json;
}

Json ToJson(const RecallAudit& audit) {
  return {{"asked", audit.asked},
          {"estimate", OrNull(audit.estimate)},
          {"low", OrNull(audit.low)},
          {"high", OrNull(audit.high)},
          {"matched", OrNull(audit.matched)},
          {"sampled_documents", audit.sampled_documents},
          {"sampled_pairs", audit.sampled_pairs},
          {"met", audit.met},
          {"left_over", audit.left_over},
          {"covers",
           {{"documents", audit.covers.documents},
            {"left_out", audit.covers.left_out},
            {"min_features", audit.covers.min_features}}}};
}

Json ToJson(const ListAudit& audit) {
  Json json = {{"kind", NameOf(audit.kind)},   {"threshold", audit.threshold},
               {"documents", audit.documents}, {"rejected", audit.rejected},
               {"listed", audit.listed},       {"unknown", audit.unknown},
               {"repeated", audit.repeated}};
  if (audit.kind == ListKind::kPairs) {
    json["pairs"] = audit.pairs;
    json["false_pairs"] = audit.false_pairs;
    json["missed_pairs"] = audit.missed_pairs;
  } else {
    json["removed"] = audit.removed;
    json["false_removals"] = audit.false_removals;
    json["lost_with_copies"] = audit.lost_with_copies;
    json["missed"] = audit.missed;
  }
  if (audit.guarded) json["guarded"] = *audit.guarded;
  json["recall"] = ToJson(audit.recall);
  return json;
}

Json ToJson(const ContaminationSummary& summary) {
  Json json = ReadInTexts(summary.records, summary.fields);
  json["contaminated"] = summary.contaminated;
  json["found"] = summary.found;
  json["cuts"] = summary.cuts;
  json["cut_bytes"] = summary.cut_bytes;
  json["bytes_in"] = summary.bytes_in;
  Json& benchmarks = json["benchmarks"] = Json::array();
  for (const BenchmarkSummary& benchmark : summary.benchmarks) {
    benchmarks.push_back({{"name", benchmark.name},
                          {"items", benchmark.items},
                          {"too_short", benchmark.too_short},
                          {"found_items", benchmark.found_items},
                          {"found", benchmark.found}});
  }
  return json;
}

Json ToJson(const PassagesSummary& summary) {
  Json json = ReadInTexts(summary.records, summary.fields);
  json["passages"] = summary.passages;
  json["places"] = summary.places;
  const std::string units = summary.in_chars ? "chars" : "words";
  json[units] = summary.words;
  json["shared_" + units] = summary.shared_words;
  json["cuts"] = summary.cuts;
  json["cut_" + units] = summary.cut_words;
  json["cut_bytes"] = summary.cut_bytes;
  if (!summary.kept_by.empty()) json["kept_by"] = KeptByJson(summary.kept_by);
  return json;
}

Json ToJson(const FieldNames& fields) {
  return {{"text", NameOrNull(fields.text)}, {"id", NameOrNull(fields.id)}};
}

Json ToJson(const RunPrediction& predicted) {
  return {{"pairs", OrNull(predicted.pairs)},
          {"candidates", OrNull(predicted.candidates)},
          {"recall", OrNull(predicted.recall)},
          {"cpu_seconds", OrNull(predicted.cpu_seconds)},
          {"peak_memory_bytes", OrNull(predicted.memory_bytes)},
          {"peak_scratch_bytes", OrNull(predicted.disk_bytes)}};
}

Json ProfileJson(const std::vector<StageCost>& stages) {
  Json list = Json::array();
  for (const StageCost& stage : stages) {
    list.push_back({{"name", stage.name},
                    {"wall", stage.wall},
                    {"cpu", stage.cpu},
                    {"serial_cpu", stage.serial_cpu},
                    {"bytes", stage.bytes},
                    {"page_faults", stage.page_faults}});
  }
  return {{"stages", list}, {"serial_share", SerialShare(stages)}};
}

Json KeptByJson(const std::vector<std::pair<std::string, uint64_t>>& kept_by) {
  Json json = Json::object();
  for (const auto& [name, count] : kept_by) json[name] = count;
  return json;
}

std::vector<std::pair<std::string, uint64_t>> KeptByOf(const Json& json) {
  std::vector<std::pair<std::string, uint64_t>> kept_by;
  for (const auto& [name, count] : json.items()) kept_by.emplace_back(name, count);
  return kept_by;
}

RecallAudit RecallOf(const Json& json) {
  RecallAudit audit;
  audit.asked = json.at("asked");
  audit.estimate = NumberOf<double>(json.at("estimate"));
  audit.low = NumberOf<double>(json.at("low"));
  audit.high = NumberOf<double>(json.at("high"));
  audit.matched = NumberOf<double>(json.at("matched"));
  audit.sampled_documents = json.at("sampled_documents");
  audit.sampled_pairs = json.at("sampled_pairs");
  audit.left_over = json.at("left_over");
  audit.met = json.at("met");
  const Json& covers = json.at("covers");
  audit.covers = {covers.at("documents"), covers.at("left_out"), covers.at("min_features")};
  return audit;
}

FieldNames FieldsOf(const Json& json) { return {NameOf(json.at("text")), NameOf(json.at("id"))}; }

RunPrediction PredictionOf(const Json& json) {
  RunPrediction predicted;
  predicted.pairs = NumberOf<uint64_t>(json.at("pairs"));
  predicted.candidates = NumberOf<uint64_t>(json.at("candidates"));
  predicted.recall = NumberOf<double>(json.at("recall"));
  predicted.cpu_seconds = NumberOf<double>(json.at("cpu_seconds"));
  predicted.memory_bytes = NumberOf<uint64_t>(json.at("peak_memory_bytes"));
  predicted.disk_bytes = NumberOf<uint64_t>(json.at("peak_scratch_bytes"));
  return predicted;
}

}  // namespace lookalike
