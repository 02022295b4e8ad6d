#include "summary_rows.h"

#include <fmt/format.h>

#include "quantity.h"

namespace lookalike::cli {

std::string Row(std::string_view name, std::string_view text) {
  return fmt::format("  {:<10}{}\n", name, text);
}

std::string DescribeFields(const FieldNames& fields) {
  if (fields.text.empty()) return {};
  const std::string id =
      fields.id.empty() ? "no id: documents are named by row" : fmt::format("id \"{}\"", fields.id);
  return fmt::format("text \"{}\", {}", fields.text, id);
}

std::string FieldsRow(const FieldNames& fields) {
  return fields.text.empty() ? std::string() : Row("fields", DescribeFields(fields));
}

std::string OddRecords(const RecordCounts& records) {
  constexpr const char* kTooShort = " with fewer distinct shingles than --min-features, in no pair";
  std::string text;
  if (records.reference > 0) {
    text += Row("against", Count(records.reference, "document") + " of the reference");
  }
  if (records.rejected_reference > 0) {
    text += Row("rejected", Count(records.rejected_reference, "record") + " of the reference");
  }
  if (records.rejected > 0) text += Row("rejected", Count(records.rejected, "record"));
  if (records.skipped_inputs > 0) text += Row("skipped", Count(records.skipped_inputs, "input"));
  if (records.left_out_inputs > 0) {
    text += Row("left out", Count(records.left_out_inputs, "name") +
                                " in folders (hidden, linked, excluded or repeated)");
  }
  if (records.too_short > 0) {
    text += Row("too short", Count(records.too_short, "document") + kTooShort);
  }
  if (records.too_short_reference > 0) {
    text += Row("too short",
                Count(records.too_short_reference, "document") + " of the reference" + kTooShort);
  }
  if (records.null_text > 0) {
    text += Row("no text", Count(records.null_text, "document") + " whose text is null");
  }
  if (records.repaired_text > 0) {
    text += Row("repaired", Count(records.repaired_text, "text") +
                                " with invalid UTF-8, compared with U+FFFD in its place");
  }
  if (records.repeated_ids > 0) {
    text += Row("ids", Count(records.repeated_ids, "document") + " with the id of an earlier one");
  }
  return text;
}

}  // namespace lookalike::cli
