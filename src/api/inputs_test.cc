#include "lookalike/inputs.h"

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "input/reader_testing.h"
#include "lookalike/lookalike.h"

namespace lookalike {
namespace {

using testing::FreshFolder;

/// Makes texts of 40 words; of every three, the second repeats the first, and the third is the
/// first with one word changed.
std::shared_ptr<arrow::Table> Texts(int64_t triples) {
  arrow::StringBuilder id, text;
  arrow::Int32Builder number;
  for (int64_t i = 0; i < 3 * triples; ++i) {
    std::string words;
    for (int word = 0; word < 40; ++word) {
      words += "w" + std::to_string(i / 3 * 40 + word) + (i % 3 == 2 && word == 39 ? "x " : " ");
    }
    EXPECT_TRUE(id.Append("d" + std::to_string(i)).ok());
    EXPECT_TRUE((i % 7 == 5 ? text.AppendNull() : text.Append(words)).ok());
    EXPECT_TRUE(number.Append(static_cast<int32_t>(i)).ok());
  }
  return arrow::Table::Make(
      arrow::schema({arrow::field("id", arrow::utf8()), arrow::field("text", arrow::utf8()),
                     arrow::field("n", arrow::int32())}),
      {id.Finish().ValueOrDie(), text.Finish().ValueOrDie(), number.Finish().ValueOrDie()});
}

Result<ArrowTable> Hand(const std::shared_ptr<arrow::Table>& table) {
  ArrowArrayStream stream = {};
  const auto reader = std::make_shared<arrow::TableBatchReader>(table);
  EXPECT_TRUE(arrow::ExportRecordBatchReader(reader, &stream).ok());
  return ArrowTable::Import(&stream);
}

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::shared_ptr<arrow::Table> ReadArrowFile(const std::string& path) {
  const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
  return arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie()->ToTable().ValueOrDie();
}

void WriteArrowFile(const arrow::Table& table, const std::string& path) {
  const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  const auto writer = arrow::ipc::MakeFileWriter(file, table.schema()).ValueOrDie();
  ASSERT_TRUE(writer->WriteTable(table).ok());
  ASSERT_TRUE(writer->Close().ok());
}

TEST(Inputs, ATableInMemoryGivesWhatAFileOfItGives) {
  const std::string folder = FreshFolder();
  const auto table = Texts(1000);
  WriteArrowFile(*table, folder + "/data.arrow");
  const auto handed = Hand(table);
  ASSERT_TRUE(handed.has_value()) << handed.error().ToString();
  EXPECT_EQ(handed->rows(), 3000U);
  const auto of_file = Dedup({folder + "/data.arrow"}, folder + "/a", Options());
  const auto of_table =
      Dedup(Inputs({"data.arrow"}, {{"data.arrow", *handed}}), folder + "/b", Options());
  ASSERT_TRUE(of_file.has_value()) << of_file.error().ToString();
  ASSERT_TRUE(of_table.has_value()) << of_table.error().ToString();
  EXPECT_GT(of_table->records.removed_exact, 500U);
  EXPECT_GT(of_table->records.removed_near, 500U);
  for (const char* name : {"removed.jsonl", "clusters.jsonl", "kept/data.arrow"}) {
    EXPECT_EQ(Contents(folder + "/a/" + name), Contents(folder + "/b/" + name)) << name;
  }
  EXPECT_TRUE(ReadArrowFile(folder + "/b/kept/data.arrow")->schema()->Equals(*table->schema()));
}

TEST(Inputs, SlicesAndChunksAreRowsLikeOthers) {
  const std::string folder = FreshFolder();
  const auto table = Texts(1000);
  const auto chunked =
      arrow::ConcatenateTables({table->Slice(0, 3), table->Slice(3, 1), table->Slice(4, 0),
                                table->Slice(4, 2000), table->Slice(2004)})
          .ValueOrDie();
  const auto whole = Hand(table), parts = Hand(chunked);
  ASSERT_TRUE(whole.has_value() && parts.has_value());
  ASSERT_TRUE(Dedup(Inputs({"t"}, {{"t", *whole}}), folder + "/a", Options()).has_value());
  ASSERT_TRUE(Dedup(Inputs({"t"}, {{"t", *parts}}), folder + "/b", Options()).has_value());
  EXPECT_EQ(Contents(folder + "/a/removed.jsonl"), Contents(folder + "/b/removed.jsonl"));
  EXPECT_TRUE(ReadArrowFile(folder + "/a/kept/t")->Equals(*ReadArrowFile(folder + "/b/kept/t")));
}

TEST(Inputs, ATableMayStandBesideFilesAndBeTheReference) {
  const std::string folder = FreshFolder();
  const auto table = Texts(50);
  WriteArrowFile(*table->Slice(0, 30), folder + "/file.arrow");
  const auto handed = Hand(table);
  ASSERT_TRUE(handed.has_value());
  Options options;
  options.against = {"known"};
  const auto pairs = Pairs(Inputs({folder + "/file.arrow"}, {{"known", *handed}}),
                           folder + "/pairs.jsonl", options);
  ASSERT_TRUE(pairs.has_value()) << pairs.error().ToString();
  EXPECT_GE(pairs->pairs, 30U);
}

TEST(Inputs, TablesAreNotResumed) {
  const auto handed = Hand(Texts(1));
  ASSERT_TRUE(handed.has_value());
  Options options;
  options.resume = true;
  const auto run = Dedup(Inputs({"t"}, {{"t", *handed}}), FreshFolder() + "/out", options);
  ASSERT_FALSE(run.has_value());
  EXPECT_NE(run.error().what.find("$<resume>"), std::string::npos);
}

TEST(Inputs, AWrongColumnIsAnErrorThatListsTheColumns) {
  const auto handed = Hand(Texts(1));
  ASSERT_TRUE(handed.has_value());
  Options options;
  options.text_field = {"no_such"};
  const auto run = Dedup(Inputs({"t"}, {{"t", *handed}}), FreshFolder() + "/out", options);
  ASSERT_FALSE(run.has_value());
  for (const char* word : {"no_such", "id", "text", "n"}) {
    EXPECT_NE(run.error().what.find(word), std::string::npos) << run.error().ToString();
  }
}

TEST(Inputs, AStreamOfArraysIsRefused) {
  ArrowArrayStream stream = {};
  arrow::Int32Builder builder;
  ASSERT_TRUE(builder.Append(1).ok());
  const auto array = std::make_shared<arrow::ChunkedArray>(builder.Finish().ValueOrDie());
  ASSERT_TRUE(arrow::ExportChunkedArray(array, &stream).ok());
  const auto table = ArrowTable::Import(&stream);
  ASSERT_FALSE(table.has_value());
  EXPECT_NE(table.error().what.find("a single array"), std::string::npos);
  EXPECT_EQ(stream.release, nullptr);
}

std::vector<std::string> TextsOf(const std::shared_ptr<arrow::Table>& table,
                                 const std::string& field) {
  const auto handed = Hand(table);
  EXPECT_TRUE(handed.has_value());
  auto column = TextColumn::Of(*handed, field);
  EXPECT_TRUE(column.has_value()) << column.error().ToString();
  const TextColumn copy = *column;
  column = InputError("gone");
  return {copy.texts().begin(), copy.texts().end()};
}

std::shared_ptr<arrow::Array> Cast(const arrow::Array& array, arrow::StringViewBuilder* builder) {
  for (int64_t i = 0; i < array.length(); ++i) {
    const auto& texts = static_cast<const arrow::StringArray&>(array);
    EXPECT_TRUE((texts.IsNull(i) ? builder->AppendNull() : builder->Append(texts.GetView(i))).ok());
  }
  return builder->Finish().ValueOrDie();
}

TEST(TextColumn, IsTheTextsOfAnyLayout) {
  const auto table = Texts(20)->Slice(1, 50);
  const std::vector<std::string> texts = TextsOf(table, "text");
  ASSERT_EQ(texts.size(), 50U);
  EXPECT_EQ(texts[0].substr(0, 6), "w0 w1 ") << "the second row of the table";
  EXPECT_EQ(texts[4], "") << "a null";

  const auto array = table->column(1)->chunk(0);
  arrow::StringViewBuilder views;
  const auto as_views = Cast(*array, &views);
  const auto nested = arrow::StructArray::Make(arrow::ArrayVector{array, as_views},
                                               std::vector<std::string>{"a", "b"})
                          .ValueOrDie();
  arrow::StringDictionaryBuilder builder;
  ASSERT_TRUE(builder.AppendArray(*array).ok());
  const std::shared_ptr<arrow::Array> words = builder.Finish().ValueOrDie();
  const auto other = arrow::Table::Make(
      arrow::schema({arrow::field("views", as_views->type()), arrow::field("in", nested->type()),
                     arrow::field("words", words->type()), arrow::field("nothing", arrow::null())}),
      arrow::ArrayVector{as_views, nested, words,
                         arrow::MakeArrayOfNull(arrow::null(), 50).ValueOrDie()});
  const std::vector<std::shared_ptr<arrow::Table>> parts = {other->Slice(0, 7), other->Slice(7)};
  const auto chunked = arrow::ConcatenateTables(parts).ValueOrDie();
  for (const char* field : {"views", "in.a", "in.b", "words"}) {
    EXPECT_EQ(TextsOf(other, field), texts) << field;
    EXPECT_EQ(TextsOf(chunked, field), texts) << field;
  }
  EXPECT_EQ(TextsOf(other, "nothing"), std::vector<std::string>(50));
  EXPECT_TRUE(TextsOf(other->Slice(0, 0), "views").empty());
}

TEST(TextColumn, TextsLieWhereTheTableHasThem) {
  const auto table = Texts(1);
  const auto handed = Hand(table);
  const auto column = TextColumn::Of(*handed, "text");
  ASSERT_TRUE(column.has_value());
  const auto& array = static_cast<const arrow::StringArray&>(*table->column(1)->chunk(0));
  EXPECT_EQ(static_cast<const void*>(column->texts()[0].data()),
            static_cast<const void*>(array.GetView(0).data()));
}

TEST(TextColumn, AnErrorSaysWhatIsThere) {
  const auto handed = Hand(Texts(1));
  const auto missing = TextColumn::Of(*handed, "body"), number = TextColumn::Of(*handed, "n");
  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().what.find("its columns are: id, text, n"), std::string::npos);
  ASSERT_FALSE(number.has_value());
  EXPECT_NE(number.error().what.find("has the type int32"), std::string::npos);
}

/// A reader that fails at its first batch.
class DeadReader : public arrow::RecordBatchReader {
 public:
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override {
    return arrow::schema({arrow::field("text", arrow::utf8())});
  }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* /*batch*/) override {
    return arrow::Status::IOError("the line is dead");
  }
};

TEST(Inputs, AnErrorOfTheProducerIsPassedOn) {
  ArrowArrayStream stream = {};
  ASSERT_TRUE(arrow::ExportRecordBatchReader(std::make_shared<DeadReader>(), &stream).ok());
  const auto table = ArrowTable::Import(&stream);
  ASSERT_FALSE(table.has_value());
  EXPECT_NE(table.error().what.find("the line is dead"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
