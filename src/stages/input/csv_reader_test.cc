#include <gtest/gtest.h>

#include "input/reader_testing.h"
#include "stages/input/csv_record.h"

namespace lookalike {
namespace {

using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;
using testing::Record;

struct Setup {
  char delimiter = ',';
  FieldPaths fields = {};
  size_t block = kBlockBytes;
  uint64_t max_record = 256 << 20;
};

ReadResult Read(std::string_view bytes, const Setup& how = {}) {
  ReaderSetup setup;
  setup.file = MakeInput("a.csv", bytes, Format::kCsv);
  setup.file.delimiter = how.delimiter;
  setup.fields = how.fields;
  setup.block_bytes = how.block;
  setup.limits.max_record = how.max_record;
  return ReadAll(setup);
}

TEST(Csv, HeaderRowsRawBytesAndIds) {
  const ReadResult result = Read("\xEF\xBB\xBFid,text,n\r\n1,\"a,b\",5\r\n\r\n2,plain,\r\n\n3,,x");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.header, "id,text,n\r\n");
  ASSERT_EQ(result.records.size(), 3u);
  EXPECT_EQ(result.records[0].text, "a,b");
  EXPECT_EQ(result.records[0].id, "1");
  EXPECT_TRUE(result.records[0].has_id);
  EXPECT_EQ(result.records[0].row, 1u);
  EXPECT_EQ(result.records[0].raw, "1,\"a,b\",5\r\n");
  EXPECT_EQ(result.records[1].row, 2u);
  EXPECT_EQ(result.records[2].row, 3u);
  EXPECT_EQ(result.records[2].raw, "3,,x");
  EXPECT_EQ(result.records[2].text, "");
  EXPECT_FALSE(result.records[2].null_text);
}

TEST(Csv, QuotesDoubledQuotesAndLineBreaks) {
  const ReadResult result =
      Read("text\n\"say \"\"hi\"\"\"\n\"line\none\"\n\"\"\n\"\"\"\"\nmid\"dle\n\"x\"");
  ASSERT_EQ(result.records.size(), 6u);
  EXPECT_EQ(result.records[0].text, "say \"hi\"");
  EXPECT_EQ(result.records[1].text, "line\none");
  EXPECT_EQ(result.records[1].raw, "\"line\none\"\n");
  EXPECT_EQ(result.records[2].text, "");
  EXPECT_EQ(result.records[3].text, "\"");
  EXPECT_EQ(result.records[4].text, "mid\"dle");
  EXPECT_EQ(result.records[5].text, "x");
  for (const Record& record : result.records) EXPECT_FALSE(record.rejected) << record.reason;
}

TEST(Csv, OtherDelimiters) {
  for (const char delimiter : {'\t', ';', '|', ':'}) {
    const std::string d(1, delimiter);
    const ReadResult result =
        Read("id" + d + "text\n1" + d + "a,b\n2" + d + "\"" + d + "\"\n", {delimiter});
    ASSERT_EQ(result.records.size(), 2u);
    EXPECT_EQ(result.records[0].text, "a,b");
    EXPECT_EQ(result.records[1].text, d);
  }
}

TEST(Csv, AQuoteInATableWithTabsMayBeText) {
  const ReadResult result = Read(
      "id\ttext\n1\t\"never,\" he said\n2\t\"open\n3\t\"two\nlines\"\n4\t\"open too\n5\tends\"\n"
      "\"6\tat the id\n7\t\"a \"\"b\"\"\"\n8\t\"open\tmore\n9\t\"last",
      {'\t'});
  ASSERT_EQ(result.records.size(), 9u);
  EXPECT_EQ(result.records[0].text, "\"never,\" he said");
  EXPECT_EQ(result.records[1].text, "\"open");
  EXPECT_EQ(result.records[2].text, "two\nlines");
  EXPECT_EQ(result.records[3].text, "\"open too");
  EXPECT_EQ(result.records[4].text, "ends\"");
  EXPECT_EQ(result.records[5].id, "\"6");
  EXPECT_EQ(result.records[6].text, "a \"b\"");
  EXPECT_TRUE(result.records[7].rejected) << "three fields, read either way";
  EXPECT_EQ(result.records[8].text, "\"last");
}

TEST(Csv, AQuoteInATableWithCommasIsNone) {
  const ReadResult result = Read("id,text\n1,\"never\" he said\n2,b\n");
  ASSERT_EQ(result.records.size(), 2u);
  EXPECT_TRUE(result.records[0].rejected);
}

TEST(Csv, TheHeaderShowsTheDelimiter) {
  EXPECT_EQ(FindDelimiter("a,b\n1,2\n", ','), ',');
  EXPECT_EQ(FindDelimiter("a;b\n1;2\n", ','), ';');
  EXPECT_EQ(FindDelimiter("a\tb\n1\t2\n", ','), '\t');
  EXPECT_EQ(FindDelimiter("a|b;c\n1|2;3\n", ','), ';') << "as good as |, and asked first";
  EXPECT_EQ(FindDelimiter("a|b|c;d\n1|2|3\n", ','), '|');
  EXPECT_EQ(FindDelimiter("a,b;c;d\n", ','), ',') << "the usual one divides the header";
  EXPECT_EQ(FindDelimiter("a,b\n1,2\n", '\t'), ',');
  EXPECT_EQ(FindDelimiter("a;b\nno such record\n", ','), ',');
  EXPECT_EQ(FindDelimiter("\"a;b\"\n1\n", ','), ',') << "in quotes";
  EXPECT_EQ(FindDelimiter("\na;b\n1;\"x;\ny\"\n", ','), ';');
  EXPECT_EQ(FindDelimiter("a;b", ','), ';');
  EXPECT_EQ(FindDelimiter("a\n1\n", ','), ',');
  EXPECT_EQ(FindDelimiter("", '\t'), '\t');
}

TEST(Csv, AnotherNumberOfFieldsIsRejected) {
  const ReadResult result = Read("id,text\n1,a\n2\n3,b,c\n4,d\n");
  ASSERT_EQ(result.records.size(), 4u);
  EXPECT_EQ(result.records[1].reason, "the record has 1 fields, expected 2 as in the header");
  EXPECT_EQ(result.records[1].raw, "2\n");
  EXPECT_EQ(result.records[2].reason, "the record has 3 fields, expected 2 as in the header");
  EXPECT_EQ(result.records[3].text, "d");
  EXPECT_EQ(result.records[3].row, 4u);
}

TEST(Csv, AnOpenQuoteCostsItsOwnLineOnly) {
  const std::string bytes = "id,text\n1,a\n2,\"open\n3,b\n4,\"c\nd\"\n5,e\n";
  for (const size_t block : {1, 9, 1 << 20}) {
    const ReadResult result = Read(bytes, {.block = block});
    ASSERT_EQ(result.records.size(), 5u) << block;
    EXPECT_TRUE(result.records[1].rejected);
    EXPECT_EQ(result.records[1].raw, "2,\"open\n");
    EXPECT_NE(result.records[1].reason.find("field 2 opened at byte 14"), std::string::npos)
        << result.records[1].reason;
    EXPECT_EQ(result.records[2].text, "b");
    EXPECT_EQ(result.records[3].text, "c\nd");
    EXPECT_EQ(result.records[4].text, "e");
    EXPECT_EQ(result.records[4].row, 5u);
  }
}

TEST(Csv, AQuoteOpenToTheEndCostsItsOwnLineOnly) {
  std::string bytes = "id,text\n1,\"open\n";
  for (int i = 2; i < 2000; ++i) bytes += std::to_string(i) + ",t\n";
  for (const size_t block : {64, 1 << 20}) {
    const ReadResult result = Read(bytes, {.block = block});
    ASSERT_EQ(result.records.size(), 1999u);
    EXPECT_NE(result.records[0].reason.find("never closed"), std::string::npos);
    EXPECT_EQ(result.records[0].raw, "1,\"open\n");
    EXPECT_EQ(result.records[1998].id, "1999");
    const ReadResult limited = Read(bytes, {.block = block, .max_record = 100});
    ASSERT_EQ(limited.records.size(), 1999u);
    EXPECT_TRUE(limited.records[0].rejected);
    EXPECT_EQ(limited.records[1].text, "t");
  }
  const ReadResult last = Read("text\na\n\"open");
  ASSERT_EQ(last.records.size(), 2u);
  EXPECT_EQ(last.records[1].raw, "\"open");
}

TEST(Csv, TextBehindAClosingQuoteIsRejected) {
  const ReadResult result = Read("id,text\n1,\"a\"b\n2,c\n");
  ASSERT_EQ(result.records.size(), 2u);
  EXPECT_NE(result.records[0].reason.find("text after its closing quote"), std::string::npos);
  EXPECT_NE(result.records[0].reason.find("field 2 opened at byte 10"), std::string::npos);
  EXPECT_EQ(result.records[1].text, "c");
}

TEST(Csv, TooLongRecordsAreRejectedAndTheRestIsRead) {
  const std::string bytes = "id,text\n1,a\n2," + std::string(5000, 'x') + "\n3,\"" +
                            std::string(5000, 'y') + "\"\n4,d\n5," + std::string(300, 'z');
  for (const size_t block : {5, 50, 1000, 1 << 20}) {
    const ReadResult result = Read(bytes, {.block = block, .max_record = 200});
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(result.records.size(), 5u) << block;
    EXPECT_NE(result.records[1].reason.find("$<max-record>"), std::string::npos);
    EXPECT_EQ(result.records[1].raw.size(), 200u);
    EXPECT_TRUE(result.records[2].rejected);
    EXPECT_EQ(result.records[2].raw.size(), 200u);
    EXPECT_EQ(result.records[3].text, "d");
    EXPECT_EQ(result.records[3].row, 4u);
    EXPECT_EQ(result.records[4].raw, "5," + std::string(198, 'z'));
  }
}

TEST(Csv, ARecordAsLongAsTheLimitIsRead) {
  for (size_t block = 1; block < 20; ++block) {
    const ReadResult result =
        Read("text\n123456789\n1234567890\n", {.block = block, .max_record = 10});
    ASSERT_EQ(result.records.size(), 2u) << block;
    EXPECT_EQ(result.records[0].text, "123456789") << "10 bytes with the line end";
    EXPECT_FALSE(result.records[0].rejected);
    EXPECT_TRUE(result.records[1].rejected);
  }
}

TEST(Csv, TheSameRecordsForEveryBlockSize) {
  std::string bytes = "\xEF\xBB\xBF\n\"id\",text\r\n";
  for (int i = 0; i < 40; ++i) {
    bytes += std::to_string(i) + ",\"a \"\"" + std::string(static_cast<size_t>(i), 'q') +
             "\"\"\r\nnext, line\"" + (i % 2 ? "\r\n" : "\n\n");
    if (i % 9 == 4) bytes += "only one\r\n";
  }
  const ReadResult whole = Read(bytes);
  ASSERT_EQ(whole.records.size(), 44u);
  EXPECT_EQ(whole.header, "\"id\",text\r\n");
  for (size_t block = 1; block < 150; ++block) {
    const ReadResult cut = Read(bytes, {.block = block});
    ASSERT_EQ(cut.records.size(), whole.records.size()) << block;
    EXPECT_EQ(cut.header, whole.header);
    for (size_t i = 0; i < cut.records.size(); ++i) {
      EXPECT_EQ(cut.records[i].raw, whole.records[i].raw) << block;
      EXPECT_EQ(cut.records[i].text, whole.records[i].text);
      EXPECT_EQ(cut.records[i].row, whole.records[i].row);
      EXPECT_EQ(cut.records[i].reason, whole.records[i].reason);
    }
  }
}

TEST(Csv, EmptyFilesAndHeadersAlone) {
  for (const std::string_view bytes : {"", "\n\n", "\xEF\xBB\xBF"}) {
    const ReadResult result = Read(bytes);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.batches, 1u);
    EXPECT_EQ(result.records.size(), 0u);
  }
  const ReadResult header = Read("id,text");
  EXPECT_EQ(header.error, "");
  EXPECT_EQ(header.batches, 1u);
  EXPECT_EQ(header.header, "id,text");
}

