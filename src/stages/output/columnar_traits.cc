#include "stages/output/columnar_traits.h"

#include <arrow/io/compressed.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/message.h>
#include <arrow/ipc/reader.h>
#include <arrow/result.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "io/arrow_compression.h"
#include "io/input_bytes.h"

namespace lookalike {
namespace {

tl::unexpected<Error> FailReading(const InputFile& file) {
  if (const auto failure = StoreFailure(file)) return tl::make_unexpected(*failure);
  return CorruptError(
      "the description of the columns cannot be read; check that the file is complete",
      file.place());
}

LeafStorage StorageOf(const parquet::ColumnChunkMetaData& chunk) {
  LeafStorage storage{chunk.compression(), chunk.has_dictionary_page(), parquet::Encoding::PLAIN};
  for (parquet::Encoding::type encoding : chunk.encodings()) {
    bool special = encoding == parquet::Encoding::DELTA_BINARY_PACKED ||
                   encoding == parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY ||
                   encoding == parquet::Encoding::DELTA_BYTE_ARRAY ||
                   encoding == parquet::Encoding::BYTE_STREAM_SPLIT;
    if (special) storage.encoding = encoding;
  }
  return storage;
}

/// Reads the traits of a Parquet file. Throws parquet::ParquetException.
arrow::Status ReadParquet(const InputFile& file, ColumnarTraits* traits) {
  ARROW_ASSIGN_OR_RAISE(auto bytes, OpenForArrow(file));
  auto reader = parquet::ParquetFileReader::Open(std::move(bytes));
  std::shared_ptr<parquet::FileMetaData> metadata = reader->metadata();
  ARROW_RETURN_NOT_OK(parquet::arrow::FromParquetSchema(
      metadata->schema(), parquet::default_arrow_reader_properties(),
      metadata->key_value_metadata(), &traits->schema));
  for (int group = 0; group < metadata->num_row_groups(); ++group) {
    traits->row_group_rows.push_back(metadata->RowGroup(group)->num_rows());
  }
  for (int leaf = 0; leaf < metadata->num_columns(); ++leaf) {
    bool int96 = metadata->schema()->Column(leaf)->physical_type() == parquet::Type::INT96;
    traits->int96_timestamps = traits->int96_timestamps || int96;
  }
  // An empty row group does not show the encodings.
  auto filled = std::find_if(traits->row_group_rows.begin(), traits->row_group_rows.end(),
                             [](int64_t rows) { return rows > 0; });
  if (filled == traits->row_group_rows.end()) return arrow::Status::OK();
  auto first = metadata->RowGroup(static_cast<int>(filled - traits->row_group_rows.begin()));
  for (int column = 0; column < metadata->num_columns(); ++column) {
    auto chunk = first->ColumnChunk(column);
    traits->leaves.push_back(StorageOf(*chunk));
    traits->page_index = traits->page_index || chunk->GetOffsetIndexLocation().has_value();
  }
  return arrow::Status::OK();
}

/// A minimal reader of FlatBuffers, enough to find fields of a message that Arrow has already
/// verified.
class FlatTable {
 public:
  FlatTable(const uint8_t* data, size_t size, size_t at) : data_(data), size_(size), at_(at) {}

  static FlatTable Root(const uint8_t* data, size_t size) {
    FlatTable whole(data, size, 0);
    return {data, size, whole.Load<uint32_t>(0)};
  }

  std::optional<FlatTable> Table(size_t field) const {
    size_t place = Place(field);
    if (place == 0) return std::nullopt;
    return FlatTable(data_, size_, place + Load<uint32_t>(place));
  }

  int8_t Byte(size_t field) const {
    size_t place = Place(field);
    return place == 0 ? int8_t{0} : Load<int8_t>(place);
  }

 private:
  template <class T>
  T Load(size_t at) const {
    T value = 0;
    if (at + sizeof(T) <= size_) std::memcpy(&value, data_ + at, sizeof(T));
    return value;
  }

