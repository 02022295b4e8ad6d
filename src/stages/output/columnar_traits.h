// The properties that a columnar output copies from its input.
#ifndef LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_
#define LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_

#include <arrow/type_fwd.h>
#include <arrow/util/type_fwd.h>
#include <parquet/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lookalike/status.h"
#include "records/input_file.h"

namespace lookalike {

/// The storage of one Parquet leaf column.
struct LeafStorage {
  arrow::Compression::type codec;
  bool dictionary;                   ///< Has a dictionary page.
  parquet::Encoding::type encoding;  ///< Encoding without a dictionary.
};

/// The storage properties of a columnar file that the values do not show.
struct ColumnarTraits {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<LeafStorage> leaves;      ///< Parquet, in schema order; empty without rows.
  std::vector<int64_t> row_group_rows;  ///< Parquet.
  bool page_index = false;              ///< Parquet.
  bool int96_timestamps = false;        ///< Parquet: the old form, as Spark writes it.
  arrow::Compression::type buffers;     ///< Arrow IPC: codec of the record batches.
  std::shared_ptr<const arrow::KeyValueMetadata> footer;  ///< Arrow file; may be null.
};

/// Reads the traits of a Parquet or Arrow IPC file, or of a table; an Error if the input is
/// neither.
Result<ColumnarTraits> ReadColumnarTraits(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_
