#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "input/reader_testing.h"
#include "stages/input/json_repair.h"

namespace lookalike {
namespace {

using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;
using testing::Record;

const std::string kBad = "\xEF\xBF\xBD";

ReadResult Read(std::string_view bytes, FieldPaths fields = {}, size_t block = kBlockBytes,
                uint64_t max_record = 256 << 20) {
  ReaderSetup setup;
  setup.file = MakeInput("a.jsonl", bytes, Format::kJsonLines);
  setup.fields = std::move(fields);
  setup.block_bytes = block;
  setup.limits.max_record = max_record;
  return ReadAll(setup);
}

// Returns the only record of one line.
Record One(const std::string& line, FieldPaths fields = {}) {
  const ReadResult result = Read(line, std::move(fields));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.records.size(), 1u) << line;
  return result.records.empty() ? Record() : result.records[0];
}

std::string Reason(const std::string& line, FieldPaths fields = {}) {
  const Record record = One(line, std::move(fields));
  EXPECT_TRUE(record.rejected) << line;
  EXPECT_EQ(record.raw, line);
  return record.reason;
}

TEST(JsonLines, RowsRawBytesAndLineEnds) {
  const std::string bytes =
      "\xEF\xBB\xBF{\"text\":\"one\"}\r\n\r\n \t\n{\"text\":\"two\"}\n{\"text\":\"last\"}";
  const ReadResult result = Read(bytes);
  ASSERT_EQ(result.records.size(), 3u);
  EXPECT_EQ(result.records[0].row, 1u);
  EXPECT_EQ(result.records[0].raw, "{\"text\":\"one\"}\r\n");
  EXPECT_EQ(result.records[1].row, 4u);
  EXPECT_EQ(result.records[1].text, "two");
  EXPECT_EQ(result.records[2].row, 5u);
  EXPECT_EQ(result.records[2].raw, "{\"text\":\"last\"}");
  EXPECT_EQ(result.bytes_read, bytes.size());
}

// As in files that were concatenated.
TEST(JsonLines, AMarkInsideTheFileStaysInItsRecord) {
  const std::string second = "\xEF\xBB\xBF{\"text\":\"b\",\"id\":1.50}\n";
  const ReadResult result = Read("{\"text\":\"a\"}\n" + second);
  ASSERT_EQ(result.records.size(), 2u);
  EXPECT_EQ(result.records[1].text, "b");
  EXPECT_EQ(result.records[1].id, "1.50");
  EXPECT_EQ(result.records[1].raw, second);
}

TEST(JsonLines, AnEmptyFileYieldsOneBatchWithoutRecords) {
  for (const std::string_view bytes : {"", "\n", "\xEF\xBB\xBF", " \n\n"}) {
    const ReadResult result = Read(bytes);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.records.size(), 0u);
    EXPECT_GE(result.batches, 1u);
  }
}

// Whatever a cut meets: the front of a line, its end, a blank line, a line longer than the part or
// than the limit.
TEST(JsonLines, PartsOfAFileHaveItsRecordsOnce) {
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    std::string bytes = i % 3 == 0 ? "\xEF\xBB\xBF" : "";
    for (int line = 0; line < 40; ++line) {
      const size_t length = random() % 7 == 0 ? random() % 300 : random() % 12;
      const std::string text(length, static_cast<char>('a' + line % 26));
      bytes += random() % 9 == 0   ? "\n"
               : random() % 9 == 0 ? "bad\n"
                                   : "{\"text\":\"" + text + "\"}\n";
    }
    if (i % 2 == 0) bytes.pop_back();
    ReaderSetup setup;
    setup.file = MakeInput("a.jsonl", bytes, Format::kJsonLines);
    setup.block_bytes = i % 4 == 0 ? kBlockBytes : 16 + random() % 200;
    setup.limits.max_record = i % 5 == 0 ? 100 : 1 << 20;
    const ReadResult whole = ReadAll(setup);
    std::vector<uint64_t> places;
    for (uint64_t place = 1 + random() % 200; place < bytes.size(); place += 1 + random() % 200) {
      places.push_back(place);
    }
    const ReadResult parts = testing::ReadInParts(setup, places);
    ASSERT_EQ(parts.error, "");
    ASSERT_EQ(parts.records, whole.records) << "file " << i << ":\n" << bytes;
    EXPECT_EQ(parts.positions.back().first.row, whole.positions.back().first.row) << bytes;
  }
}

