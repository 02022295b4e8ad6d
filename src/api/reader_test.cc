#include "lookalike/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lookalike {
namespace {

struct Seen {
  std::string input, id, text;
  uint64_t row = 0;
  bool is_null = false;
  bool operator==(const Seen&) const = default;
};

class DocumentReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = ::testing::TempDir() + "/reader_" +
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(root_);
  }

  std::string Write(const std::string& name, const std::string& content) {
    const std::string path = root_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  /// Reads everything; the first error ends it.
  Result<std::vector<Seen>> ReadAll(DocumentReader* reader) {
    std::vector<Seen> seen;
    DocumentColumns columns;
    while (true) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool any, reader->Next(&columns));
      if (!any) return seen;
      EXPECT_GT(columns.size(), 0u);
      for (size_t i = 0; i < columns.size(); ++i) {
        seen.push_back({columns.input, std::string(columns.Id(i)), std::string(columns.Text(i)),
                        columns.rows[i], columns.is_null[i] != 0});
      }
    }
  }

  std::string root_;
};

TEST_F(DocumentReaderTest, ReadsInputsInOrderAndNamesWhatItLeavesOut) {
  const std::string lines = Write(
      "a.jsonl", "{\"id\": 7, \"text\": \"one\"}\nbroken\n{\"text\": null}\n{\"text\": \"two\"}\n");
  const std::string table = Write("b.csv", "id,text\nx,three\n");
  std::vector<std::string> messages;
  Observer observer;
  observer.message = [&](std::string_view message) { messages.emplace_back(message); };
  auto reader = DocumentReader::Open({lines, table}, Options(), observer);
  ASSERT_TRUE(reader) << reader.error().what;
  EXPECT_EQ(reader->fields().text, "text");
  const auto seen = ReadAll(&*reader);
  ASSERT_TRUE(seen) << seen.error().what;
  const std::vector<Seen> expected = {{"a.jsonl", "7", "one", 1, false},
                                      {"a.jsonl", "a.jsonl:3", "", 3, true},
                                      {"a.jsonl", "a.jsonl:4", "two", 4, false},
                                      {"b.csv", "x", "three", 1, false}};
  EXPECT_EQ(*seen, expected);
  EXPECT_EQ(reader->records().in, 5u);
  EXPECT_EQ(reader->records().kept, 4u);
  EXPECT_EQ(reader->records().rejected, 1u);
  EXPECT_EQ(reader->records().null_text, 1u);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("a.jsonl:2"), std::string::npos) << messages[0];
}

TEST_F(DocumentReaderTest, GivesWhatIsComparedAsWellFormedText) {
  const std::string page =
      Write("p.html", "<html><body><p>seen</p><script>no</script></body></html>");
  const std::string broken = Write("t.txt",
                                   "a\xFF"
                                   "b");
  auto reader = DocumentReader::Open({page, broken}, Options());
  ASSERT_TRUE(reader) << reader.error().what;
  const auto seen = ReadAll(&*reader);
  ASSERT_TRUE(seen) << seen.error().what;
  ASSERT_EQ(seen->size(), 2u);
  EXPECT_EQ((*seen)[0].text.find("no"), std::string::npos);
  EXPECT_NE((*seen)[0].text.find("seen"), std::string::npos);
  EXPECT_EQ((*seen)[1].text, "a\uFFFDb");
  EXPECT_EQ(reader->records().repaired_text, 1u);
}

TEST_F(DocumentReaderTest, ErrorsAreThoseOfARun) {
  EXPECT_FALSE(DocumentReader::Open({root_ + "/none.jsonl"}, Options()));
  Options options;
  options.text_field = {"body"};
  const std::string lines = Write("a.jsonl", "{\"text\": \"one\"}\nbroken\n");
  const auto missing = DocumentReader::Open({lines}, options);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what.find("body"), std::string::npos) << missing.error().what;
  options = Options();
  options.max_errors = 0;
  auto strict = DocumentReader::Open({lines}, options);
  ASSERT_TRUE(strict);
  EXPECT_FALSE(ReadAll(&*strict));
  Observer cancelling;
  cancelling.cancelled = [] { return true; };
  auto stopped = DocumentReader::Open({lines}, Options(), cancelling);
  ASSERT_TRUE(stopped);
  const auto seen = ReadAll(&*stopped);
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().code, ErrorCode::kCancelled);
}

TEST_F(DocumentReaderTest, BadInputsAreSkippedIfAsked) {
  const std::string lines = Write("a.jsonl", "{\"text\": \"one\"}\n");
  Options options;
  options.skip_bad_inputs = true;
  auto reader = DocumentReader::Open({root_ + "/none.jsonl", lines}, options);
  ASSERT_TRUE(reader) << reader.error().what;
  const auto seen = ReadAll(&*reader);
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_EQ(seen->size(), 1u);
  EXPECT_EQ(reader->records().skipped_inputs, 1u);
}

