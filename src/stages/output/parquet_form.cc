#include "stages/output/parquet_form.h"

#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/schema.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "io/arrow_memory.h"
#include "io/block_codec.h"

namespace lookalike {
namespace {

std::shared_ptr<parquet::WriterProperties> StorageProperties(
    const ColumnarTraits& traits, const parquet::SchemaDescriptor& leaves) {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(ReusedMemory());
  builder.compression(traits.leaves.empty() ? arrow::Compression::SNAPPY
                                            : traits.leaves.front().codec);
  // Arrow's default is to write one.
  if (!traits.page_index) builder.disable_write_page_index();
  builder.max_row_group_length(INT64_MAX);
  // Leaves are matched by position: names of inner groups may differ from those in the input.
  const int count = std::min(leaves.num_columns(), static_cast<int>(traits.leaves.size()));
  for (int i = 0; i < count; ++i) {
    const LeafStorage& storage = traits.leaves[static_cast<size_t>(i)];
    const auto leaf = leaves.Column(i)->path();
    builder.compression(leaf, storage.codec);
    // Uses zstd's default level; with Arrow's default of 1, files are an eighth larger.
    if (storage.codec == arrow::Compression::ZSTD) {
      builder.compression_level(leaf, UsualLevel(Codec::kZstd));
    }
    if (storage.dictionary) continue;
    builder.disable_dictionary(leaf);
    if (storage.encoding != parquet::Encoding::PLAIN) builder.encoding(leaf, storage.encoding);
  }
  return builder.build();
}

}  // namespace

arrow::Result<std::unique_ptr<parquet::arrow::FileWriter>> ParquetForm::NewWriter(
    std::shared_ptr<arrow::io::OutputStream> sink) const {
  return parquet::arrow::FileWriter::Open(*schema, ReusedMemory(), std::move(sink), properties,
                                          arrow_properties);
}

arrow::Result<ParquetForm> FormOf(const ColumnarTraits& traits,
                                  const std::shared_ptr<arrow::Schema>& schema) {
  // Keeps the names of list items as in the input instead of renaming them "element".
  parquet::ArrowWriterProperties::Builder builder;
  builder.store_schema()->disable_compliant_nested_types();
  if (traits.int96_timestamps) builder.enable_deprecated_int96_timestamps();
  ParquetForm form;
  form.schema = schema;
  form.arrow_properties = builder.build();
  ARROW_RETURN_NOT_OK(parquet::arrow::ToParquetSchema(
      schema.get(), *parquet::default_writer_properties(), *form.arrow_properties, &form.leaves));
  form.properties = StorageProperties(traits, *form.leaves);
  return form;
}

}  // namespace lookalike
