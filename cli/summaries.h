// Results of the commands, for people and for machines.
#ifndef LOOKALIKE_CLI_SUMMARIES_H_
#define LOOKALIKE_CLI_SUMMARIES_H_

#include <nlohmann/json.hpp>
#include <string>

#include "command_line.h"
#include "lookalike/crumbs.h"
#include "lookalike/decontaminate.h"
#include "lookalike/filter.h"
#include "lookalike/list_audit.h"
#include "lookalike/lookalike.h"
#include "lookalike/passages.h"
#include "lookalike/rethreshold.h"
#include "lookalike/sketch_file.h"
#include "lookalike/summary_json.h"

namespace lookalike::cli {

/// JSON whose keys keep their order, which is the one in the docs.
using Json = nlohmann::ordered_json;

/// Returns the summary of a run that wrote one output, with its name.
template <class Summary>
Json ToJson(const Summary& summary, const Request& request) {
  Json json = Json::parse(SummaryJson(summary));
  json["output"] = request.output;
  return json;
}

Json ToJson(const DedupSummary& summary, const Request& request);
Json ToJson(const RethresholdSummary& summary, const Request& request);
Json ToJson(const FilterSummary& summary, const Request& request);
Json ToJson(const Comparison& comparison);
Json ToJson(const DesignReport& report);
Json ToJson(const Evaluation& evaluation);
Json ToJson(const FamiliesReport& report);

std::string ToText(const DedupSummary& summary, const Request& request);
std::string ToText(const RethresholdSummary& summary, const Request& request);
std::string ToText(const PairsSummary& summary, const Request& request);
std::string ToText(const NearestSummary& summary, const Request& request);
std::string ToText(const SketchFileSummary& summary, const Request& request);
std::string ToText(const SketchMergeSummary& summary, const Request& request);
std::string ToText(const PassagesSummary& summary, const Request& request);
std::string ToText(const ContaminationSummary& summary, const Request& request);
std::string ToText(const ListAudit& audit, const Request& request);
std::string ToText(const GroupSummary& summary, const Request& request);
std::string ToText(const FilterSummary& summary, const Request& request);
std::string ToText(const CrumbsSummary& summary, const Request& request);
std::string ToText(const DesignReport& report);
std::string ToText(const Evaluation& evaluation);
std::string ToText(const WeightsSummary& summary, const Request& request);
std::string ToText(const FamiliesReport& report);

/// Returns one line if the measured recall is below what was asked, including what to do; else
/// empty.
std::string RecallWarning(const RecallAudit& audit, const Options& options);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SUMMARIES_H_