TEST(JsonLines, TheSameRecordsForEveryBlockSize) {
  std::mt19937 random(5);
  std::string bytes = "\xEF\xBB\xBF";
  for (int i = 0; i < 60; ++i) {
    bytes += i % 7 == 3 ? "broken"
                        : "{\"id\":" + std::to_string(i) + ",\"text\":\"" +
                              std::string(random() % 30, 'x') + "\\n\"}";
    if (i < 59) bytes += i % 3 ? "\n" : "\r\n\n";
  }
  const ReadResult whole = Read(bytes);
  ASSERT_EQ(whole.records.size(), 60u);
  std::string raw;
  for (const Record& record : whole.records) raw += record.raw;
  EXPECT_EQ(raw.size() + 20 + 3, bytes.size());
  for (size_t block = 1; block < 130; ++block) {
    const ReadResult cut = Read(bytes, {}, block);
    ASSERT_EQ(cut.records.size(), whole.records.size()) << block;
    for (size_t i = 0; i < cut.records.size(); ++i) {
      EXPECT_EQ(cut.records[i].row, whole.records[i].row);
      EXPECT_EQ(cut.records[i].raw, whole.records[i].raw);
      EXPECT_EQ(cut.records[i].text, whole.records[i].text);
      EXPECT_EQ(cut.records[i].id, whole.records[i].id);
      EXPECT_EQ(cut.records[i].reason, whole.records[i].reason);
    }
  }
}

