#include <arrow/array/concatenate.h>
#include <arrow/io/file.h>
#include <arrow/ipc/message.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/scalar.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/compression.h>
#include <arrow/util/key_value_metadata.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "stages/output/writer.h"

namespace lookalike {
namespace {

namespace fs = std::filesystem;
using arrow::Compression;
using Table = std::shared_ptr<arrow::Table>;

/// Makes a table of nested, dictionary, timestamp, decimal and null-ridden columns.
Table MakeTable(int64_t rows) {
  struct Column {
    std::shared_ptr<arrow::DataType> type;
    std::string even, odd;
  };
  auto dictionary = arrow::dictionary(arrow::int32(), arrow::utf8());
  const std::vector<Column> columns = {
      {arrow::utf8(), "\"text of a document\"", "null"},
      {arrow::int64(), "7", "-8"},
      {arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"), "1600000000000000", "null"},
      {arrow::decimal128(12, 2), "\"12.34\"", "\"-0.01\""},
      {arrow::list(arrow::struct_({arrow::field("x", arrow::float64())})), "[{\"x\":1.5},null]",
       "[]"},
      {arrow::map(arrow::utf8(), arrow::int32()), "[[\"k\",1]]", "null"},
      {dictionary, "\"red\"", "\"blue\""}};
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const Column& column : columns) {
    std::string json = "[";
    for (int64_t i = 0; i < rows; ++i) json += (i ? "," : "") + (i % 2 ? column.odd : column.even);
    arrays.push_back(
        arrow::json::ArrayFromJSONString(column.type, std::string_view(json + "]")).ValueOrDie());
    auto metadata = arrow::key_value_metadata({"field"}, {"metadata"});
    fields.push_back(arrow::field("c" + std::to_string(fields.size()), column.type, metadata));
  }
  auto metadata = arrow::key_value_metadata({"owner"}, {"someone"});
  return arrow::Table::Make(arrow::schema(fields, metadata), arrays, rows);
}

class ColumnarWriterTest : public ::testing::TestWithParam<Format> {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "lookalike_columnar_writer";
    fs::remove_all(root_);
    fs::create_directories(root_);
    in_ = root_ + "/in";
    out_ = root_ + "/sub/out";
  }
  void TearDown() override { fs::remove_all(root_); }

  InputFile Like() const { return {.path = in_, .name = "in.x", .format = GetParam()}; }

  void WriteInput(const Table& table, Compression::type codec = Compression::UNCOMPRESSED) const {
    auto file = arrow::io::FileOutputStream::Open(in_).ValueOrDie();
    if (GetParam() == Format::kParquet) {
      auto properties = parquet::WriterProperties::Builder().compression(codec)->build();
      // List items named "item" and not "element": names that a current writer would change.
      auto arrow_properties = parquet::ArrowWriterProperties::Builder()
                                  .store_schema()
                                  ->disable_compliant_nested_types()
                                  ->build();
      ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file, 40,
                                             properties, arrow_properties)
                      .ok());
      return;
    }
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    if (codec != Compression::UNCOMPRESSED) {
      options.codec = arrow::util::Codec::Create(codec).ValueOrDie();
    }
    auto writer = (GetParam() == Format::kArrowFile
                       ? arrow::ipc::MakeFileWriter(file, table->schema(), options)
                       : arrow::ipc::MakeStreamWriter(file, table->schema(), options))
                      .ValueOrDie();
    ASSERT_TRUE(writer->WriteTable(*table, 40).ok());
    ASSERT_TRUE(writer->Close().ok());
  }

  Table ReadBack(const std::string& path) const {
    auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
    if (GetParam() == Format::kParquet) {
      std::unique_ptr<parquet::arrow::FileReader> reader;
      parquet::arrow::FileReaderBuilder builder;
      PARQUET_THROW_NOT_OK(builder.Open(file));
      PARQUET_THROW_NOT_OK(builder.Build(&reader));
      return reader->GetRecordBatchReader().ValueOrDie()->ToTable().ValueOrDie();
    }
    if (GetParam() == Format::kArrowFile) {
      return arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie()->ToTable().ValueOrDie();
    }
    return arrow::ipc::RecordBatchStreamReader::Open(file).ValueOrDie()->ToTable().ValueOrDie();
  }

  /// Returns the table in batches of at most `piece` rows; every row r with r % 10 == 9 is a
  /// rejection.
  static std::vector<DocumentBatch> Batches(const Table& table, int64_t piece) {
    std::vector<DocumentBatch> batches;
    arrow::TableBatchReader reader(table);
    reader.set_chunksize(piece);
    std::shared_ptr<arrow::RecordBatch> columns;
    uint64_t row = 0;
    while (reader.ReadNext(&columns).ok() && columns) {
      DocumentBatch& batch = batches.emplace_back();
      batch.columns = columns;
      for (int64_t i = 0; i < columns->num_rows(); ++i, ++row) {
        if (row % 10 == 9) {
          batch.rejections.push_back({row + 1, "bad", {}, i});
        } else {
          batch.documents.emplace_back().row = row + 1;
        }
      }
    }
    if (batches.empty()) {
      batches.emplace_back().columns = arrow::RecordBatch::MakeEmpty(table->schema()).ValueOrDie();
    }
    return batches;
  }

  static bool Keeps(const Document& document) { return document.row % 3 != 0; }

  static Status WriteKept(RecordWriter* writer, const std::vector<DocumentBatch>& batches) {
    for (const DocumentBatch& batch : batches) {
      std::vector<uint8_t> keep;
      for (const Document& document : batch.documents) keep.push_back(Keeps(document));
      LOOKALIKE_RETURN_IF_ERROR(writer->AppendKept(batch, keep));
    }
    return writer->Close();
  }

  /// Returns the rows of `table` whose numbers (from 0) are `wanted`, found without any filter.
  template <class Predicate>
  static Table Pick(const Table& table, Predicate wanted) {
    std::vector<Table> rows = {table->Slice(0, 0)};
    for (int64_t i = 0; i < table->num_rows(); ++i) {
      if (wanted(i)) rows.push_back(table->Slice(i, 1));
    }
    return arrow::ConcatenateTables(rows).ValueOrDie();
  }

  std::string root_, in_, out_;
};

