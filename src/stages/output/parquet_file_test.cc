#include "stages/output/parquet_file.h"

#include <arrow/array/concatenate.h>
#include <arrow/builder.h>
#include <arrow/io/memory.h>
#include <arrow/json/from_string.h>
#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "fault/faulty_file_system.h"
#include "io/output_stream.h"
#include "stages/output/parquet_form.h"
#include "threads/parallel.h"

namespace lookalike {
namespace {

using Rows = std::shared_ptr<arrow::RecordBatch>;

/// A column as JSON, with one of two values in each row.
struct Cells {
  std::shared_ptr<arrow::DataType> type;
  std::string even, odd;
};

/// Makes rows of many types. The first column has texts that do not repeat, of up to 1 KB, so that
/// its dictionary grows too large, and is given up, within some thousand rows.
Rows MakeRows(int64_t count, uint32_t seed = 1) {
  const std::vector<Cells> others = {
      {arrow::int64(), "7", "-8"},
      {arrow::boolean(), "true", "null"},
      {arrow::float64(), "-0.0", "0.5"},
      {arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"), "1600000000000000", "null"},
      {arrow::decimal128(12, 2), "\"12.34\"", "\"-0.01\""},
      {arrow::fixed_size_binary(3), "\"abc\"", "\"abd\""},
      {arrow::list(arrow::struct_({arrow::field("x", arrow::utf8())})), "[{\"x\":\"one\"},null]",
       "[]"},
      {arrow::map(arrow::utf8(), arrow::int32()), "[[\"k\",1]]", "null"},
      {arrow::dictionary(arrow::int32(), arrow::utf8()), "\"red\"", "\"blue\""}};
  arrow::StringBuilder texts;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    EXPECT_TRUE(texts.Append(std::to_string(seed) + std::string(seed >> 22, 't')).ok());
  }
  arrow::FieldVector fields = {arrow::field("text", arrow::utf8(), /*nullable=*/false)};
  arrow::ArrayVector columns = {texts.Finish().ValueOrDie()};
  for (const Cells& cells : others) {
    std::string json = "[";
    for (int64_t i = 0; i < count; ++i) json += (i ? "," : "") + (i % 2 ? cells.odd : cells.even);
    columns.push_back(
        arrow::json::ArrayFromJSONString(cells.type, std::string_view(json + "]")).ValueOrDie());
    fields.push_back(arrow::field("c" + std::to_string(fields.size()), cells.type,
                                  arrow::key_value_metadata({"field"}, {"metadata"})));
  }
  return arrow::RecordBatch::Make(
      arrow::schema(fields, arrow::key_value_metadata({"owner"}, {"someone"})), count,
      std::move(columns));
}

/// Divides rows into batches of `size`.
std::vector<Rows> Divide(const Rows& rows, int64_t size) {
  std::vector<Rows> parts;
  for (int64_t i = 0; i < rows->num_rows(); i += size) parts.push_back(rows->Slice(i, size));
  return parts;
}

/// Returns the file that a single writer of Parquet makes of these row groups.
std::string BySingleWriter(const ParquetForm& form, const std::vector<std::vector<Rows>>& groups) {
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  auto writer = form.NewWriter(sink).ValueOrDie();
  for (const auto& group : groups) {
    EXPECT_TRUE(writer->NewBufferedRowGroup().ok());
    for (const Rows& rows : group) EXPECT_TRUE(writer->WriteRecordBatch(*rows).ok());
  }
  EXPECT_TRUE(writer->Close().ok());
  return sink->Finish().ValueOrDie()->ToString();
}

class ParquetFileTest : public ::testing::Test {
 protected:
  void SetUp() override { path_ = ::testing::TempDir() + "lookalike_parquet_file.parquet"; }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Writes a file of these row groups.
  Status WriteFile(const std::vector<std::vector<Rows>>& groups, uint64_t waiting,
                   FileSystem& files = RealFileSystem()) const {
    LOOKALIKE_ASSIGN_OR_RETURN(auto stream, OutputStream::Create(path_, Codec::kNone, files));
    LOOKALIKE_ASSIGN_OR_RETURN(
        auto file, StartParquetFile(traits_, schema_, {.waiting = waiting},
                                    std::make_shared<ColumnarSink>(std::move(stream), path_)));
    for (const auto& group : groups) {
      for (const Rows& rows : group) {
        const std::vector<uint8_t> all(static_cast<size_t>(rows->num_rows()), 1);
        LOOKALIKE_RETURN_IF_ERROR(file->Append(RowSelection(rows, all)));
      }
      LOOKALIKE_RETURN_IF_ERROR(file->EndRowGroup());
    }
    return file->Close();
  }

