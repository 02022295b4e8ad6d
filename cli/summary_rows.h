// Rows of what commands say to people at their end.
#ifndef LOOKALIKE_CLI_SUMMARY_ROWS_H_
#define LOOKALIKE_CLI_SUMMARY_ROWS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"

namespace lookalike::cli {

/// "  recall    0.998".
std::string Row(std::string_view name, std::string_view text);

/// Which fields were read; empty where the inputs have none.
std::string DescribeFields(const FieldNames& fields);

/// The row of that, if any.
std::string FieldsRow(const FieldNames& fields);

/// {"text": "body", "id": null}
nlohmann::ordered_json FieldsJson(const FieldNames& fields);

/// The rows that are there only when there is something to say.
std::string OddRecords(const RecordCounts& records);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SUMMARY_ROWS_H_
