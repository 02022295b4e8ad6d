#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <filesystem>
#include <fstream>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

using testing::FreshFolder;
using testing::ReadAll;
using testing::ReadResult;

using Table = std::shared_ptr<arrow::Table>;
using Array = std::shared_ptr<arrow::Array>;

constexpr Format kFormats[] = {Format::kParquet, Format::kArrowFile, Format::kArrowStream};

void WriteIpc(const Table& table, Format format, int64_t rows,
              const std::shared_ptr<arrow::io::FileOutputStream>& out, bool compress) {
  auto options = arrow::ipc::IpcWriteOptions::Defaults();
  if (compress) options.codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
  auto writer =
      (format == Format::kArrowFile ? arrow::ipc::MakeFileWriter(out, table->schema(), options)
                                    : arrow::ipc::MakeStreamWriter(out, table->schema(), options))
          .ValueOrDie();
  ASSERT_TRUE(writer->WriteTable(*table, rows).ok());
  ASSERT_TRUE(writer->Close().ok());
}

// Writes a file with `rows` rows in each row group or batch.
InputFile Write(const Table& table, Format format, int64_t rows = 1 << 20, bool compress = false) {
  InputFile file;
  file.name = "a.columnar";
  file.path = FreshFolder() + "/" + file.name;
  file.format = format;
  auto out = arrow::io::FileOutputStream::Open(file.path).ValueOrDie();
  if (format == Format::kParquet) {
    const auto properties =
        parquet::WriterProperties::Builder().max_row_group_length(rows)->build();
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    EXPECT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), out, rows,
                                           properties, arrow_properties)
                    .ok());
  } else {
    WriteIpc(table, format, rows, out, compress);
  }
  EXPECT_TRUE(out->Close().ok());
  file.size = std::filesystem::file_size(file.path);
  return file;
}

template <class Builder, class Value>
Array Build(const std::vector<std::optional<Value>>& values,
            const std::shared_ptr<arrow::DataType>& type) {
  auto builder = arrow::MakeBuilder(type).ValueOrDie();
  for (const auto& value : values) {
    const arrow::Status status =
        value ? static_cast<Builder&>(*builder).Append(*value) : builder->AppendNull();
    EXPECT_TRUE(status.ok());
  }
  return builder->Finish().ValueOrDie();
}

using Strings = std::vector<std::optional<std::string>>;

Array Text(const Strings& values) { return Build<arrow::StringBuilder>(values, arrow::utf8()); }

Array TextAs(const Strings& values, const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case arrow::Type::LARGE_STRING:
      return Build<arrow::LargeStringBuilder>(values, type);
    case arrow::Type::STRING_VIEW:
      return Build<arrow::StringViewBuilder>(values, type);
    case arrow::Type::DICTIONARY: {
      const auto& values_type = static_cast<const arrow::DictionaryType&>(*type).value_type();
      return arrow::DictionaryArray::FromArrays(
                 type,
                 Build<arrow::Int32Builder>(std::vector<std::optional<int32_t>>{1, {}, 0, 1},
                                            arrow::int32()),
                 TextAs({"", "a longer text than fits inline"}, values_type))
          .ValueOrDie();
    }
    default:
      return Text(values);
  }
}

Table OneColumn(const std::string& name, const Array& array) {
  return arrow::Table::Make(arrow::schema({arrow::field(name, array->type())}), {array});
}

Table MakeTable(const std::vector<std::pair<std::string, Array>>& columns) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const auto& [name, array] : columns) {
    fields.push_back(arrow::field(name, array->type()));
    arrays.push_back(array);
  }
  return arrow::Table::Make(arrow::schema(fields), arrays);
}

TEST(Columnar, EveryTextType) {
  const Strings values = {
      "a longer text than fits inline", {}, "", "a longer text than fits inline"};
  const std::vector<std::shared_ptr<arrow::DataType>> types = {
      arrow::utf8(), arrow::large_utf8(), arrow::utf8_view(),
      arrow::dictionary(arrow::int32(), arrow::utf8()),
      arrow::dictionary(arrow::int32(), arrow::large_utf8())};
  for (const auto& type : types) {
    for (const Format format : kFormats) {
      const ReadResult result = ReadAll(Write(OneColumn("text", TextAs(values, type)), format));
      EXPECT_EQ(result.error, "") << type->ToString();
      ASSERT_EQ(result.records.size(), 4u);
      for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(result.records[i].null_text, !values[i].has_value());
        EXPECT_EQ(result.records[i].text, values[i].value_or(""));
        EXPECT_EQ(result.records[i].row, i + 1);
        EXPECT_FALSE(result.records[i].has_id);
      }
    }
  }
}