TEST(Csv, AMissingTextColumnListsTheColumns) {
  const std::string error = Read("id,body,title\n1,a,b\n").error;
  EXPECT_NE(error.find("a.csv: has no column \"text\""), std::string::npos) << error;
  EXPECT_NE(error.find("id, body, title"), std::string::npos);
  EXPECT_EQ(Read("body\na\n", {.fields = {"body", "id", ""}}).records[0].text, "a");
  EXPECT_FALSE(Read("body\na\n", {.fields = {"body", "id", ""}}).records[0].has_id);
}

TEST(Csv, ABrokenHeaderIsAnError) {
  EXPECT_NE(Read("id,\"text\n1,a\n").error.find("header"), std::string::npos);
  EXPECT_NE(Read("id,\"text\"x\n1,a\n").error.find("header"), std::string::npos);
  for (const size_t block : {4, 1 << 20}) {
    const struct Setup how = {.block = block, .max_record = 9};
    EXPECT_EQ(Read("id,text\n1,a\n", how).error, "");
    EXPECT_NE(Read("id,text,n\n1,a,2\n", how).error.find("header"), std::string::npos);
  }
  const std::string endless(5000, 'x');
  EXPECT_NE(Read(endless, {.block = 16, .max_record = 100}).error.find("header"),
            std::string::npos);
}