TEST(JsonLines, RecordsStraddleTheUsualBlocks) {
  std::string bytes;
  const size_t count = 40;
  for (size_t i = 0; i < count; ++i) {
    bytes += "{\"text\":\"" + std::string(90'000 + i * 1000 + (i == 20) * 3'000'000, 'a') + "\"}\n";
  }
  const ReadResult result = Read(bytes);
  ASSERT_EQ(result.records.size(), count);
  EXPECT_GT(result.batches, 3u);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(result.records[i].text.size(), 90'000 + i * 1000 + (i == 20) * 3'000'000);
  }
}

TEST(JsonLines, TooLongLinesAreRejectedAndTheRestIsRead) {
  const std::string good = "{\"text\":\"good\"}\n";
  const std::string bytes =
      good + "{\"text\":\"" + std::string(1000, 'x') + "\"}\n" + good + std::string(500, 'y');
  for (const size_t block : {7, 64, 100, 1000, 1 << 20}) {
    const ReadResult result = Read(bytes, {}, block, 100);
    ASSERT_EQ(result.records.size(), 4u) << block;
    EXPECT_EQ(result.records[0].text, "good");
    EXPECT_TRUE(result.records[1].rejected);
    EXPECT_EQ(result.records[1].row, 2u);
    EXPECT_EQ(result.records[1].raw, bytes.substr(good.size(), 100)) << block;
    EXPECT_NE(result.records[1].reason.find("$<max-record>"), std::string::npos);
    EXPECT_EQ(result.records[2].text, "good");
    EXPECT_EQ(result.records[2].row, 3u);
    EXPECT_EQ(result.records[3].raw, std::string(100, 'y'));
  }
  // The line end does not count.
  EXPECT_FALSE(Read(good, {}, 8, good.size() - 1).records[0].rejected);
  EXPECT_TRUE(Read(good, {}, 8, good.size() - 2).records[0].rejected);
}

// The byte order mark belongs to no record, nor does the line end.
TEST(JsonLines, ALineAsLongAsTheLimitIsReadBehindAMark) {
  const std::string line = R"({"text": "abcdef"})";
  for (size_t block = 1; block < 50; ++block) {
    const ReadResult result =
        Read("\xEF\xBB\xBF" + line + "\n" + line + "\n " + line + "\n", {}, block, line.size());
    ASSERT_EQ(result.records.size(), 3u) << block;
    EXPECT_EQ(result.records[0].text, "abcdef") << block;
    EXPECT_EQ(result.records[1].text, "abcdef") << block;
    EXPECT_TRUE(result.records[2].rejected) << block;
  }
}

TEST(JsonLines, RejectionsSayWhatWasFoundAndExpected) {
  EXPECT_EQ(Reason("{\"text\":5}"), "field \"text\" is a number, expected a string");
  EXPECT_EQ(Reason("{\"text\":1.5}"), "field \"text\" is a number, expected a string");
  EXPECT_EQ(Reason("{\"text\":[\"a\"]}"), "field \"text\" is an array, expected a string");
  EXPECT_EQ(Reason("{\"text\":{}}"), "field \"text\" is an object, expected a string");
  EXPECT_EQ(Reason("{\"text\":true}"), "field \"text\" is a boolean, expected a string");
  EXPECT_EQ(Reason("{\"other\":\"a\"}"), "field \"text\" is missing, expected a string");
  EXPECT_EQ(Reason("{}"), "field \"text\" is missing, expected a string");
  EXPECT_EQ(Reason("[1]"), "the line is an array, expected an object");
  EXPECT_EQ(Reason("\"text\""), "the line is a string, expected an object");
  for (const std::string line :
       {"{broken", "{\"text\":\"a\"", "{\"text\":\"a\"} x", "{\"text\":\"a\"}{\"text\":\"b\"}",
        "{\"text\":\"a\",}", "{\"text\":'a'}", "{\"text\":\"a\",\"n\":01}", "{\"text\":\"\\x\"}",
        "{\"text\":\"\\u12g4\"}", "{\"text\":\"a\tb\"}", "{\"text\":\"a\",\"n\":--1}",
        "{\"text\":\"a\",\"n\":1.5.3}", "{\"n\":1e999,\"text\":\"a\",\"m\":1.}"}) {
    EXPECT_NE(Reason(line).find("malformed JSON"), std::string::npos) << line;
  }
  EXPECT_NE(Reason(std::string("{\"text\":\"a\0b\"}", 14)).find("malformed"), std::string::npos);
  EXPECT_NE(Reason(std::string(20, '\0')).find("malformed JSON"), std::string::npos);
  EXPECT_NE(Reason(std::string(5000, '[')).find("malformed JSON"), std::string::npos);
}

TEST(JsonLines, NullTextIsADocument) {
  const Record record = One("{\"text\":null,\"id\":\"n\"}");
  EXPECT_FALSE(record.rejected);
  EXPECT_TRUE(record.null_text);
  EXPECT_EQ(record.text, "");
  EXPECT_EQ(record.id, "n");
  EXPECT_FALSE(One("{\"text\":\"\"}").null_text);
}

TEST(JsonLines, IdsAreTheirText) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\"a\\u00e9\"", "a\xC3\xA9"},
      {"17", "17"},
      {"-3", "-3"},
      {"0", "0"},
      {"-0", "-0"},
      {"18446744073709551615", "18446744073709551615"},
      {"1.50", "1.50"},
      {"2E3", "2E3"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"1e999", "1e999"}};
  for (const auto& [json, id] : cases) {
    const Record record = One("{\"text\":\"t\",\"id\":" + json + " ,\"z\":1}");
    EXPECT_FALSE(record.rejected) << record.reason;
    EXPECT_TRUE(record.has_id) << json;
    EXPECT_EQ(record.id, id);
    EXPECT_EQ(record.text, "t");
    EXPECT_FALSE(record.repaired);
  }
  for (const std::string json : {"null", "true", "[1]", "{}"}) {
    EXPECT_FALSE(One("{\"text\":\"t\",\"id\":" + json + "}").has_id) << json;
  }
  EXPECT_FALSE(One("{\"text\":\"t\"}").has_id);
  EXPECT_TRUE(One("{\"text\":\"t\",\"id\":\"\"}").has_id);
}

