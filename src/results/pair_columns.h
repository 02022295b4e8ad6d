// The columns of a table of pairs or neighbours.
#ifndef LOOKALIKE_RESULTS_PAIR_COLUMNS_H_
#define LOOKALIKE_RESULTS_PAIR_COLUMNS_H_

#include <arrow/type_fwd.h>

#include <memory>
#include <span>
#include <string>

#include "lookalike/sink.h"
#include "results/table_rows.h"

namespace lookalike {

/// The names of the columns for input and row of both documents.
struct PlaceNames {
  const char *source, *row, *other_source, *other_row;
};
PlaceNames PlaceNamesOf(const ResultLayout& layout);

/// Appends the member `scores` of a row in JSON, after other members; nothing without scores.
void AppendFieldScores(std::span<const FieldScore> scores, std::string* json);

/// Returns the column of scores: a structure with a member for each text field.
std::shared_ptr<arrow::Field> ScoresColumn(std::span<const std::string> text_fields);

/// Adds the cell of that column.
void AddScores(std::span<const FieldScore> scores, TableRows* rows);

/// Returns the columns; `places`: also input and row of both documents.
std::shared_ptr<arrow::Schema> PairSchema(const ResultLayout& layout, bool places);

/// Adds a row with these columns.
Status AddPair(const PairRow& row, const ResultLayout& layout, bool places, TableRows* rows);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_COLUMNS_H_
