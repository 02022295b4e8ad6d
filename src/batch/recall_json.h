// The audit as JSON, the same in the manifest and in the report.
#ifndef LOOKALIKE_BATCH_RECALL_JSON_H_
#define LOOKALIKE_BATCH_RECALL_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "lookalike/lookalike.h"

namespace lookalike {

/// The object `recall` of manifest.json; figures that do not exist are null.
nlohmann::ordered_json RecallJson(const RecallAudit& audit);

}  // namespace lookalike

#endif  // LOOKALIKE_BATCH_RECALL_JSON_H_
