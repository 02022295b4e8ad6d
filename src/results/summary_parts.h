// The parts that summaries, manifests and reports have in common, as JSON and back.
#ifndef LOOKALIKE_RESULTS_SUMMARY_PARTS_H_
#define LOOKALIKE_RESULTS_SUMMARY_PARTS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lookalike/decontaminate.h"
#include "lookalike/list_audit.h"
#include "lookalike/lookalike.h"
#include "lookalike/passages.h"

namespace lookalike {

/// Returns the counts of a command that only reads, that also searches, or that also decides which
/// documents are kept.
nlohmann::ordered_json ReadJson(const RecordCounts& records);
nlohmann::ordered_json SearchedJson(const RecordCounts& records);
nlohmann::ordered_json DecidedJson(const RecordCounts& records);

/// Each function returns an object; figures that do not exist are null.
nlohmann::ordered_json ToJson(const RecallAudit& audit);
nlohmann::ordered_json ToJson(const FieldNames& fields);
nlohmann::ordered_json ToJson(const RunPrediction& predicted);

/// Returns the figures of an audit that do not depend on the machine.
nlohmann::ordered_json ToJson(const ListAudit& audit);
nlohmann::ordered_json ToJson(const PassagesSummary& summary);
nlohmann::ordered_json ToJson(const ContaminationSummary& summary);

/// Returns DedupSummary::kept_by as an object of counts.
nlohmann::ordered_json KeptByJson(const std::vector<std::pair<std::string, uint64_t>>& kept_by);

/// Returns what --profile writes.
nlohmann::ordered_json ProfileJson(const std::vector<StageCost>& stages);

/// The reverse of ToJson(). They throw nlohmann's exceptions for other objects.
RecallAudit RecallOf(const nlohmann::ordered_json& json);
FieldNames FieldsOf(const nlohmann::ordered_json& json);
RunPrediction PredictionOf(const nlohmann::ordered_json& json);
std::vector<std::pair<std::string, uint64_t>> KeptByOf(const nlohmann::ordered_json& json);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_SUMMARY_PARTS_H_
