// The columns of a table of pairs or neighbours.
#ifndef LOOKALIKE_RESULTS_PAIR_COLUMNS_H_
#define LOOKALIKE_RESULTS_PAIR_COLUMNS_H_

#include <arrow/type_fwd.h>

#include <memory>

#include "lookalike/sink.h"
#include "results/table_rows.h"

namespace lookalike {

/// The names of the columns for input and row of both documents.
struct PlaceNames {
  const char *source, *row, *other_source, *other_row;
};
PlaceNames PlaceNamesOf(const ResultLayout& layout);

/// Returns the columns; `places`: also input and row of both documents.
std::shared_ptr<arrow::Schema> PairSchema(const ResultLayout& layout, bool places);

/// Adds a row with these columns.
Status AddPair(const PairRow& row, const ResultLayout& layout, bool places, TableRows* rows);

}  // namespace lookalike

#endif  // LOOKALIKE_RESULTS_PAIR_COLUMNS_H_