  /// Returns where the field is stored; 0 if it is absent.
  size_t Place(size_t field) const {
    size_t vtable = at_ - static_cast<size_t>(static_cast<int64_t>(Load<int32_t>(at_)));
    size_t slot = 4 + 2 * field;
    if (slot >= Load<uint16_t>(vtable)) return 0;
    uint16_t offset = Load<uint16_t>(vtable + slot);
    return offset == 0 ? 0 : at_ + offset;
  }

  const uint8_t* data_;
  size_t size_, at_;
};

/// Returns the codec, which Arrow's reader does not expose: it is field `compression` of the
/// RecordBatch table in the message's metadata (format/Message.fbs).
arrow::Compression::type CodecOf(const arrow::ipc::Message& message) {
  constexpr size_t kMessageHeader = 2, kBatchCompression = 3, kCompressionCodec = 0;
  auto batch =
      FlatTable::Root(message.metadata()->data(), static_cast<size_t>(message.metadata()->size()))
          .Table(kMessageHeader);
  auto compression = batch ? batch->Table(kBatchCompression) : std::nullopt;
  if (!compression) return arrow::Compression::UNCOMPRESSED;
  return compression->Byte(kCompressionCodec) == 0 ? arrow::Compression::LZ4_FRAME
                                                   : arrow::Compression::ZSTD;
}

arrow::Result<std::shared_ptr<arrow::io::InputStream>> OpenBytes(const InputFile& file) {
  ARROW_ASSIGN_OR_RAISE(auto plain, OpenForArrow(file));
  if (file.codec == Codec::kNone) return plain;
  ARROW_ASSIGN_OR_RAISE(auto codec, arrow::util::Codec::Create(ArrowCompression(file.codec)));
  // The stream shares ownership of the decompressor only, so the codec may be destroyed.
  return arrow::io::CompressedInputStream::Make(codec.get(), plain);
}

/// Reads messages up to the first record batch.
arrow::Status ReadFirstBatchCodec(arrow::io::InputStream* stream, ColumnarTraits* traits) {
  while (true) {
    ARROW_ASSIGN_OR_RAISE(auto message, arrow::ipc::ReadMessage(stream));
    if (!message) return arrow::Status::OK();
    if (message->type() == arrow::ipc::MessageType::RECORD_BATCH) {
      traits->buffers = CodecOf(*message);
      return arrow::Status::OK();
    }
  }
}

arrow::Status ReadArrow(const InputFile& file, ColumnarTraits* traits) {
  ARROW_ASSIGN_OR_RAISE(auto messages, OpenBytes(file));
  if (file.format == Format::kArrowStream) {
    ARROW_ASSIGN_OR_RAISE(auto stream, OpenBytes(file));
    ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(stream));
    traits->schema = reader->schema();
    return ReadFirstBatchCodec(messages.get(), traits);
  }
  ARROW_ASSIGN_OR_RAISE(auto whole, OpenForArrow(file));
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(whole));
  traits->schema = reader->schema();
  traits->footer = reader->metadata();
  // After the padded magic "ARROW1" the file is laid out as a stream.
  ARROW_RETURN_NOT_OK(messages->Advance(8));
  return ReadFirstBatchCodec(messages.get(), traits);
}

}  // namespace

Result<ColumnarTraits> ReadColumnarTraits(const InputFile& file) {
  ColumnarTraits traits;
  traits.buffers = arrow::Compression::UNCOMPRESSED;
  if (file.table) {
    traits.schema = file.table->schema();
    return traits;
  }
  try {
    arrow::Status read =
        file.format == Format::kParquet ? ReadParquet(file, &traits) : ReadArrow(file, &traits);
    if (!read.ok()) return FailReading(file);
  } catch (const std::exception&) {  // Parquet throws on corrupt metadata.
    return FailReading(file);
  }
  return traits;
}

}  // namespace lookalike
