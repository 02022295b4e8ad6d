// The footer of a Parquet file whose row groups were encoded apart. Inside this stage only.
#ifndef LOOKALIKE_STAGES_OUTPUT_PARQUET_FOOTER_H_
#define LOOKALIKE_STAGES_OUTPUT_PARQUET_FOOTER_H_

#include <arrow/type_fwd.h>
#include <parquet/index_location.h>
#include <parquet/metadata.h>

#include <cstdint>
#include <memory>
#include <string>

#include "stages/output/parquet_form.h"
#include "stages/output/parquet_group.h"

namespace lookalike {

/// Collects the footers of files in memory, each with one row group, and puts them together to that
/// of the whole file: the footer, and the page indexes before it, that a single writer would have
/// written. (Apache Parquet format, "File format" and "Parquet page index".)
class ParquetFooter {
 public:
  explicit ParquetFooter(const ParquetForm& form);

  /// Adds the next row group, whose bytes are `shift` bytes further back in the whole file. One
  /// without rows only tells what is the same for every group.
  arrow::Status Add(const EncodedGroup& group, int64_t shift);

  /// Writes the end of the file. REQUIRES: Add() was called.
  arrow::Status Write(arrow::io::OutputStream* file);

 private:
  /// Indexes of one kind, of all columns of all row groups.
  struct Indexes {
    std::string bytes;
    parquet::IndexLocations places;  ///< Offsets are those in `bytes`.

    void Add(parquet::ColumnChunkId column, std::string_view index);
  };

  arrow::Status AddIndexes(const EncodedGroup& group, int column, int64_t shift);
  arrow::Status WriteIndexes(parquet::IndexKind kind, Indexes* indexes,
                             arrow::io::OutputStream* file);

  std::shared_ptr<parquet::SchemaDescriptor> leaves_;  // outlives the builder, which refers to it
  std::unique_ptr<parquet::FileMetaDataBuilder> builder_;
  std::shared_ptr<const arrow::KeyValueMetadata> key_values_;
  int groups_ = 0;
  Indexes columns_, offsets_;
};

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_OUTPUT_PARQUET_FOOTER_H_