INSTANTIATE_TEST_SUITE_P(Formats, ColumnarWriterTest,
                         ::testing::Values(Format::kParquet, Format::kArrowFile,
                                           Format::kArrowStream));

TEST_P(ColumnarWriterTest, KeptRowsEqualTheInputFiltered) {
  for (int64_t rows : {0, 1, 3, 100}) {
    WriteInput(MakeTable(rows));
    Table input = ReadBack(in_);
    Table expected = Pick(input, [](int64_t i) { return i % 10 != 9 && (i + 1) % 3 != 0; });
    for (int64_t piece : {7, 64}) {
      auto writer = CreateWriter(Like(), out_);
      ASSERT_TRUE(writer);
      ASSERT_TRUE(WriteKept(writer->get(), Batches(input, piece)));
      Table kept = ReadBack(out_);
      EXPECT_TRUE(kept->schema()->Equals(*input->schema(), /*check_metadata=*/true));
      EXPECT_TRUE(kept->Equals(*expected)) << rows << " rows in pieces of " << piece;
    }
  }
}

TEST_P(ColumnarWriterTest, RejectedRowsAreTheOthers) {
  WriteInput(MakeTable(100));
  Table input = ReadBack(in_);
  auto writer = CreateWriter(Like(), out_);
  ASSERT_TRUE(writer);
  for (const DocumentBatch& batch : Batches(input, 7)) {
    ASSERT_TRUE((*writer)->AppendRejected(batch));
  }
  ASSERT_TRUE((*writer)->Close());
  EXPECT_TRUE(ReadBack(out_)->Equals(*Pick(input, [](int64_t i) { return i % 10 == 9; })));
}

