#include "stages/input/packing.h"

#include <arrow/io/interfaces.h>
#include <arrow/ipc/reader.h>
#include <arrow/table.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>

#include "io/input_bytes.h"

namespace lookalike {
namespace {

/// Throws parquet::ParquetException.
std::unique_ptr<parquet::ParquetFileReader> OpenParquet(const InputFile& file) {
  std::shared_ptr<arrow::io::RandomAccessFile> bytes;
  PARQUET_ASSIGN_OR_THROW(bytes, OpenForArrow(file));
  return parquet::ParquetFileReader::Open(std::move(bytes));
}

StatedSize OfParquet(const InputFile& file) {
  const auto reader = OpenParquet(file);
  const auto metadata = reader->metadata();
  StatedSize size = {static_cast<uint64_t>(std::max<int64_t>(0, metadata->num_rows())), 0};
  for (int i = 0; i < metadata->num_row_groups(); ++i) {
    size.bytes +=
        static_cast<uint64_t>(std::max<int64_t>(0, metadata->RowGroup(i)->total_byte_size()));
  }
  size.bytes = std::max(size.bytes, file.size);
  return size;
}

arrow::Result<StatedSize> OfArrow(const InputFile& file) {
  ARROW_ASSIGN_OR_RAISE(const auto bytes, OpenForArrow(file));
  ARROW_ASSIGN_OR_RAISE(const auto reader, arrow::ipc::RecordBatchFileReader::Open(bytes));
  ARROW_ASSIGN_OR_RAISE(const int64_t rows, reader->CountRows());
  return StatedSize{static_cast<uint64_t>(std::max<int64_t>(0, rows)), file.size};
}

}  // namespace

double ZstdWindow(const InputFile& file) {
  std::array<std::byte, 6> front;
  const auto bytes = OpenInputBytes(file);
  if (!bytes) return 0;
  const auto size = bytes->ReadAt(0, reinterpret_cast<char*>(front.data()), front.size());
  if (!size || *size < front.size()) return 0;
  constexpr std::array kMagic = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F},
                                 std::byte{0xFD}};
  if (!std::equal(kMagic.begin(), kMagic.end(), front.begin())) return 0;
  const auto descriptor = std::to_integer<uint32_t>(front[4]);
  constexpr uint32_t kSingleSegment = 0x20;
  if ((descriptor & kSingleSegment) != 0) return INFINITY;
  const auto window = std::to_integer<uint32_t>(front[5]);
  return std::ldexp(1 + (window & 7) / 8.0, static_cast<int>(10 + (window >> 3)));
}

uint64_t LargestRowGroup(const InputFile& file) {
  if (file.format != Format::kParquet) return 0;
  int64_t largest = 0;
  try {
    const auto reader = OpenParquet(file);
    const auto metadata = reader->metadata();
    for (int i = 0; i < metadata->num_row_groups(); ++i) {
      const auto group = metadata->RowGroup(i);
      int64_t bytes = 0;
      for (int column = 0; column < group->num_columns(); ++column) {
        bytes += group->ColumnChunk(column)->total_compressed_size();
      }
      largest = std::max(largest, bytes);
    }
  } catch (const std::exception&) {
    return 0;  // the reader of its rows will report the error
  }
  return static_cast<uint64_t>(largest);
}

std::vector<uint64_t> CutPlacesOfParquet(const InputFile& file, uint64_t bytes) {
  std::vector<uint64_t> places;
  try {
    const auto reader = OpenParquet(file);
    const auto metadata = reader->metadata();
    uint64_t rows = 0, part = 0;
    for (int i = 0; i + 1 < metadata->num_row_groups(); ++i) {
      const auto group = metadata->RowGroup(i);
      if (group->num_rows() < 0 || group->total_byte_size() < 0) return {};
      rows += static_cast<uint64_t>(group->num_rows());
      part += static_cast<uint64_t>(group->total_byte_size());
      if (part < bytes || (!places.empty() && places.back() == rows)) continue;
      places.push_back(rows);
      part = 0;
    }
  } catch (const std::exception&) {
    return {};  // the reader of its rows will report the error
  }
  return places;
}

std::optional<StatedSize> StatedSizeOf(const InputFile& file) {
  if (file.table) return StatedSize{static_cast<uint64_t>(file.table->num_rows()), file.size};
  try {
    if (file.format == Format::kParquet) return OfParquet(file);
    if (file.format != Format::kArrowFile) return std::nullopt;
    const auto size = OfArrow(file);
    return size.ok() ? std::optional(*size) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;  // the reader of its rows will report the error
  }
}

}  // namespace lookalike
