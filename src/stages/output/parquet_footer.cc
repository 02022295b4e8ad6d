#include "stages/output/parquet_footer.h"

#include <arrow/io/memory.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <parquet/arrow/writer.h>
#include <parquet/geospatial/statistics.h>
#include <parquet/page_index.h>
#include <parquet/properties.h>
#include <parquet/schema.h>
#include <parquet/size_statistics.h>
#include <parquet/statistics.h>

#include <map>
#include <string_view>
#include <utility>

namespace lookalike {
namespace {

/// Pages of a column by encoding, as ColumnChunkMetaDataBuilder::Finish() takes them.
struct PageCounts {
  std::map<parquet::Encoding::type, int32_t> dictionary, data;

  explicit PageCounts(const parquet::ColumnChunkMetaData& column) {
    for (const parquet::PageEncodingStats& pages : column.encoding_stats()) {
      const bool is_dictionary = pages.page_type == parquet::PageType::DICTIONARY_PAGE;
      (is_dictionary ? dictionary : data)[pages.encoding] += pages.count;
    }
  }
};

/// Describes a column of a row group as `column` does, `shift` bytes further back.
void CopyColumn(const parquet::ColumnChunkMetaData& column, int64_t shift,
                parquet::ColumnChunkMetaDataBuilder* copy) {
  if (const auto statistics = column.encoded_statistics()) {
    // Arrow does not read this back. It makes the older form of the bounds be written too.
    statistics->set_is_signed(copy->descr()->sort_order() == parquet::SortOrder::SIGNED);
    copy->SetStatistics(*statistics);
  }
  if (const auto sizes = column.size_statistics()) copy->SetSizeStatistics(*sizes);
  if (const auto places = column.geo_statistics()) {
    if (const auto encoded = places->Encode()) copy->SetGeoStatistics(*encoded);
  }
  if (column.key_value_metadata()) copy->SetKeyValueMetadata(column.key_value_metadata());
  const bool has_dictionary = column.has_dictionary_page();
  const PageCounts pages(column);
  copy->Finish(column.num_values(), has_dictionary ? column.dictionary_page_offset() + shift : -1,
               /*index_page_offset=*/-1, column.data_page_offset() + shift,
               column.total_compressed_size(), column.total_uncompressed_size(), has_dictionary,
               /*dictionary_fallback=*/false, pages.dictionary, pages.data);
}

arrow::Result<std::string> ReadIndex(const EncodedGroup& group,
                                     const parquet::IndexLocation& place) {
  std::string index;
  ARROW_RETURN_NOT_OK(
      group.ForEachPart(place.offset, place.length, [&](const uint8_t* data, int64_t size) {
        index.append(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
        return arrow::Status::OK();
      }));
  return index;
}

/// Returns an offset index whose pages are `shift` bytes further back.
arrow::Result<std::string> ShiftPages(std::string_view index, int64_t shift) {
  const auto pages =
      parquet::OffsetIndex::Make(index.data(), static_cast<int64_t>(index.size()),
                                 parquet::default_reader_properties(), /*decryptor=*/nullptr);
  const auto& bytes = pages->unencoded_byte_array_data_bytes();
  const auto copy = parquet::OffsetIndexBuilder::Make();
  for (size_t i = 0; i < pages->page_locations().size(); ++i) {
    const parquet::PageLocation& page = pages->page_locations()[i];
    copy->AddPage(page.offset, page.compressed_page_size, page.first_row_index,
                  i < bytes.size() ? std::optional(bytes[i]) : std::nullopt);
  }
  copy->Finish(shift);
  ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::BufferOutputStream::Create());
  copy->WriteTo(sink.get());
  ARROW_ASSIGN_OR_RAISE(const auto written, sink->Finish());
  return written->ToString();
}

}  // namespace

ParquetFooter::ParquetFooter(const ParquetForm& form)
    : leaves_(form.leaves),
      builder_(parquet::FileMetaDataBuilder::Make(form.leaves.get(), form.properties)) {}

arrow::Status ParquetFooter::Add(const EncodedGroup& group, int64_t shift) {
  key_values_ = group.metadata->key_value_metadata();
  if (group.metadata->num_row_groups() == 0) return arrow::Status::OK();
  const auto rows = group.metadata->RowGroup(0);
  auto* const copy = builder_->AppendRowGroup();
  copy->set_num_rows(rows->num_rows());
  for (int i = 0; i < rows->num_columns(); ++i) {
    CopyColumn(*rows->ColumnChunk(i), shift, copy->NextColumnChunk());
    ARROW_RETURN_NOT_OK(AddIndexes(group, i, shift));
  }
  copy->Finish(rows->total_byte_size());
  ++groups_;
  return arrow::Status::OK();
}

arrow::Status ParquetFooter::AddIndexes(const EncodedGroup& group, int column, int64_t shift) {
  const auto chunk = group.metadata->RowGroup(0)->ColumnChunk(column);
  if (const auto place = chunk->GetColumnIndexLocation()) {
    ARROW_ASSIGN_OR_RAISE(const std::string index, ReadIndex(group, *place));
    columns_.Add({groups_, column}, index);
  }
  if (const auto place = chunk->GetOffsetIndexLocation()) {
    ARROW_ASSIGN_OR_RAISE(std::string index, ReadIndex(group, *place));
    ARROW_ASSIGN_OR_RAISE(index, ShiftPages(index, shift));
    offsets_.Add({groups_, column}, index);
  }
  return arrow::Status::OK();
}

void ParquetFooter::Indexes::Add(parquet::ColumnChunkId column, std::string_view index) {
  places.push_back(
      {column, {static_cast<int64_t>(bytes.size()), static_cast<int32_t>(index.size())}});
  bytes += index;
}

arrow::Status ParquetFooter::Write(arrow::io::OutputStream* file) {
  ARROW_RETURN_NOT_OK(WriteIndexes(parquet::IndexKind::kColumnIndex, &columns_, file));
  ARROW_RETURN_NOT_OK(WriteIndexes(parquet::IndexKind::kOffsetIndex, &offsets_, file));
  return parquet::arrow::WriteFileMetaData(*builder_->Finish(key_values_), file);
}

arrow::Status ParquetFooter::WriteIndexes(parquet::IndexKind kind, Indexes* indexes,
                                          arrow::io::OutputStream* file) {
  if (indexes->places.empty()) return arrow::Status::OK();
  ARROW_ASSIGN_OR_RAISE(const int64_t begin, file->Tell());
  for (auto& [column, place] : indexes->places) place.offset += begin;
  builder_->SetIndexLocations(kind, indexes->places);
  return file->Write(indexes->bytes.data(), static_cast<int64_t>(indexes->bytes.size()));
}

}  // namespace lookalike
