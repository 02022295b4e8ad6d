// What a columnar output takes over from its input.
#ifndef LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_
#define LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_

#include <arrow/type_fwd.h>
#include <arrow/util/type_fwd.h>
#include <parquet/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "flow/input_file.h"
#include "lookalike/status.h"

namespace lookalike {

/// How one Parquet leaf column is stored.
struct LeafStorage {
  arrow::Compression::type codec;
  bool dictionary;                   ///< Has a dictionary page.
  parquet::Encoding::type encoding;  ///< Without dictionary.
};

/// The storage of a columnar file, as far as the values do not tell.
struct ColumnarTraits {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<LeafStorage> leaves;      ///< Parquet, in schema order; empty without rows.
  std::vector<int64_t> row_group_rows;  ///< Parquet.
  bool page_index = false;              ///< Parquet.
  bool int96_timestamps = false;        ///< Parquet: the old form, as Spark writes it.
  arrow::Compression::type buffers;     ///< Arrow IPC: of the record batches.
  std::shared_ptr<const arrow::KeyValueMetadata> footer;  ///< Arrow file; may be null.
};

/// Reads the traits of a Parquet or Arrow IPC file, or of a table; an Error when it is none.
Result<ColumnarTraits> ReadColumnarTraits(const InputFile& file);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_COLUMNAR_TRAITS_H_
