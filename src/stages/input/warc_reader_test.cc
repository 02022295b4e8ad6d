#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "input/reader_testing.h"
#include "io/output_stream.h"

namespace lookalike {
namespace {

using testing::ExpectSameFromEveryPosition;
using testing::MakeInput;
using testing::ReadAll;
using testing::ReadResult;

std::string Warc(const std::string& type, const std::string& uri, const std::string& content_type,
                 const std::string& content) {
  std::string record = "WARC/1.0\r\nWARC-Type: " + type + "\r\n";
  if (!uri.empty()) record += "WARC-Target-URI: " + uri + "\r\n";
  record += "WARC-Record-ID: <urn:uuid:" + std::to_string(content.size()) + ">\r\n";
  record += "WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: " + content_type + "\r\n";
  return record + "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content +
         "\r\n\r\n";
}

std::string Page(const std::string& uri, const std::string& body,
                 const std::string& headers = "Content-Type: text/html\r\n") {
  return Warc("response", uri, "application/http; msgtype=response",
              "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body);
}

std::string Text(const std::string& uri, const std::string& text) {
  return Warc("conversion", uri, "text/plain", text);
}

ReadResult Read(const std::string& bytes, uint64_t max_record = 256 << 20,
                size_t block_bytes = 1 << 20) {
  ReaderSetup setup;
  setup.file = MakeInput("a.warc", bytes, Format::kWarc);
  setup.limits.max_record = max_record;
  setup.block_bytes = block_bytes;
  return ReadAll(setup);
}

TEST(Warc, ReadsPagesAndTexts) {
  const std::string info = Warc("warcinfo", "", "application/warc-fields", "software: x\r\n");
  const std::string request =
      Warc("request", "http://a/", "application/http", "GET / HTTP/1.1\r\n\r\n");
  const std::string page = Page("http://a/", "<p>caf\xE9"), text = Text("<http://b/>", "plain");
  const std::string image = Page("http://c/", "\x89PNG", "Content-Type: image/png\r\n");
  const ReadResult result = Read(info + request + page + text + image);
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), 3u);
  EXPECT_EQ(result.records[0].text, "<p>caf\u00e9");
  EXPECT_EQ(result.records[0].id, "http://a/");
  EXPECT_EQ(result.records[0].row, 3u);
  EXPECT_EQ(result.records[0].raw, page);
  EXPECT_EQ(result.records[0].kind, TextKind::kHtml);
  EXPECT_EQ(result.records[1].text, "plain");
  EXPECT_EQ(result.records[1].id, "http://b/");
  EXPECT_EQ(result.records[1].kind, TextKind::kPlain);
  EXPECT_TRUE(result.records[2].null_text && result.records[2].text.empty());
  ASSERT_EQ(result.pass_through.size(), 2u);
  EXPECT_EQ(result.pass_through[0], (std::pair<size_t, std::string>{0, info}));
  EXPECT_EQ(result.pass_through[1].second, request);
}

TEST(Warc, IdsAndKeepFieldsAreHeaders) {
  ReaderSetup setup;
  setup.file = MakeInput("a.warc", Text("", "abc") + Text("http://\xFF", "x"), Format::kWarc);
  setup.fields.keep = "warc-date";
  const ReadResult result = ReadAll(setup);
  EXPECT_EQ(result.records.at(0).id, "urn:uuid:3");
  EXPECT_EQ(result.records[0].keep_field, FieldValue("2024-05-06T07:08:09Z"));
  EXPECT_EQ(result.records.at(1).id, "http://\ufffd");
}

TEST(Warc, UndoesTransferAndContentCodings) {
  EXPECT_EQ(Read(Page("u", "3\r\n<p>\r\n1\r\nx\r\n0\r\n\r\n",
                      "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n"))
                .records.at(0)
                .text,
            "<p>x");
  EXPECT_EQ(Read(Page("u", "not coded", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n"))
                .records.at(0)
                .text,
            "not coded");
  const ReadResult broken = Read(Page("u", "\x1F\x8B\x08" + std::string(20, '\xFF'),
                                      "Content-Type: text/html\r\nContent-Encoding: gzip\r\n") +
                                 Text("v", "x"));
  ASSERT_EQ(broken.records.size(), 2u);
  EXPECT_TRUE(broken.records[0].rejected);
  EXPECT_NE(broken.records[0].reason.find("Content-Encoding"), std::string::npos);
}

TEST(Warc, CharsetsComeFromTheHeaderThenThePage) {
  EXPECT_EQ(Read(Page("u", "<meta charset=koi8-r>\xCF\xF0",
                      "Content-Type: text/html; charset=windows-1251\r\n"))
                .records.at(0)
                .text.substr(21),
            "\u041f\u0440");
  EXPECT_EQ(Read(Page("u", "<meta charset=windows-1251>\xCF")).records.at(0).text.substr(27),
            "\u041f");
}

TEST(Warc, WrongLengthsAndGarbageCostTheirOwnRecords) {
  const std::string bad = "WARC/1.0\r\nContent-Length: 2\r\n\r\nthree\r\n\r\n";
  const ReadResult result =
      Read("garbage\r\n" + Text("a", "1") + bad + Text("b", "2") + "tail\r\n" + Text("c", "3"));
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), 6u);
  EXPECT_TRUE(result.records[0].rejected && result.records[2].rejected &&
              result.records[4].rejected);
  EXPECT_EQ(result.records[0].raw, "garbage\r\n");
  EXPECT_EQ(result.records[2].raw, bad);
  EXPECT_EQ(result.records[1].id + result.records[3].id + result.records[5].id, "abc");
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(result.records[i].row, i + 1);
}

// No wrong length makes a long block, which would be a separate batch and a copy of the rest.
TEST(Warc, ManyWrongLengthsAreToldFromOneBlock) {
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    bytes += "WARC/1.0\r\nContent-Length: " + std::to_string(90'000 + i) + "\r\n\r\nx\r\n\r\n";
  }
  const std::string inner = "x\r\n" + Text("inner", "x");
  bytes += Text("a", inner + std::string(50'000, 'y')) + Text("b", std::string(60'000, 'z'));
  ReaderSetup setup;
  setup.file = MakeInput("a.warc", bytes, Format::kWarc);
  setup.limits.max_record = 100'000;
  for (const size_t block : {1000, 10'000, 1 << 20}) {
    setup.block_bytes = block;
    const ReadResult result = ExpectSameFromEveryPosition(setup);
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(result.records.size(), 102u);
    for (size_t i = 0; i < 100; ++i) EXPECT_TRUE(result.records[i].rejected) << i;
    EXPECT_EQ(result.records[100].id, "a");
    EXPECT_TRUE(result.records[100].text.starts_with(inner));
    EXPECT_EQ(result.records[101].text, std::string(60'000, 'z'));
    if (block >= 10'000) {
      EXPECT_LE(result.batches, 5u);
    }
  }
}

TEST(Warc, LongRecordsAreRejectedAndPassedOver) {
  const std::string bytes = Text("a", "1") + Text("b", std::string(10'000, 'x')) + Text("c", "3");
  for (const size_t block : {16, 1000, 1 << 20}) {
    const ReadResult result = Read(bytes, 9'999, block);
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(result.records.size(), 3u);
    EXPECT_TRUE(result.records[1].rejected);
    EXPECT_NE(result.records[1].reason.find("$<max-record>"), std::string::npos);
    EXPECT_EQ(result.records[1].raw.size(), 9'999u);
    EXPECT_EQ(result.records[2].id, "c");
    EXPECT_FALSE(Read(bytes, 10'000, block).records.at(1).rejected);
  }
}

void Compress(std::string_view bytes, Codec codec, InputFile* file) {
  auto out = OutputStream::Create(file->path, codec).value();
  EXPECT_TRUE(out->Write(bytes));
  EXPECT_TRUE(out->Close());
  file->codec = codec;
  file->size = std::filesystem::file_size(file->path);
}

// A wrong length beyond the limit does not cost the records after it.
TEST(Warc, WrongLengthsBeyondTheLimitCostTheirOwnRecords) {
  const auto bad = [](const char* length) {
    return "WARC/1.0\r\nContent-Length: " + std::string(length) + "\r\n\r\nx\r\n\r\n";
  };
  const std::string inner = "x\r\n" + Text("inner", "x");
  const std::string bytes = Text("a", "1") + bad("5000") + bad("5000") + bad("99999") +
                            bad("9223372036854775807") + Text("b", "2") +
                            Text("long", inner + std::string(9000, 'y')) + Text("c", "3");
  ReaderSetup setup;
  setup.file = MakeInput("a.warc", bytes, Format::kWarc);
  setup.limits.max_record = 1500;
  using Case = std::pair<size_t, Codec>;
  for (const auto& [block, codec] :
       {Case(16, Codec::kNone), Case(1 << 20, Codec::kNone), Case(1000, Codec::kGzip)}) {
    Compress(bytes, codec, &setup.file);
    setup.block_bytes = block;
    const ReadResult result = ExpectSameFromEveryPosition(setup);
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(result.records.size(), 8u);
    for (size_t i = 1; i < 5; ++i) {
      EXPECT_TRUE(result.records[i].rejected);
      EXPECT_NE(result.records[i].reason.find("the record does not end"), std::string::npos) << i;
    }
    EXPECT_EQ(result.records[5].id, "b");
    EXPECT_NE(result.records[6].reason.find("$<max-record>"), std::string::npos);
    EXPECT_EQ(result.records[7].id, "c");
  }
}

// The text exceeds the limit once it is converted.
TEST(Warc, TextsBeyondTheLimitAreRejected) {
  const std::string body(1000, '\xE9');
  const ReadResult result = Read(Page("a", body), 1500);
  EXPECT_NE(result.records.at(0).reason.find("2000 bytes of UTF-8"), std::string::npos);
}

TEST(Warc, LinesThatAreNoItemsAreRejected) {
  ReaderSetup setup;
  setup.file = MakeInput("a.warc",
                         Text("a", "one\ntwo") + Text("b", "a\x1E") + Page("c", "<p>a\x1F") +
                             Page("d", "PNG", "Content-Type: image/png\r\n"),
                         Format::kWarc);
  setup.fields.form = TextForm::kItems;
  const ReadResult result = ReadAll(setup);
  ASSERT_EQ(result.records.size(), 4u);
  EXPECT_FALSE(result.records[0].rejected);
  EXPECT_NE(result.records[1].reason.find("U+001E"), std::string::npos);
  EXPECT_NE(result.records[2].reason.find("U+001F"), std::string::npos);
  EXPECT_FALSE(result.records[3].rejected);
  setup.fields.weights = ItemWeights::kNeeded;
  const ReadResult unrated = ReadAll(setup);
  ASSERT_EQ(unrated.records.size(), 4u);
  EXPECT_NE(unrated.records[0].reason.find("no rating"), std::string::npos);
  EXPECT_FALSE(unrated.records[3].rejected);
}

TEST(Warc, ATruncatedFileIsAnErrorThatSaysWhere) {
  const std::string first = Text("a", "1"), second = Text("b", std::string(200, 'x'));
  for (size_t size = first.size() + 8; size < first.size() + second.size() - 4; ++size) {
    const ReadResult result = Read((first + second).substr(0, size), 256 << 20, 64);
    EXPECT_NE(result.error.find("byte " + std::to_string(first.size())), std::string::npos)
        << size << result.error;
    EXPECT_NE(result.error.find("truncated"), std::string::npos) << size;
  }
  const ReadResult huge = Read("WARC/1.0\r\nContent-Length: 9223372036854775807\r\n\r\nx", 100);
  EXPECT_NE(huge.error.find("truncated"), std::string::npos);
}

// At every cut, the records before it are the same as in the whole file, and nothing is lost
// silently.
TEST(Warc, EveryFrontOfAFileIsReadOrReported) {
  const std::string bytes = Warc("warcinfo", "", "text/plain", "x") +
                            Page("a", "3\r\n<p>\r\n1\r\nx\r\n0\r\n\r\n",
                                 "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n") +
                            "rubbish\r\n" + Text("b", "two") + Text("c", "three");
  const ReadResult whole = Read(bytes);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const ReadResult result = Read(bytes.substr(0, size), 256 << 20, 32);
    size_t seen = 0;
    for (const auto& record : result.records) seen += record.raw.size();
    for (const auto& piece : result.pass_through) seen += piece.second.size();
    if (result.error.empty()) {
      EXPECT_EQ(seen, size) << size;
    }
    for (size_t i = 0; i < result.records.size(); ++i) {
      if (result.records[i].rejected) continue;
      EXPECT_EQ(result.records[i].text, whole.records.at(i).text) << size;
    }
  }
}

TEST(Warc, GoesOnFromEveryPosition) {
  std::mt19937_64 random(7);
  const std::string parts[] = {Text("a", "one"),
                               Page("b", "<p>two\xE9"),
                               Warc("request", "c", "application/http", "GET\r\n\r\n"),
                               Text("long", std::string(300, 'x')),
                               Text("longer", std::string(700, 'y')),
                               "garbage\r\n",
                               "WARC/1.0\r\nContent-Length: 1\r\n\r\nwrong\r\n\r\n",
                               "\r\n\r\n"};
  for (const size_t block : {1, 64, 500, 1 << 20}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::string bytes;
      for (int i = 0; i < 30; ++i) bytes += parts[random() % std::size(parts)];
      ReaderSetup setup;
      setup.file = MakeInput("a.warc", bytes + Text("end", "x"), Format::kWarc);
      setup.limits.max_record = 500;
      setup.block_bytes = block;
      const ReadResult whole = ExpectSameFromEveryPosition(setup);
      EXPECT_EQ(whole.error, "");
      EXPECT_EQ(whole.records.back().id, "end");
    }
  }
}

}  // namespace
}  // namespace lookalike