TEST_P(ColumnarWriterTest, AnnotatedRowsHaveFiveMoreColumns) {
  WriteInput(MakeTable(100));
  Table input = ReadBack(in_);
  auto writer = CreateWriter(Like(), out_);
  ASSERT_TRUE(writer);
  for (const DocumentBatch& batch : Batches(input, 33)) {
    std::vector<Annotation> annotations;
    for (const Document& document : batch.documents) {
      Annotation& annotation = annotations.emplace_back();
      annotation.cluster = document.row % 4;
      if (Keeps(document)) continue;
      annotation.keep = false;
      annotation.duplicate_of = "bad \xFF";
      annotation.resemblance = 0.875;
    }
    ASSERT_TRUE((*writer)->AppendAnnotated(batch, annotations));
  }
  ASSERT_TRUE((*writer)->Close());
  Table result = ReadBack(out_)->CombineChunks().ValueOrDie();
  ASSERT_EQ(result->num_columns(), input->num_columns() + 5);
  Table expected = Pick(input, [](int64_t i) { return i % 10 != 9; });
  ASSERT_EQ(result->num_rows(), 90);
  for (int i = 0; i < input->num_columns(); ++i) {
    EXPECT_TRUE(result->column(i)->Equals(*expected->column(i))) << i;
  }
  EXPECT_TRUE(result->schema()->metadata()->Equals(*input->schema()->metadata()));
  auto cell = [&](const char* name, int64_t row) {
    return result->GetColumnByName(name)->GetScalar(row).ValueOrDie()->ToString();
  };
  EXPECT_EQ(cell("la_keep", 0), "true");
  EXPECT_EQ(cell("la_cluster", 0), "1");
  EXPECT_EQ(cell("la_cluster", 3), "null");
  EXPECT_EQ(cell("la_copies", 2), "1");
  EXPECT_EQ(cell("la_duplicate_of", 0), "null");
  EXPECT_EQ(cell("la_resemblance", 0), "null");
  EXPECT_EQ(cell("la_keep", 2), "false");
  EXPECT_EQ(cell("la_duplicate_of", 2), "bad \xEF\xBF\xBD");
  EXPECT_EQ(cell("la_resemblance", 2), "0.875");
}

TEST_P(ColumnarWriterTest, AnnotatedRefusesColumnsOfItsNames) {
  Table table = MakeTable(3);
  table = table->RenameColumns({"text", "la_copies", "b", "c", "d", "e", "f"}).ValueOrDie();
  WriteInput(table);
  auto writer = CreateWriter(Like(), out_);
  ASSERT_TRUE(writer);
  DocumentBatch batch = Batches(ReadBack(in_), 10).front();
  Status status = (*writer)->AppendAnnotated(batch, std::vector<Annotation>(3));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, "in.x");
  EXPECT_NE(status.error().what.find("already has a field 'la_copies'"), std::string::npos);
}

TEST_P(ColumnarWriterTest, CloseAloneLeavesAnEmptyFileOfTheSchema) {
  WriteInput(MakeTable(10));
  auto writer = CreateWriter(Like(), out_);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->Close());
  Table result = ReadBack(out_);
  EXPECT_EQ(result->num_rows(), 0);
  EXPECT_TRUE(result->schema()->Equals(*ReadBack(in_)->schema(), /*check_metadata=*/true));
}

TEST_P(ColumnarWriterTest, BytesDoNotDependOnTheRun) {
  WriteInput(MakeTable(100), Compression::ZSTD);
  for (int i = 0; i < 2; ++i) {
    auto writer = CreateWriter(Like(), out_ + std::to_string(i));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(WriteKept(writer->get(), Batches(ReadBack(in_), 7)));
  }
  auto bytes = [&](int i) {
    auto file = arrow::io::ReadableFile::Open(out_ + std::to_string(i)).ValueOrDie();
    return file->Read(file->GetSize().ValueOrDie()).ValueOrDie()->ToString();
  };
  EXPECT_GT(bytes(0).size(), 100u);
  EXPECT_EQ(bytes(0), bytes(1));
}

TEST_P(ColumnarWriterTest, RefusesWhatDoesNotFit) {
  WriteInput(MakeTable(10));
  DocumentBatch batch = Batches(ReadBack(in_), 10).front();
  auto fails = [&](const DocumentBatch& given) {
    auto writer = CreateWriter(Like(), out_);
    Status status = (*writer)->AppendKept(given, std::vector<uint8_t>(given.documents.size(), 1));
    return status ? "no error" : status.error().what;
  };
  EXPECT_EQ(fails(batch), "no error");
  DocumentBatch none = batch;
  none.columns = nullptr;
  EXPECT_NE(fails(none).find("the columns differ from those of the input"), std::string::npos);
  DocumentBatch fewer = batch;
  fewer.documents.pop_back();
  EXPECT_NE(fails(fewer).find("a document or a rejection for each row"), std::string::npos);
  InputFile broken = Like();
  broken.path = root_ + "/none";
  EXPECT_FALSE(CreateWriter(broken, out_));
}