TEST(Columnar, CompressedIpcBuffers) {
  const Table table = OneColumn("text", Text({std::string(5000, 'a'), "b"}));
  for (const Format format : {Format::kArrowFile, Format::kArrowStream}) {
    const InputFile file = Write(table, format, 100, true);
    EXPECT_LT(file.size, 4000u);
    EXPECT_EQ(ReadAll(file).records.at(0).text, std::string(5000, 'a'));
  }
}

TEST(Columnar, AllNullColumns) {
  for (const Format format : kFormats) {
    const Table table =
        MakeTable({{"text", std::make_shared<arrow::NullArray>(3)}, {"id", Text({{}, {}, {}})}});
    const ReadResult result = ReadAll(Write(table, format));
    ASSERT_EQ(result.records.size(), 3u) << result.error;
    for (const auto& record : result.records) {
      EXPECT_TRUE(record.null_text);
      EXPECT_FALSE(record.has_id);
    }
  }
}

TEST(Columnar, IdsOfEveryType) {
  const Array text = Text({"t", "u"});
  const auto ids = [&](const Array& id, Format format) {
    const ReadResult result = ReadAll(Write(MakeTable({{"id", id}, {"text", text}}), format));
    EXPECT_EQ(result.records.size(), 2u) << result.error;
    EXPECT_FALSE(result.records.at(1).has_id);
    return result.records.at(0).has_id ? result.records.at(0).id : "none";
  };
  for (const Format format : kFormats) {
    EXPECT_EQ(ids(Text({"x", {}}), format), "x");
    EXPECT_EQ(
        ids(Build<arrow::Int64Builder>(std::vector<std::optional<int64_t>>{-7, {}}, arrow::int64()),
            format),
        "-7");
    EXPECT_EQ(ids(Build<arrow::UInt64Builder>(std::vector<std::optional<uint64_t>>{UINT64_MAX, {}},
                                              arrow::uint64()),
                  format),
              "18446744073709551615");
    EXPECT_EQ(
        ids(Build<arrow::Int8Builder>(std::vector<std::optional<int8_t>>{5, {}}, arrow::int8()),
            format),
        "5");
    EXPECT_EQ(ids(Build<arrow::DoubleBuilder>(std::vector<std::optional<double>>{1.5, {}},
                                              arrow::float64()),
                  format),
              "1.5");
    EXPECT_EQ(ids(Build<arrow::Date32Builder>(std::vector<std::optional<int32_t>>{1, {}},
                                              arrow::date32()),
                  format),
              "1970-01-02");
    EXPECT_EQ(ids(Build<arrow::BinaryBuilder>(Strings{"b\xFF", {}}, arrow::binary()), format),
              "b\xEF\xBF\xBD");
    EXPECT_EQ(ids(Build<arrow::BooleanBuilder>(std::vector<std::optional<bool>>{true, {}},
                                               arrow::boolean()),
                  format),
              "true");
  }
}

TEST(Columnar, KeepFieldsByType) {
  const auto value = [](const Array& keep) {
    ReaderSetup setup;
    setup.file = Write(MakeTable({{"text", Text({"t"})}, {"k", keep}}), Format::kParquet);
    setup.fields.keep = "k";
    return ReadAll(setup).records.at(0).keep_field;
  };
  EXPECT_EQ(value(Text({"s"})), FieldValue(std::string("s")));
  EXPECT_EQ(value(Text({{}})), FieldValue());
  EXPECT_EQ(
      value(Build<arrow::UInt16Builder>(std::vector<std::optional<uint16_t>>{9}, arrow::uint16())),
      FieldValue(int64_t{9}));
  EXPECT_EQ(
      value(Build<arrow::FloatBuilder>(std::vector<std::optional<float>>{0.5F}, arrow::float32())),
      FieldValue(0.5));
  EXPECT_EQ(
      value(Build<arrow::BooleanBuilder>(std::vector<std::optional<bool>>{true}, arrow::boolean())),
      FieldValue(int64_t{1}));
  EXPECT_EQ(value(Build<arrow::TimestampBuilder>(std::vector<std::optional<int64_t>>{12345},
                                                 arrow::timestamp(arrow::TimeUnit::MICRO))),
            FieldValue(int64_t{12345}));
}