TEST(JsonLines, DottedPathsTryTheLiteralNameFirst) {
  FieldPaths fields{"a.b", "m.k.id", "m.n"};
  EXPECT_EQ(One("{\"a.b\":\"literal\",\"a\":{\"b\":\"nested\"}}", fields).text, "literal");
  EXPECT_EQ(One("{\"a\":{\"b\":\"nested\"}}", fields).text, "nested");
  EXPECT_EQ(One("{\"a\":{\"b\":\"x\"},\"m\":{\"k\":{\"id\":1.50}}}", fields).id, "1.50");
  EXPECT_EQ(One("{\"a\":{\"b\":\"x\"},\"m\":{\"k.id\":7.0,\"k\":1}}", fields).id, "7.0");
  EXPECT_EQ(One("{\"a\":{\"b\":\"x\"},\"m\":{\"n\":4}}", fields).keep_field,
            FieldValue(int64_t{4}));
  EXPECT_NE(Reason("{\"a\":\"x\"}", fields).find("\"a.b\" is missing"), std::string::npos);
}

TEST(JsonLines, KeepFieldsByType) {
  const FieldPaths fields{"text", "id", "k"};
  const auto value = [&](const std::string& json) {
    return One("{\"text\":\"t\",\"k\":" + json + "}", fields).keep_field;
  };
  EXPECT_EQ(value("5"), FieldValue(int64_t{5}));
  EXPECT_EQ(value("-5"), FieldValue(int64_t{-5}));
  EXPECT_EQ(value("2.5"), FieldValue(2.5));
  EXPECT_EQ(value("18446744073709551615"), FieldValue(18446744073709551615.0));
  EXPECT_EQ(value("\"s\""), FieldValue(std::string("s")));
  EXPECT_EQ(value("true"), FieldValue(int64_t{1}));
  EXPECT_EQ(value("false"), FieldValue(int64_t{0}));
  EXPECT_EQ(value("null"), FieldValue());
  EXPECT_EQ(value("[1]"), FieldValue());
  EXPECT_EQ(value("100000000000000000000"), FieldValue(1e20));
  EXPECT_EQ(value("12,\"n\":1e999"), FieldValue(int64_t{12}));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value("1e999"), FieldValue(infinity));
  EXPECT_EQ(value("-1e999"), FieldValue(-infinity));
  EXPECT_EQ(value("0.001e99999999999999999999"), FieldValue(infinity));
  EXPECT_EQ(value("1e-999,\"n\":1e999"), FieldValue(0.0));
  EXPECT_EQ(value("-123.5e-99999999999999999999,\"n\":1e999"), FieldValue(-0.0));
  EXPECT_EQ(value("0.01e9223372036854775807"), FieldValue(infinity));
  EXPECT_EQ(value("2.5,\"n\":1e999"), FieldValue(2.5));
  EXPECT_EQ(One("{\"text\":\"t\"}", fields).keep_field, FieldValue());
  EXPECT_EQ(One("{\"text\":\"t\",\"k\":1}").keep_field, FieldValue());
}

TEST(JsonLines, InvalidUtf8IsReplacedAndTheRawBytesStay) {
  const std::string line = "{\"text\":\"a\xFFz\xE2\x82\",\"id\":\"\xC3\"}\n";
  const Record record = One(line);
  EXPECT_FALSE(record.rejected) << record.reason;
  EXPECT_EQ(record.text, "a" + kBad + "z" + kBad);
  EXPECT_EQ(record.id, kBad);
  EXPECT_TRUE(record.repaired);
  EXPECT_EQ(record.raw, line);
  EXPECT_FALSE(One("{\"text\":\"fine \xE2\x82\xAC\"}").repaired);
}

TEST(JsonLines, ReplacementsThatOutgrowTheLineStayValid) {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += "{\"text\":\"" + std::string(3000, '\xFF') + "\"}\n";
  const ReadResult result = Read(bytes);
  ASSERT_EQ(result.records.size(), 50u);
  std::string want;
  for (int i = 0; i < 3000; ++i) want += kBad;
  for (const Record& record : result.records) EXPECT_TRUE(record.text == want);
}

