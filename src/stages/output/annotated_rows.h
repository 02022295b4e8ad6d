// Rows of JSON and CSV with the la_* fields added, and otherwise byte for byte unchanged.
#ifndef LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
#define LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_

#include <array>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/document_batch.h"

namespace lookalike {

/// Names of the fields added by `--output annotated`, in order.
inline constexpr std::array<std::string_view, 5> kAnnotationFields = {
    "la_keep", "la_cluster", "la_copies", "la_duplicate_of", "la_resemblance"};

/// Returns the Error for an input that already has a field `name`.
Error ReservedFieldError(std::string_view name, std::string where);

/// Appends the JSON object `raw`, including its line end, with the fields inserted before the
/// closing brace. Returns an Error, with place `where`, if it already has one of these fields or is
/// not an object.
Status AppendAnnotatedJson(std::string* out, std::string_view raw, const Annotation& annotation,
                           const std::string& where);

/// Appends the CSV header record with the fields' names. Errors are as above.
Status AppendAnnotatedCsvHeader(std::string* out, std::string_view header, char delimiter,
                                const std::string& where);

/// Appends the CSV record with the fields' values; null is an empty cell. The line end is kept.
void AppendAnnotatedCsvRow(std::string* out, std::string_view raw, char delimiter,
                           const Annotation& annotation);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
