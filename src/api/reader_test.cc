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
  options.text_field = "body";
  const std::string lines = Write("a.jsonl", "{\"text\": \"one\"}\nbroken\n");
  const auto missing = DocumentReader::Open({lines}, options);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().what.find("body"), std::string::npos) << missing.error().what;
  options = Options();
  options.max_errors = 0;
  auto strict = DocumentReader::Open({lines}, options);
  ASSERT_TRUE(strict);
  EXPECT_FALSE(ReadAll(&*strict));
  Observer impatient;
  impatient.cancelled = [] { return true; };
  auto stopped = DocumentReader::Open({lines}, Options(), impatient);
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

}  // namespace
}  // namespace lookalike