TEST(Columnar, NestedFieldsByDottedPath) {
  const Array inner = Text({"in", "hidden", {}});
  const Array number =
      Build<arrow::Int32Builder>(std::vector<std::optional<int32_t>>{4, 5, 6}, arrow::int32());
  // The second struct is null, whatever its children hold.
  const Array validity = Build<arrow::BooleanBuilder>(
      std::vector<std::optional<bool>>{true, false, true}, arrow::boolean());
  const auto bits = validity->data()->buffers[1];
  const Array outer = std::make_shared<arrow::StructArray>(
      arrow::struct_({arrow::field("n", arrow::int32()), arrow::field("body", arrow::utf8())}), 3,
      arrow::ArrayVector{number, inner}, bits);
  const Table table = MakeTable({{"z", Text({"1", "2", "3"})}, {"doc", outer}});
  for (const Format format : kFormats) {
    for (const ReadColumns columns : {ReadColumns::kFields, ReadColumns::kAll}) {
      ReaderSetup setup;
      setup.file = Write(table, format);
      setup.fields = {"doc.body", "doc.n", ""};
      setup.columns = columns;
      const ReadResult result = ReadAll(setup);
      ASSERT_EQ(result.records.size(), 3u) << result.error;
      EXPECT_EQ(result.records[0].text, "in");
      EXPECT_EQ(result.records[0].id, "4");
      EXPECT_TRUE(result.records[1].null_text);
      EXPECT_FALSE(result.records[1].has_id);
      EXPECT_TRUE(result.records[2].null_text);
      EXPECT_EQ(result.records[2].id, "6");
    }
  }
}

TEST(Columnar, BatchesHoldTheRowsBehindThem) {
  Strings values, ids;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(std::string(static_cast<size_t>(i % 50 == 0 ? 5000 : 2000), 'a'));
    ids.push_back(std::to_string(i));
  }
  const Table table = MakeTable({{"id", Text(ids)}, {"text", Text(values)}, {"n", Text(ids)}});
  for (const Format format : kFormats) {
    const InputFile file = Write(table, format, 300);
    const ReadLimits limits{.max_record = 4000};
    auto reader = OpenInput(file, 7, FieldPaths(), limits, ReadColumns::kAll).value();
    DocumentBatch batch;
    uint64_t row = 0, batches = 0;
    while (reader->Next(&batch).value()) {
      ++batches;
      ASSERT_NE(batch.columns, nullptr);
      EXPECT_EQ(batch.source, 7u);
      EXPECT_TRUE(batch.columns->schema()->Equals(*table->schema()));
      const auto rows = static_cast<size_t>(batch.columns->num_rows());
      EXPECT_EQ(batch.documents.size() + batch.rejections.size(), rows);
      EXPECT_LE(row % 300 + rows, 300u);  // Never across row groups.
      for (const Document& document : batch.documents) {
        EXPECT_EQ(document.id, std::to_string(document.row - 1));
        EXPECT_EQ(document.text.size(), 2000u);
      }
      for (const Rejection& rejection : batch.rejections) {
        EXPECT_EQ(rejection.row, row + static_cast<uint64_t>(rejection.columnar_row) + 1);
        EXPECT_EQ((rejection.row - 1) % 50, 0u);
        EXPECT_NE(rejection.reason.find("$<max-record>"), std::string::npos);
      }
      row += rows;
    }
    EXPECT_EQ(row, 1000u);
    EXPECT_GE(batches, 4u);
    EXPECT_EQ(batch.documents.size(), 0u);
  }
}

TEST(Columnar, ATextAsLongAsTheLimitIsRead) {
  const Table table = MakeTable({{"text", Text({"1234567890", "12345678901"})}});
  for (const Format format : kFormats) {
    const InputFile file = Write(table, format);
    const ReadLimits limits{.max_record = 10};
    auto reader = OpenInput(file, 0, FieldPaths(), limits, ReadColumns::kFields).value();
    DocumentBatch batch;
    ASSERT_TRUE(reader->Next(&batch).value());
    ASSERT_EQ(batch.documents.size(), 1u);
    EXPECT_EQ(batch.documents[0].text, "1234567890");
    EXPECT_EQ(batch.rejections.size(), 1u);
  }
}

