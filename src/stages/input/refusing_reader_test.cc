#include "stages/input/refusing_reader.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

using testing::ExpectSameFromEveryPosition;
using testing::FreshFolder;
using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;

// Refuses texts with an x in them.
std::string RefuseX(std::string_view text) {
  return text.find('x') == std::string_view::npos ? "" : "it has an x";
}

ReaderSetup SetupOf(const InputFile& file) {
  ReaderSetup setup;
  setup.file = file;
  setup.limits.text_refusal = RefuseX;
  return setup;
}

void ExpectRows(const ReadResult& result, const std::vector<std::pair<uint64_t, bool>>& rows) {
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(result.records[i].row, rows[i].first);
    EXPECT_EQ(result.records[i].rejected, rows[i].second) << rows[i].first;
  }
}

TEST(RefusingReaderTest, LinesOfJson) {
  ReaderSetup setup = SetupOf(MakeInput(
      "a.jsonl",
      "{\"text\": \"a\"}\n\n{\"text\": \"xa\"}\n{broken\n{\"text\": \"b\"}\n{\"text\": null}\n",
      Format::kJsonLines));
  const ReadResult result = ReadAll(setup);
  ExpectRows(result, {{1, false}, {3, true}, {4, true}, {5, false}, {6, false}});
  EXPECT_EQ(result.records[1].reason, "it has an x");
  EXPECT_EQ(result.records[1].raw, "{\"text\": \"xa\"}\n");
  EXPECT_NE(result.records[2].reason, "it has an x");
  EXPECT_EQ(result.records[3].text, "b");
  EXPECT_TRUE(result.records[4].null_text);
  setup.block_bytes = 20;
  ExpectSameFromEveryPosition(setup);
}

// Lines left unread are also refused when they are read.
TEST(RefusingReaderTest, UnreadLines) {
  const auto file =
      MakeInput("a.jsonl", "{\"text\": \"x\"}\n{\"text\": \"b\"}\n", Format::kJsonLines);
  auto reader = OpenReader(SetupOf(file)).value();
  DocumentBatch batch;
  ASSERT_TRUE(reader->NextUnread(&batch).value());
  ASSERT_EQ(batch.unread.ends.size(), 2u);
  batch.unread.parser->Parse(&batch);  // kept alive by nothing else
  EXPECT_TRUE(batch.unread.ends.empty());
  ASSERT_EQ(batch.documents.size(), 1u);
  EXPECT_EQ(batch.documents[0].text, "b");
  ASSERT_EQ(batch.rejections.size(), 1u);
  EXPECT_EQ(batch.rejections[0].row, 1u);
  EXPECT_EQ(batch.rejections[0].raw, "{\"text\": \"x\"}\n");
}

TEST(RefusingReaderTest, RecordsOfCsv) {
  const ReadResult result =
      ReadAll(SetupOf(MakeInput("a.csv", "text,n\na,1\n\"x\",2\nonly\nb,3\n", Format::kCsv)));
  ExpectRows(result, {{1, false}, {2, true}, {3, true}, {4, false}});
  EXPECT_EQ(result.records[1].raw, "\"x\",2\n");
}

TEST(RefusingReaderTest, ATextFile) {
  ExpectRows(ReadAll(SetupOf(MakeInput("a.txt", "abc", Format::kText))), {{1, false}});
  const ReadResult result = ReadAll(SetupOf(MakeInput("a.txt", "axc", Format::kText)));
  ExpectRows(result, {{1, true}});
  EXPECT_EQ(result.records[0].raw, "axc");
}

// Records that are not documents keep their place among the remaining documents.
TEST(RefusingReaderTest, PassThroughOfWarc) {
  const auto record = [](const std::string& type, const std::string& content) {
    return "WARC/1.0\r\nWARC-Type: " + type +
           "\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(content.size()) +
           "\r\n\r\n" + content + "\r\n\r\n";
  };
  std::string bytes;
  for (const char* text : {"x1", "a", "x2", "x3", "b", "x4"}) {
    bytes += record("metadata", text) + record("conversion", text);
  }
  bytes += record("metadata", "end");
  const auto file = MakeInput("a.warc", bytes, Format::kWarc);
  auto reader = OpenReader(SetupOf(file)).value();
  DocumentBatch batch;
  ASSERT_TRUE(reader->Next(&batch).value());
  ASSERT_EQ(batch.documents.size(), 2u);
  EXPECT_EQ(batch.rejections.size(), 4u);
  std::vector<size_t> before;
  for (const PassThrough& each : batch.pass_through) before.push_back(each.before);
  EXPECT_EQ(before, (std::vector<size_t>{0, 0, 1, 1, 1, 2, 2}));
}

// Writers find the rows of rejections in the batch's columns by their number.
TEST(RefusingReaderTest, RowsOfATable) {
  arrow::StringBuilder texts;
  for (const char* text : {"a", "x1", "b", "too long for the limit", "x2"}) {
    ASSERT_TRUE(texts.Append(text).ok());
  }
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8())}),
                                        {texts.Finish().ValueOrDie()});
  InputFile file;
  file.name = "a.arrow";
  file.path = FreshFolder() + "/a.arrow";
  file.format = Format::kArrowFile;
  auto out = arrow::io::FileOutputStream::Open(file.path).ValueOrDie();
  auto writer = arrow::ipc::MakeFileWriter(out, table->schema()).ValueOrDie();
  ASSERT_TRUE(writer->WriteTable(*table, 3).ok());
  ASSERT_TRUE(writer->Close().ok());
  ASSERT_TRUE(out->Close().ok());
  file.size = std::filesystem::file_size(file.path);
  ReaderSetup setup = SetupOf(file);
  setup.limits.max_record = 10;
  setup.columns = ReadColumns::kAll;
  auto reader = OpenReader(setup).value();
  std::vector<std::pair<uint64_t, int64_t>> rejected;
  DocumentBatch batch;
  size_t documents = 0;
  while (reader->Next(&batch).value()) {
    documents += batch.documents.size();
    for (const Rejection& each : batch.rejections) {
      rejected.emplace_back(each.row, each.columnar_row);
    }
    EXPECT_EQ(batch.columns->num_rows(), batch.documents.size() + batch.rejections.size());
  }
  EXPECT_EQ(documents, 2u);
  EXPECT_EQ(rejected, (std::vector<std::pair<uint64_t, int64_t>>{{2, 1}, {4, 0}, {5, 1}}));
}

}  // namespace
}  // namespace lookalike