TEST(JsonLines, LoneSurrogatesAreReplaced) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\\ud800", kBad},
      {"\\uDC00", kBad},
      {"x\\udc00y", "x" + kBad + "y"},
      {"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
      {"\\ud800\\ud83d\\ude00", kBad + "\xF0\x9F\x98\x80"},
      {"\\ude00\\ud83d", kBad + kBad},
      {"\\ud83dx", kBad + "x"},
      {"\\ud83d\\n", kBad + "\n"},
      {"\\ud83d\\u0041", kBad + "A"},
      {"\\\\ud800", "\\ud800"},
      {"\\\\\\ud800", "\\" + kBad}};
  for (const auto& [json, text] : cases) {
    const Record record = One("{\"text\":\"" + json + "\"}");
    EXPECT_FALSE(record.rejected) << json << record.reason;
    EXPECT_EQ(record.text, text) << json;
    EXPECT_EQ(record.repaired, text.find(kBad) != std::string::npos) << json;
  }
}

TEST(JsonLines, SeveralDefectsInOneLine) {
  const Record record =
      One("{\"n\":1e999,\"id\":12345678901234567890123,\"text\":\"\xFF\\ud800\\udc00\\udc00\"}");
  EXPECT_FALSE(record.rejected) << record.reason;
  EXPECT_EQ(record.text, kBad + "\xF0\x90\x80\x80" + kBad);
  EXPECT_EQ(record.id, "12345678901234567890123");
  const Record low = One("{\"text\":\"\\udc00\",\"id\":1e999}");
  EXPECT_EQ(low.text, kBad);
  EXPECT_EQ(low.id, "1e999");
}

// For the other records, only their position is given.
TEST(JsonLines, OnlyWantedRecordsAreReadInFull) {
  std::string bytes = "\xEF\xBB\xBF";
  for (int i = 0; i < 60; ++i) {
    bytes += R"({"id":)" + std::to_string(i) + R"(,"text":"n\u00e9)" + std::to_string(i) + "\"}";
    if (i < 59) bytes += i % 3 ? "\n" : "\r\n";
  }
  const ReadResult whole = Read(bytes);
  ASSERT_EQ(whole.records.size(), 60u);
  for (const size_t block : {10, 100, 1000, 1 << 20}) {
    for (const DocNumber first : {0, 7, 1000}) {
      Bitmap wanted(first + 60);
      for (DocNumber i = 0; i < 60; i += 1 + i % 5) wanted.Set(first + i);
      ReaderSetup setup;
      setup.file = MakeInput("a.jsonl", bytes, Format::kJsonLines);
      setup.block_bytes = block;
      setup.wanted = {&wanted, first};
      const ReadResult part = ReadAll(setup);
      ASSERT_EQ(part.records.size(), 60u);
      for (DocNumber i = 0; i < 60; ++i) {
        Record expected = whole.records[i];
        if (!wanted.Test(first + i)) {
          expected.text = expected.id = "";
          expected.has_id = false;
        }
        EXPECT_TRUE(part.records[i] == expected) << i;
      }
    }
  }
}