TEST(Columnar, FieldsAloneAreReadWithoutRows) {
  const Table table = MakeTable({{"n", Text({"1"})}, {"text", Text({"t"})}});
  for (const Format format : kFormats) {
    const InputFile file = Write(table, format);
    auto reader = OpenInput(file, 0, FieldPaths(), ReadLimits(), ReadColumns::kFields).value();
    DocumentBatch batch;
    ASSERT_TRUE(reader->Next(&batch).value());
    EXPECT_EQ(batch.columns, nullptr);
    EXPECT_EQ(batch.documents.at(0).text, "t");
    EXPECT_LE(batch.bytes_read, file.size);
    EXPECT_GT(batch.bytes_read, 0u);
    EXPECT_FALSE(reader->Next(&batch).value());
  }
}

TEST(Columnar, AFileWithoutRowsYieldsItsSchema) {
  const Table table = OneColumn("text", Text({}));
  for (const Format format : kFormats) {
    const InputFile file = Write(table, format);
    auto reader = OpenInput(file, 0, FieldPaths(), ReadLimits(), ReadColumns::kAll).value();
    DocumentBatch batch;
    ASSERT_TRUE(reader->Next(&batch).value());
    ASSERT_NE(batch.columns, nullptr);
    EXPECT_TRUE(batch.columns->schema()->Equals(*table->schema()));
    EXPECT_EQ(batch.columns->num_rows(), 0);
    while (reader->Next(&batch).value()) EXPECT_TRUE(batch.documents.empty());
  }
}

TEST(Columnar, InvalidUtf8IsLeftAsItIs) {
  for (const Format format : {Format::kArrowFile, Format::kArrowStream, Format::kParquet}) {
    const ReadResult result =
        ReadAll(Write(MakeTable({{"id", Text({"\xC3"})}, {"text", Text({"a\xFF"})}}), format));
    ASSERT_EQ(result.records.size(), 1u) << result.error;
    EXPECT_EQ(result.records[0].text, "a\xFF");
    EXPECT_EQ(result.records[0].id, "\xEF\xBF\xBD");
  }
}

TEST(Columnar, TextColumnsOfOtherTypesAndNoTextColumnAreErrors) {
  const Array number =
      Build<arrow::Int32Builder>(std::vector<std::optional<int32_t>>{1}, arrow::int32());
  for (const Format format : kFormats) {
    const std::string type = ReadAll(Write(OneColumn("text", number), format)).error;
    EXPECT_NE(type.find("column \"text\" has the type int32, expected text"), std::string::npos)
        << type;
    const std::string name =
        ReadAll(Write(MakeTable({{"n", number}, {"body", Text({"t"})}}), format)).error;
    EXPECT_NE(name.find("has no column \"text\"; its columns are: n, body"), std::string::npos);
  }
}

