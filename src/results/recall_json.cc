#include "results/recall_json.h"

#include <nlohmann/json.hpp>

namespace lookalike {

nlohmann::ordered_json RecallJson(const RecallAudit& audit) {
  using Json = nlohmann::ordered_json;
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  return {{"asked", audit.asked},
          {"estimate", number(audit.estimate)},
          {"low", number(audit.low)},
          {"high", number(audit.high)},
          {"matched", number(audit.matched)},
          {"sampled_documents", audit.sampled_documents},
          {"sampled_pairs", audit.sampled_pairs},
          {"met", audit.met},
          {"left_over", audit.left_over},
          {"covers",
           {{"documents", audit.covers.documents},
            {"left_out", audit.covers.left_out},
            {"min_features", audit.covers.min_features}}}};
}

nlohmann::ordered_json FieldsJson(const FieldNames& fields) {
  using Json = nlohmann::ordered_json;
  const auto named = [](const std::string& name) { return name.empty() ? Json() : Json(name); };
  return {{"text", named(fields.text)}, {"id", named(fields.id)}};
}

}  // namespace lookalike
