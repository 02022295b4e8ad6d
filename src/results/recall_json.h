// The parts that the manifest and the report have in common, as JSON.
#ifndef LOOKALIKE_RESULTS_RECALL_JSON_H_
#define LOOKALIKE_RESULTS_RECALL_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "lookalike/lookalike.h"

namespace lookalike {

/// Returns the object `recall` of manifest.json; figures that do not exist are null.
nlohmann::ordered_json RecallJson(const RecallAudit& audit);

/// Returns the object `fields`; null if a run read no fields.
nlohmann::ordered_json FieldsJson(const FieldNames& fields);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_RECALL_JSON_H_
