// Rows of JSON and CSV with the la_* fields added, the rest byte for byte.
#ifndef LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
#define LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_

#include <array>
#include <string>
#include <string_view>

#include "flow/document_batch.h"
#include "lookalike/status.h"

namespace lookalike {

/// Names of the fields that `--output annotated` adds, in order.
inline constexpr std::array<std::string_view, 5> kAnnotationFields = {
    "la_keep", "la_cluster", "la_copies", "la_duplicate_of", "la_resemblance"};

/// The Error of an input that has a field `name` already.
Error ReservedFieldError(std::string_view name, std::string where);

/// Appends the JSON object `raw`, its line end included, with the fields before the closing
/// brace. An Error, of place `where`, when it has a field of such a name or is no object.
Status AppendAnnotatedJson(std::string* out, std::string_view raw, const Annotation& annotation,
                           const std::string& where);

/// Appends the CSV header record with the fields' names. Errors as above.
Status AppendAnnotatedCsvHeader(std::string* out, std::string_view header, char delimiter,
                                const std::string& where);

/// Appends the CSV record with the fields' values; null is an empty cell. The line end stays.
void AppendAnnotatedCsvRow(std::string* out, std::string_view raw, char delimiter,
                           const Annotation& annotation);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