TEST(Csv, KeepFieldsAreNumbersWhereTheyLookLikeThem) {
  const ReadResult result =
      Read("text,k\na,5\nb,2.5\nc,word\nd,\ne,\"6\"\nf,5x\n", {.fields = {"text", "id", "k"}});
  ASSERT_EQ(result.records.size(), 6u);
  EXPECT_EQ(result.records[0].keep_field, FieldValue(int64_t{5}));
  EXPECT_EQ(result.records[1].keep_field, FieldValue(2.5));
  EXPECT_EQ(result.records[2].keep_field, FieldValue(std::string("word")));
  EXPECT_EQ(result.records[3].keep_field, FieldValue());
  EXPECT_EQ(result.records[4].keep_field, FieldValue(int64_t{6}));
  EXPECT_EQ(result.records[5].keep_field, FieldValue(std::string("5x")));
}

TEST(Csv, InvalidUtf8StaysInTheTextButNotInTheId) {
  const ReadResult result = Read("id,text\n\xFF,a\xFF\n");
  EXPECT_EQ(result.records[0].text, "a\xFF");
  EXPECT_EQ(result.records[0].id, "\xEF\xBF\xBD");
}

TEST(CsvRecord, LinesMayBeForcedToEndRecords) {
  CsvRecord record;
  EXPECT_EQ(ScanCsvRecord("\"a\nb\"", true, {',', false}, &record), CsvScan::kOpenQuote);
  EXPECT_EQ(ScanCsvRecord("\"a\nb\"", true, {',', true}, &record), CsvScan::kRecord);
  EXPECT_EQ(ScanCsvRecord("\"a\"", false, {',', true}, &record), CsvScan::kOpenQuote);
  EXPECT_EQ(ScanCsvRecord("a", false, {',', true}, &record), CsvScan::kNeedsMore);
}

}  // namespace
}  // namespace lookalike
