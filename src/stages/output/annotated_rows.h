// Rows of JSON and CSV with the la_* fields added, and otherwise byte for byte unchanged.
#ifndef LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
#define LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "lookalike/status.h"
#include "records/document_batch.h"
#include "records/passage_span.h"

namespace lookalike {

/// Names of the fields added by `--output annotated`, in order.
inline constexpr std::array<std::string_view, 5> kAnnotationFields = {
    "la_keep", "la_cluster", "la_copies", "la_duplicate_of", "la_resemblance"};

/// Names of the fields added by `passages --action annotate`.
inline constexpr std::array<std::string_view, 1> kPassageFields = {"la_passages"};

/// Fields that are added to records.
struct AddedFields {
  std::span<const std::string_view> names;
  std::string_view instead;  ///< The option that adds none, as errors mark it.
};

inline constexpr AddedFields kAnnotation = {kAnnotationFields, "$<output=copies>"};
inline constexpr AddedFields kAddedPassages = {kPassageFields, "$<action=report>"};

/// Returns the Error for an input that already has a field `name`.
Error ReservedFieldError(std::string_view name, const AddedFields& fields, std::string where);

/// Appends the JSON object `raw`, including its line end, with the fields inserted before the
/// closing brace. Returns an Error, with place `where`, if it already has one of these fields or is
/// not an object.
Status AppendAnnotatedJson(std::string* out, std::string_view raw, const Annotation& annotation,
                           const std::string& where);

/// Does the same with la_passages.
Status AppendJsonWithPassages(std::string* out, std::string_view raw, PassageSpans passages,
                              const std::string& where);

/// Appends the CSV header record with the fields' names. Errors are as above.
Status AppendAnnotatedCsvHeader(std::string* out, std::string_view header, char delimiter,
                                const AddedFields& fields, const std::string& where);

/// Appends the CSV record with the fields' values; null is an empty cell. The line end is kept.
void AppendAnnotatedCsvRow(std::string* out, std::string_view raw, char delimiter,
                           const Annotation& annotation);

/// Does the same with la_passages, as JSON.
void AppendCsvRowWithPassages(std::string* out, std::string_view raw, char delimiter,
                              PassageSpans passages);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_ANNOTATED_ROWS_H_
