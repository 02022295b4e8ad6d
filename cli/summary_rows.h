// Rows of the summaries that commands print at their end.
#ifndef LOOKALIKE_CLI_SUMMARY_ROWS_H_
#define LOOKALIKE_CLI_SUMMARY_ROWS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lookalike/lookalike.h"

namespace lookalike::cli {

/// Returns "  recall    0.998".
std::string Row(std::string_view name, std::string_view text);

/// Describes the fields that were read; empty if the inputs have none.
std::string DescribeFields(const FieldNames& fields);

/// Returns the row with that description, if any.
std::string FieldsRow(const FieldNames& fields);

/// Returns the rows of the counts that are shown only if they are not 0.
std::string OddRecords(const RecordCounts& records);

}  // namespace lookalike::cli

#endif  // LOOKALIKE_CLI_SUMMARY_ROWS_H_
