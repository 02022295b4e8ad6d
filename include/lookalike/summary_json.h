// The summaries of runs as JSON. The command, Python and manifest.json use the same objects.
#ifndef LOOKALIKE_SUMMARY_JSON_H_
#define LOOKALIKE_SUMMARY_JSON_H_

#include <string>

#include "lookalike/crumbs.h"
#include "lookalike/decontaminate.h"
#include "lookalike/filter.h"
#include "lookalike/list_audit.h"
#include "lookalike/lookalike.h"
#include "lookalike/passages.h"
#include "lookalike/shards.h"
#include "lookalike/sketch_file.h"

namespace lookalike {

/// Returns a summary as one JSON object. Its members have the names of the fields of the struct,
/// except `new` for `fresh`. Figures that do not exist are null.
std::string SummaryJson(const DedupSummary& summary);
std::string SummaryJson(const PairsSummary& summary);
std::string SummaryJson(const NearestSummary& summary);
std::string SummaryJson(const SketchFileSummary& summary);
std::string SummaryJson(const SketchMergeSummary& summary);
std::string SummaryJson(const ListAudit& summary);
std::string SummaryJson(const PassagesSummary& summary);
std::string SummaryJson(const ContaminationSummary& summary);
std::string SummaryJson(const GroupSummary& summary);
std::string SummaryJson(const WeightsSummary& summary);
std::string SummaryJson(const FilterSummary& summary);
std::string SummaryJson(const CrumbsSummary& summary);

/// Returns {"stages": [{"name", "units", "done"}], "complete"}; units that are not known yet are
/// null.
std::string StatusJson(const ShardStatus& status);

/// Returns {"text": "body", "id": null}, the fields that a run reads.
std::string FieldsJson(const FieldNames& fields);

}  // namespace lookalike

#endif  // LOOKALIKE_SUMMARY_JSON_H_