TEST_P(ColumnarWriterTest, EveryFaultIsAnErrorThatNamesTheFile) {
  WriteInput(MakeTable(100));
  auto batches = Batches(ReadBack(in_), 7);
  auto run = [&](FileSystem& files) -> Status {
    fs::remove_all(root_ + "/sub");
    LOOKALIKE_ASSIGN_OR_RETURN(auto writer, CreateWriter(Like(), out_, files));
    return WriteKept(writer.get(), batches);
  };
  FaultyFileSystem counting(RealFileSystem(), {});
  ASSERT_TRUE(run(counting));
  for (uint64_t at = 1; at <= counting.operations(); ++at) {
    FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = ENOSPC});
    Status status = run(faulty);
    ASSERT_FALSE(status) << at;
    EXPECT_FALSE(status.error().where.empty());
    EXPECT_NE(status.error().what.find("free some space"), std::string::npos);
  }
}

/// Returns the metadata of the first record batch, which holds its codec and its buffers' sizes.
std::string FirstBatchMetadata(const std::string& path, bool file_format) {
  auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  EXPECT_TRUE(file->Advance(file_format ? 8 : 0).ok());
  while (auto message = arrow::ipc::ReadMessage(file.get()).ValueOrDie()) {
    if (message->type() == arrow::ipc::MessageType::RECORD_BATCH) {
      return message->metadata()->ToString();
    }
  }
  return "";
}

TEST_P(ColumnarWriterTest, TakesOverTheCodec) {
  for (auto codec : {Compression::UNCOMPRESSED, Compression::ZSTD, Compression::LZ4_FRAME}) {
    if (GetParam() == Format::kParquet && codec == Compression::LZ4_FRAME) continue;
    WriteInput(MakeTable(40), codec);
    auto writer = CreateWriter(Like(), out_);
    ASSERT_TRUE(writer);
    DocumentBatch all;
    all.columns = Batches(ReadBack(in_), 40).front().columns;
    all.documents.resize(40);
    ASSERT_TRUE((*writer)->AppendKept(all, std::vector<uint8_t>(40, 1)));
    ASSERT_TRUE((*writer)->Close());
    if (GetParam() == Format::kParquet) {
      auto metadata = parquet::ParquetFileReader::OpenFile(out_)->metadata();
      EXPECT_EQ(metadata->RowGroup(0)->ColumnChunk(0)->compression(), codec);
    } else {
      const bool file_format = GetParam() == Format::kArrowFile;
      EXPECT_EQ(FirstBatchMetadata(out_, file_format), FirstBatchMetadata(in_, file_format));
    }
  }
}

class ParquetWriterTest : public ColumnarWriterTest {};

INSTANTIATE_TEST_SUITE_P(Formats, ParquetWriterTest, ::testing::Values(Format::kParquet));

TEST_P(ParquetWriterTest, RowGroupsFollowTheInput) {
  WriteInput(MakeTable(100));  // Row groups of 40, 40 and 20 rows.
  for (int64_t piece : {7, 100}) {
    auto writer = CreateWriter(Like(), out_);
    ASSERT_TRUE(writer);
    std::vector<DocumentBatch> batches =
        Batches(ReadBack(in_)->CombineChunks().ValueOrDie(), piece);
    ASSERT_TRUE(WriteKept(writer->get(), batches));
    auto metadata = parquet::ParquetFileReader::OpenFile(out_)->metadata();
    ASSERT_EQ(metadata->num_row_groups(), 3);
    EXPECT_EQ(metadata->RowGroup(0)->num_rows(), 24);
    EXPECT_EQ(metadata->RowGroup(1)->num_rows(), 24);
    EXPECT_EQ(metadata->RowGroup(2)->num_rows(), 12);
  }
}

TEST_P(ColumnarWriterTest, ViewColumnsDoNotRepeatTheirValues) {
  std::string json = "[";
  for (int i = 0; i < 1000; ++i) json += (i ? ",\"" : "\"") + std::string(100, 'x') + "\"";
  auto values = arrow::json::ArrayFromJSONString(arrow::utf8_view(), std::string_view(json + "]"));
  WriteInput(arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8_view())}),
                                {values.ValueOrDie()}));
  Table input = ReadBack(in_);
  auto writer = CreateWriter(Like(), out_);
  ASSERT_TRUE(writer);
  ASSERT_TRUE(WriteKept(writer->get(), Batches(input, 7)));
  Table expected = Pick(input, [](int64_t i) { return i % 10 != 9 && (i + 1) % 3 != 0; });
  EXPECT_TRUE(ReadBack(out_)->Equals(*expected));
  EXPECT_LT(fs::file_size(out_), 3 * fs::file_size(in_));
}

}  // namespace
}  // namespace lookalike
