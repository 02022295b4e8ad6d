// What the manifest and the report have alike, as JSON.
#ifndef LOOKALIKE_BATCH_RECALL_JSON_H_
#define LOOKALIKE_BATCH_RECALL_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "lookalike/lookalike.h"

namespace lookalike {

/// The object `recall` of manifest.json; figures that do not exist are null.
nlohmann::ordered_json RecallJson(const RecallAudit& audit);

/// The object `fields`; null where a run read none.
nlohmann::ordered_json FieldsJson(const FieldNames& fields);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_RECALL_JSON_H_