class RowReaderTest : public DocumentReaderTest {
 protected:
  /// Reads everything: of each batch its input, then of each field its name and values.
  Result<std::vector<std::vector<std::string>>> ReadRows(RowReader* reader) {
    std::vector<std::vector<std::string>> batches;
    RowColumns columns;
    while (true) {
      LOOKALIKE_ASSIGN_OR_RETURN(const bool any, reader->Next(&columns));
      if (!any) return batches;
      std::vector<std::string>& batch = batches.emplace_back();
      batch.push_back(columns.input);
      for (const RowField& field : columns.fields) {
        batch.push_back(field.name + ":");
        EXPECT_EQ(field.offsets.size(), columns.rows.size() + 1);
        for (size_t i = 0; i + 1 < field.offsets.size(); ++i) {
          const auto begin = static_cast<size_t>(field.offsets[i]);
          batch.push_back(
              field.values.substr(begin, static_cast<size_t>(field.offsets[i + 1]) - begin));
        }
      }
    }
  }

  /// Returns the rows of one input, or nothing, with a failure, if they cannot be read.
  std::vector<std::string> RowsOf(const std::string& name, const std::string& content) {
    auto reader = RowReader::Open({Write(name, content)}, Options());
    EXPECT_TRUE(reader) << reader.error().what;
    if (!reader) return {};
    auto batches = ReadRows(&*reader);
    EXPECT_TRUE(batches) << batches.error().what;
    if (!batches || batches->size() != 1) return {};
    return batches->front();
  }
};

TEST_F(RowReaderTest, FieldsOfCsvAreTextsUnchanged) {
  EXPECT_EQ(RowsOf("a.csv", "\xEF\xBB\xBFid,\"a \"\"b\"\"\"\r\n01,\"x\ny\"\r\n\r\n ,\xFF\r\n"),
            (std::vector<std::string>{"a.csv", "id:", "01", " ", "a \"b\":", "x\ny", "\uFFFD"}));
  EXPECT_EQ(RowsOf("b.csv", "id;text\n1;a,b\n"),
            (std::vector<std::string>{"b.csv", "id:", "1", "text:", "a,b"}));
  EXPECT_EQ(RowsOf("c.csv", "id,text\n"), (std::vector<std::string>{"c.csv", "id:", "text:"}));
  EXPECT_EQ(RowsOf("d.csv", ""), (std::vector<std::string>{"d.csv"}));
}

TEST_F(RowReaderTest, QuotesInTablesWithTabsMayBeOrdinaryCharacters) {
  EXPECT_EQ(RowsOf("a.tsv", "id\ttext\n1\t\"quoted\"\n2\t\"not\n3\t\"closed\" here\n4\t\"a\tb\"\n"),
            (std::vector<std::string>{"a.tsv", "id:", "1", "2", "3", "4", "text:", "quoted",
                                      "\"not", "\"closed\" here", "a\tb"}));
  EXPECT_EQ(RowsOf("b.tsv", "id\ttext\n1\t\"two\nlines\"\n"),
            (std::vector<std::string>{"b.tsv", "id:", "1", "text:", "two\nlines"}));
}

TEST_F(RowReaderTest, ObjectsAreLinesWithoutWhatSeparatesThem) {
  EXPECT_EQ(
      RowsOf("a.jsonl", "\xEF\xBB\xBF{\"n\": 1}\n\n {\"t\": \"\xFF\"} \r\n"),
      (std::vector<std::string>{"a.jsonl", "json:", "{\"n\": 1}\n", "{\"t\": \"\uFFFD\"}\n"}));
  EXPECT_EQ(RowsOf("b.json", "[\n{\"n\":\n1},\n{\"n\": [{}]}\n]\n"),
            (std::vector<std::string>{"b.json", "json:", "{\"n\": 1}\n", "{\"n\": [{}]}\n"}));
}

TEST_F(RowReaderTest, TextsAreWholeFiles) {
  EXPECT_EQ(RowsOf("a.txt", "\xEF\xBB\xBFone\ntwo\n"),
            (std::vector<std::string>{"a.txt", "text:", "one\ntwo\n"}));
  EXPECT_EQ(RowsOf("b.txt", ""), (std::vector<std::string>{"b.txt", "text:"}));
}

TEST_F(RowReaderTest, CountsWhatItReadsAndLeavesOut) {
  auto reader = RowReader::Open(
      {Write("a.csv", "id,text\n1,a\n2\n3,b\n"), Write("b.jsonl", "{\"text\": \"c\"}\n")},
      Options());
  ASSERT_TRUE(reader) << reader.error().what;
  const auto batches = ReadRows(&*reader);
  ASSERT_TRUE(batches) << batches.error().what;
  EXPECT_EQ(batches->size(), 2u);
  EXPECT_EQ(reader->records().in, 4u);
  EXPECT_EQ(reader->records().kept, 3u);
  EXPECT_EQ(reader->records().rejected, 1u);
}

TEST_F(RowReaderTest, RefusesWhatHasNoRowsOfText) {
  for (const char* front : {"WARC/1.0\r\n", "ARROW1\0\0"}) {
    const auto reader = RowReader::Open({Write("file", front)}, Options());
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().code, ErrorCode::kUsage);
    EXPECT_NE(reader.error().what.find("library"), std::string::npos) << reader.error().what;
  }
}

}  // namespace
}  // namespace lookalike