TEST(Columnar, TruncatedAndCorruptFilesAreErrors) {
  Strings values;
  for (int i = 0; i < 2000; ++i) values.push_back("some text " + std::to_string(i * 7919));
  for (const Format format : kFormats) {
    InputFile file = Write(OneColumn("text", Text(values)), format, 500);
    std::ifstream stream(file.path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    for (const size_t cut : {bytes.size() - 1, bytes.size() - 8, bytes.size() / 2, size_t{100},
                             size_t{9}, size_t{5}}) {
      testing::WriteFile(file.path, bytes.substr(0, cut));
      const std::string error = ReadAll(file).error;
      EXPECT_NE(error.find("a.columnar: cannot be read as"), std::string::npos) << cut << error;
      EXPECT_EQ(error.find('\n'), std::string::npos);
    }
    for (size_t at = 8; at + 64 < bytes.size(); at += bytes.size() / 37) {
      std::string damaged = bytes;
      for (size_t i = 0; i < 48; ++i) damaged[at + i] = '\xEE';
      testing::WriteFile(file.path, damaged);
      ReadAll(file);  // Values may differ; it must neither crash nor hang.
    }
  }
}

// The footer stores row counts as zigzag varints; the library trusts them.
TEST(Columnar, RowsAreNotLostWhereParquetCountsThemWrong) {
  Strings values(1500, "text");
  const InputFile file = Write(OneColumn("text", Text(values)), Format::kParquet, 500);
  std::ifstream stream(file.path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  int changed = 0;
  for (const std::string count : {"\xE8\x07", "\xB8\x17"}) {  // 500 of a group, 1500 of the file.
    for (size_t at = bytes.find(count); at != bytes.npos; at = bytes.find(count, at + 1)) {
      for (const std::string other : {"\xE6\x07", "\xEA\x07", "\x82\x01"}) {
        testing::WriteFile(file.path, std::string(bytes).replace(at, 2, other));
        const ReadResult result = ReadAll(file);
        EXPECT_TRUE(!result.error.empty() || result.records.size() == 1500) << at;
        ++changed;
      }
    }
  }
  EXPECT_GE(changed, 12);
}

TEST(Columnar, ACompressedFileMustBeDecompressedFirst) {
  InputFile file = Write(OneColumn("text", Text({"t"})), Format::kParquet);
  file.codec = Codec::kGzip;
  EXPECT_NE(ReadAll(file).error.find("decompress it first"), std::string::npos);
}

TEST(Columnar, FieldsAreResolvedFromTheSchema) {
  const Array number =
      Build<arrow::Int32Builder>(std::vector<std::optional<int32_t>>{1}, arrow::int32());
  const std::vector<InputFile> files = {Write(
      MakeTable({{"id", Text({"i"})}, {"n", number}, {"body", Text({"t"})}}), Format::kParquet)};
  EXPECT_EQ(ResolveFields(files, "", "", "", ReadLimits())->text, "body");
  EXPECT_FALSE(ResolveFields(files, "none", "", "", ReadLimits()).has_value());
  EXPECT_EQ(ResolveFields(files, "", "n", "", ReadLimits())->text, "body");
}

// Checks batches within and across row groups, nulls, and rejected rows at their edges.
TEST(Columnar, ReadingGoesOnFromEveryPosition) {
  Strings ids, values;
  for (size_t i = 0; i < 2500; ++i) {
    ids.push_back(std::to_string(i));
    values.push_back(std::string(i % 700 == 699 ? 3000 : 1500 + i % 900, 'a'));
    if (i % 11 == 0) values.back().reset();
  }
  const Table table = MakeTable({{"id", Text(ids)}, {"text", Text(values)}});
  for (const Format format : kFormats) {
    for (const int64_t rows : {1000, 1 << 20}) {
      ReaderSetup setup;
      setup.file = Write(table, format, rows);
      setup.limits.max_record = 2800;
      for (const ReadColumns columns : {ReadColumns::kFields, ReadColumns::kAll}) {
        setup.columns = columns;
        const ReadResult whole = testing::ExpectSameFromEveryPosition(setup);
        EXPECT_EQ(whole.records.size(), 2500u);
        EXPECT_GT(whole.positions.size(), 5u);
      }
    }
  }
}

TEST(Columnar, PartsOfParquetFilesHaveTheirRowsOnce) {
  Strings values;
  for (size_t i = 0; i < 300; ++i)
    values.push_back(std::string(1 + i % 50, 'a') + std::to_string(i));
  ReaderSetup setup;
  setup.file = Write(OneColumn("text", Text(values)), Format::kParquet, 7);
  const ReadResult whole = ReadAll(setup);
  size_t cuts = 0;
  for (const uint64_t bytes : {1, 200, 900, 4000, 1 << 20}) {
    const std::vector<uint64_t> places = CutPlaces(setup.file, bytes);
    cuts += places.size();
    for (const uint64_t place : places) EXPECT_EQ(place % 7, 0u) << "not between row groups";
    EXPECT_EQ(testing::ReadInParts(setup, places).records, whole.records) << bytes;
  }
  EXPECT_GT(cuts, 60u);
  InputFile broken = setup.file;
  broken.path += ".none";
  EXPECT_TRUE(CutPlaces(broken, 1).empty());
  setup.file = Write(OneColumn("text", Text(values)), Format::kArrowFile, 7);
  EXPECT_TRUE(CutPlaces(setup.file, 1).empty());
}

TEST(Columnar, AnyRowMayBeTheFirst) {
  Strings values;
  for (size_t i = 0; i < 30; ++i) values.push_back(std::to_string(i));
  for (const Format format : kFormats) {
    ReaderSetup setup;
    setup.file = Write(OneColumn("text", Text(values)), format, 7);
    for (uint64_t row = 0; row <= 30; ++row) {
      setup.from = {row, row};
      const ReadResult result = ReadAll(setup);
      ASSERT_EQ(result.records.size(), 30 - row) << result.error;
      if (row == 30) continue;
      EXPECT_EQ(result.records[0].text, std::to_string(row));
      EXPECT_EQ(result.records[0].row, row + 1);
    }
    setup.from = {31, 31};
    EXPECT_NE(ReadAll(setup).error.find("has fewer than the 31 rows"), std::string::npos);
  }
}

}  // namespace
}  // namespace lookalike
