// Rows with all their fields, as columns of text.
#ifndef LOOKALIKE_STAGES_INPUT_ROW_COLUMNS_H_
#define LOOKALIKE_STAGES_INPUT_ROW_COLUMNS_H_

#include "lookalike/reader.h"
#include "records/document_batch.h"
#include "records/input_file.h"

namespace lookalike {

/// True if the rows of a format are text that AppendRows() takes.
bool HasRowsOfText(Format format);

/// Replaces everything in `columns` but the input's name with the rows of a batch. Bytes that are
/// not UTF-8 become U+FFFD. REQUIRES: the batch was read from `file` with ReadColumns::kRows, and
/// HasRowsOfText(file.format).
void SplitRows(const DocumentBatch& batch, const InputFile& file, RowColumns* columns);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_INPUT_ROW_COLUMNS_H_