  [[nodiscard]] std::string Written() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::shared_ptr<arrow::Schema> schema_ = MakeRows(1)->schema();
  ColumnarTraits traits_ = {.schema = schema_,
                            .leaves = {},
                            .row_group_rows = {},
                            .page_index = false,
                            .int96_timestamps = false,
                            .buffers = arrow::Compression::UNCOMPRESSED,
                            .footer = nullptr};
  std::string path_;
};

// Whatever waits for whom, and with or without the page indexes behind all groups.
TEST_F(ParquetFileTest, HasTheBytesOfASingleWriter) {
  const std::vector<std::vector<Rows>> groups = {
      Divide(MakeRows(5000), 400), {MakeRows(1, 2)}, Divide(MakeRows(700, 3), 7),
      {MakeRows(300, 4)},          {MakeRows(2, 5)}, {MakeRows(2000, 6)}};
  for (const bool page_index : {false, true}) {
    traits_.page_index = page_index;
    const std::string expected = BySingleWriter(FormOf(traits_, schema_).ValueOrDie(), groups);
    for (const size_t threads : {1, 2, 8}) {
      for (const uint64_t waiting : {0, 1, 100'000, 2'000'000, 1'000'000'000}) {
        SCOPED_TRACE(std::to_string(page_index) + " " + std::to_string(threads) + " " +
                     std::to_string(waiting));
        RunInArena(threads, [&] { ASSERT_TRUE(WriteFile(groups, waiting)); });
        EXPECT_TRUE(Written() == expected);
      }
    }
  }
}

TEST_F(ParquetFileTest, TimesOfTheOldFormAreTheSame) {
  traits_.int96_timestamps = true;
  const std::vector<std::vector<Rows>> groups = {{MakeRows(10)}, {MakeRows(20, 2)}};
  const std::string expected = BySingleWriter(FormOf(traits_, schema_).ValueOrDie(), groups);
  ASSERT_TRUE(WriteFile(groups, 1'000'000));
  EXPECT_TRUE(Written() == expected);
}

TEST_F(ParquetFileTest, WithoutRowsItIsThatOfASingleWriterToo) {
  for (const bool page_index : {false, true}) {
    traits_.page_index = page_index;
    ASSERT_TRUE(WriteFile({{}, {}}, 1'000'000));
    EXPECT_TRUE(Written() == BySingleWriter(FormOf(traits_, schema_).ValueOrDie(), {}));
  }
}

// Arrow writes page indexes unless it is told not to.
TEST_F(ParquetFileTest, HasAPageIndexOnlyIfTheInputHas) {
  const auto size = [&](bool page_index) {
    traits_.page_index = page_index;
    EXPECT_TRUE(WriteFile({{MakeRows(10)}}, 0));
    return Written().size();
  };
  EXPECT_LT(size(false), size(true));
}

TEST_F(ParquetFileTest, AFullDiskIsReportedWhoeverEncodes) {
  const std::vector<std::vector<Rows>> groups(8, Divide(MakeRows(2000), 500));
  for (const size_t threads : {1, 4}) {
    RunInArena(threads, [&] {
      FaultyFileSystem counting(RealFileSystem(), {});
      ASSERT_TRUE(WriteFile(groups, 100'000'000, counting));
      for (uint64_t at = 1; at <= counting.operations(); ++at) {
        FaultyFileSystem faulty(RealFileSystem(), {.at = at, .error_number = ENOSPC});
        const Status status = WriteFile(groups, 100'000'000, faulty);
        ASSERT_FALSE(status) << at;
        EXPECT_NE(status.error().what.find("free some space"), std::string::npos);
      }
    });
  }
}

}  // namespace
}  // namespace lookalike
