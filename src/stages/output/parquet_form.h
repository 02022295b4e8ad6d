// The form of a Parquet file that is written. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_PARQUET_FORM_H_
#define LOOKALIKE_STAGES_OUTPUT_PARQUET_FORM_H_

#include <arrow/type_fwd.h>
#include <parquet/arrow/writer.h>
#include <parquet/type_fwd.h>

#include <memory>

#include "stages/output/columnar_traits.h"

namespace lookalike {

/// The columns of a Parquet file, and how they are stored.
struct ParquetForm {
  std::shared_ptr<arrow::Schema> schema;
  std::shared_ptr<parquet::SchemaDescriptor> leaves;
  std::shared_ptr<parquet::WriterProperties> properties;
  std::shared_ptr<parquet::ArrowWriterProperties> arrow_properties;

  /// Returns a writer that begins a new row group only when it is told to.
  [[nodiscard]] arrow::Result<std::unique_ptr<parquet::arrow::FileWriter>> NewWriter(
      std::shared_ptr<arrow::io::OutputStream> sink) const;
};

/// Returns the form of a file of `schema`, stored as `traits` says.
arrow::Result<ParquetForm> FormOf(const ColumnarTraits& traits,
                                  const std::shared_ptr<arrow::Schema>& schema);

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_PARQUET_FORM_H_