// Lines may be read later, in pieces and in any order: the records, rejections and rows are the
// same as when they are read at once.
TEST(JsonLines, UnreadLinesMakeTheSameRecords) {
  std::string bytes;
  for (int i = 0; i < 200; ++i) {
    bytes += i % 7 == 3    ? "bad"
             : i % 11 == 5 ? " "
                           : R"({"text":"n\u00e9)" + std::to_string(i) + "\"}";
    if (i < 199) bytes += '\n';
  }
  const InputFile file = MakeInput("a.jsonl", bytes, Format::kJsonLines);
  for (const size_t block : {100, 1000, 1 << 20}) {
    ReaderSetup setup;
    setup.file = file;
    setup.block_bytes = block;
    const auto at_once = OpenReader(setup).value(), later = OpenReader(setup).value();
    std::vector<DocumentBatch> batches;
    for (DocumentBatch batch; later->NextUnread(&batch).value();) {
      EXPECT_TRUE(batch.documents.empty());
      batches.push_back(std::move(batch));
    }
    EXPECT_EQ(later->position().row, 200u);
    for (auto batch = batches.rbegin(); batch != batches.rend(); ++batch) {
      batch->unread.parser->Parse(&*batch);
      EXPECT_TRUE(batch->unread.ends.empty());
    }
    size_t at = 0;
    for (DocumentBatch batch; at_once->Next(&batch).value(); ++at) {
      ASSERT_LT(at, batches.size());
      ASSERT_EQ(batch.documents.size(), batches[at].documents.size());
      for (size_t i = 0; i < batch.documents.size(); ++i) {
        EXPECT_EQ(batch.documents[i].text, batches[at].documents[i].text);
        EXPECT_EQ(batch.documents[i].row, batches[at].documents[i].row);
      }
      ASSERT_EQ(batch.rejections.size(), batches[at].rejections.size());
      for (size_t i = 0; i < batch.rejections.size(); ++i) {
        EXPECT_EQ(batch.rejections[i].row, batches[at].rejections[i].row);
        EXPECT_EQ(batch.rejections[i].reason, batches[at].rejections[i].reason);
      }
    }
    EXPECT_EQ(at, batches.size());
  }
}

TEST(JsonLines, UnwantedRecordsThatAreNoneAnyMoreAreMissed) {
  const Bitmap none(4);
  ReaderSetup setup;
  setup.limits.max_record = 50;
  setup.wanted = {&none, 0};
  const std::string good = "{\"text\":\"good\"}\n";
  for (const std::string& changed : {std::string(" \n"), std::string(60, 'x') + "\n"}) {
    setup.file = MakeInput("a.jsonl", good + changed + good, Format::kJsonLines);
    const ReadResult result = ReadAll(setup);
    size_t documents = 0;
    for (const Record& record : result.records) documents += !record.rejected;
    EXPECT_EQ(documents, 2u);
  }
  // More records than before.
  setup.file = MakeInput("a.jsonl", good + good + good + good + good, Format::kJsonLines);
  EXPECT_EQ(ReadAll(setup).records.size(), 5u);
}

TEST(JsonLines, ATruncatedArchiveIsAnErrorThatNamesTheFile) {
  ReaderSetup setup;
  setup.file = MakeInput("cut.jsonl.gz", std::string("\x1F\x8B\x08\0\0\0\0\0\0\x03", 10),
                         Format::kJsonLines);
  const ReadResult result = ReadAll(setup);
  EXPECT_NE(result.error.find("cut.jsonl.gz: the gzip data is truncated"), std::string::npos);
}

TEST(JsonLines, Utf16IsAnError) {
  EXPECT_NE(Read(std::string_view("\xFF\xFE{\0", 4)).error.find("UTF-16"), std::string::npos);
}

TEST(JsonRepair, NumbersAreReplacedOnlyWhereTheyAreNumbers) {
  EXPECT_EQ(ReplaceNumbers("{\"a1\":-1.5e+9,\"b\":[0,12]}"), "{\"a1\":0,\"b\":[0,0]}");
  EXPECT_EQ(ReplaceNumbers("[01,1.,.5,+1,--1,1e,1.5.2,\"\\\"12\",7]"),
            "[01,1.,.5,+1,--1,1e,1.5.2,\"\\\"12\",0]");
  EXPECT_EQ(ReplaceNumbers("[NaN,-Infinity,Infinity,NaNs,\"NaN\",-NaN]"),
            "[0,0,0,NaNs,\"NaN\",-NaN]");
}

TEST(JsonRepair, SurrogateEscapesAtTheVeryEnd) {
  EXPECT_EQ(ReplaceLoneSurrogates("\\ud800"), "\\ufffd");
  EXPECT_EQ(ReplaceLoneSurrogates("a\\ud80"), "a\\ud80");
  EXPECT_EQ(ReplaceLoneSurrogates("a\\"), "a\\");
}

}  // namespace
}  // namespace lookalike
