#include "stages/input/warc_record.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lookalike {
namespace {

using Outcome = WarcScan::Outcome;

std::string Record(std::string_view content, const std::string& more = "") {
  return "WARC/1.0\r\nWARC-Type: resource\r\n" + more +
         "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + std::string(content) +
         "\r\n\r\n";
}

TEST(WarcRecord, FindsHeadersByName) {
  const std::string_view head =
      "WARC/1.0\r\nA: one\r\nContent-Length:2 \r\ncontent-length: 3\r\n\r\n";
  EXPECT_EQ(FindHeader(head, "content-length"), "2");
  EXPECT_EQ(FindHeader(head, "a"), "one");
  EXPECT_FALSE(FindHeader(head, "Length"));
  EXPECT_FALSE(FindHeader(head, "WARC/1.0"));
  EXPECT_EQ(EndOfHead("a\r\n\r\nb"), 5u);
  EXPECT_EQ(EndOfHead("a\n\nb"), 3u);
  EXPECT_EQ(EndOfHead("a\r\nb\r\n"), std::string_view::npos);
}

TEST(WarcRecord, ScansRecordsOneByOne) {
  const std::string first = Record("one"), bytes = first + Record("two");
  const WarcScan scan = ScanWarcRecord(bytes, true, 1000);
  EXPECT_EQ(scan.outcome, Outcome::kRecord);
  EXPECT_EQ(scan.length, first.size());
  EXPECT_EQ(scan.content, 3u);
  EXPECT_EQ(bytes.substr(scan.head, 3), "one");
}

TEST(WarcRecord, TakesLineEndsAsTheyAre) {
  const std::string bytes = "WARC/1.1\nContent-Length: 1\n\nx";
  for (const std::string_view behind : {"", "\n", "\n\n", "\r\n\r\n", "\r\n"}) {
    const std::string file = bytes + std::string(behind);
    EXPECT_EQ(ScanWarcRecord(file, true, 1000).length, file.size());
    EXPECT_EQ(ScanWarcRecord(file + bytes, true, 1000).length, file.size());
  }
}

// Everything that can be decided is decided without the rest of the file; nothing is decided too
// early.
TEST(WarcRecord, AsksForMoreUntilItCanTell) {
  const std::string whole = Record("one") + Record("two");
  const WarcScan known = ScanWarcRecord(whole, true, 1000);
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::string_view front = std::string_view(whole).substr(0, size);
    const WarcScan scan = ScanWarcRecord(front, false, 1000);
    if (scan.outcome == Outcome::kNeedsMore) {
      EXPECT_GT(scan.length, size);
    } else {
      EXPECT_EQ(scan.outcome, Outcome::kRecord);
      EXPECT_EQ(scan.length, known.length);
    }
    const bool is_whole = size >= known.length - 4;
    EXPECT_EQ(ScanWarcRecord(front, true, 1000).outcome == Outcome::kTruncated,
              !is_whole && size >= kWarcMagic.size())
        << size;
  }
}

TEST(WarcRecord, AWrongLengthCostsItsRecordOnly) {
  for (const char* length : {"1", "10", "", "x", "-3", "3x", "99999999999999999999"}) {
    const std::string bad =
        "WARC/1.0\r\nContent-Length: " + std::string(length) + "\r\n\r\nfive5\r\n\r\n";
    const WarcScan scan = ScanWarcRecord(bad + Record("two"), true, 1000);
    EXPECT_EQ(scan.outcome, Outcome::kBroken) << length;
    EXPECT_EQ(scan.length, bad.size()) << length;
    EXPECT_NE(scan.problem.find("Content-Length"), std::string::npos);
  }
}

// Judging a length by the record's end gives the same result as the whole file.
TEST(WarcRecord, DoubtfulLengthsAreToldByTheirEnds) {
  const std::string inner = Record("inner");
  for (const size_t length : {inner.size() + 8, inner.size() + 20, inner.size() + 900}) {
    const std::string file = "WARC/1.0\r\nContent-Length: " + std::to_string(length) +
                             "\r\n\r\nbefore\r\n" + inner + "\r\n\r\n" + Record("two");
    const std::string_view front = std::string_view(file).substr(0, 80);
    const WarcScan scan = ScanWarcRecord(front, false, 1000);
    const WarcScan whole = ScanWarcRecord(file, true, 1000);
    ASSERT_TRUE(IsDoubtful(front, scan));
    EXPECT_FALSE(IsDoubtful(front.substr(0, 40), ScanWarcRecord(front.substr(0, 40), false, 1000)));
    const size_t last = std::min<uint64_t>(file.size(), scan.head + scan.content - 1);
    const bool ends = EndsWhereItSays(std::string_view(file).substr(last, kAroundWarcEnd));
    EXPECT_EQ(ends, length == inner.size() + 8) << length;
    EXPECT_EQ(ends, whole.outcome == Outcome::kRecord) << length;
    if (ends) continue;
    const WarcScan wrong = WrongLength(front, scan);
    EXPECT_EQ(wrong.outcome, whole.outcome);
    EXPECT_EQ(wrong.length, whole.length);
    EXPECT_EQ(wrong.problem, whole.problem);
  }
}

TEST(WarcRecord, LongRecordsAreDoubtfulAsWell) {
  const std::string inside = Record("x\r\n" + Record("in") + std::string(100, 'x'));
  EXPECT_TRUE(IsDoubtful(inside, ScanWarcRecord(inside, true, 99)));
  EXPECT_TRUE(IsDoubtful(inside.substr(0, 90), ScanWarcRecord(inside.substr(0, 90), false, 99)));
  const std::string behind = Record(std::string(100, 'x')) + Record("two");
  EXPECT_FALSE(IsDoubtful(behind, ScanWarcRecord(behind, true, 99)));
}

TEST(WarcRecord, GarbageEndsWhereARecordBegins) {
  const std::string garbage = "no record\r\n";
  const WarcScan scan = ScanWarcRecord(garbage + Record("x"), true, 1000);
  EXPECT_EQ(scan.outcome, Outcome::kBroken);
  EXPECT_EQ(scan.length, garbage.size());
  EXPECT_EQ(ScanWarcRecord(garbage, true, 1000).length, garbage.size());
  EXPECT_EQ(ScanWarcRecord(garbage, false, 1000).outcome, Outcome::kNeedsMore);
  EXPECT_EQ(ScanWarcRecord(garbage, false, 5).length, garbage.size() - kWarcMagic.size());
}

TEST(WarcRecord, AHeaderWithoutEndIsNone) {
  const std::string bytes = "WARC/1.0\r\n" + std::string(kMostWarcHead, 'x') + "\r\n" + Record("x");
  const WarcScan scan = ScanWarcRecord(bytes, true, 1 << 20);
  EXPECT_EQ(scan.outcome, Outcome::kBroken);
  EXPECT_EQ(scan.length, bytes.size() - Record("x").size());
}

TEST(WarcRecord, LongRecordsAreToldByTheirHeader) {
  const std::string bytes = Record(std::string(100, 'x'));
  EXPECT_EQ(ScanWarcRecord(bytes, true, 99).outcome, Outcome::kTooLong);
  EXPECT_EQ(ScanWarcRecord(bytes, true, 100).outcome, Outcome::kRecord);
  EXPECT_EQ(ScanWarcRecord(bytes.substr(0, 80), false, 99).outcome, Outcome::kNeedsMore);
}

WarcPage Response(std::string_view http) {
  return ReadWarcPage(
      "WARC/1.0\r\nWARC-Type: response\r\n"
      "Content-Type: application/http; msgtype=response\r\n\r\n",
      http);
}

TEST(WarcRecord, ReadsResponses) {
  const WarcPage page = Response(
      "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; a=b; charset=\"Shift_JIS\"\r\n"
      "transfer-encoding: gzip, chunked\r\nContent-Encoding: GZIP\r\n\r\nbody");
  EXPECT_TRUE(page.is_document && page.has_text && page.chunked);
  EXPECT_EQ(page.kind, TextKind::kHtml);
  EXPECT_EQ(page.charset, "Shift_JIS");
  EXPECT_EQ(page.coding, "GZIP");
  EXPECT_EQ(page.body, "body");
}

TEST(WarcRecord, TypesSayWhatIsText) {
  const auto kind = [](const std::string& type, const std::string& body = "x") {
    const std::string line = type.empty() ? "" : "Content-Type: " + type + "\r\n";
    const WarcPage page = Response("HTTP/1.1 200 OK\r\nServer: s\r\n" + line + "\r\n" + body);
    return !page.has_text ? "none" : page.kind == TextKind::kHtml ? "html" : "text";
  };
  EXPECT_STREQ(kind("text/html"), "html");
  EXPECT_STREQ(kind("application/xhtml+xml;charset=x"), "html");
  EXPECT_STREQ(kind("text/plain"), "text");
  EXPECT_STREQ(kind("application/rss+xml"), "text");
  EXPECT_STREQ(kind("image/png"), "none");
  EXPECT_STREQ(kind("image/svg+xml"), "none");
  EXPECT_STREQ(kind("application/pdf"), "none");
  EXPECT_STREQ(kind("", " <!DocType HTML><p>"), "html");
  EXPECT_STREQ(kind("", "plain"), "text");
  EXPECT_STREQ(kind("", std::string("a\0b", 3)), "none");
  EXPECT_STREQ(kind("text/html\r\nContent-Encoding: compress"), "none");
  EXPECT_STREQ(kind("text/html\r\nContent-Encoding: identity"), "html");
}

TEST(WarcRecord, OnlySomeRecordsAreDocuments) {
  const auto is_document = [](const std::string& type, const std::string& content_type) {
    return ReadWarcPage(
               "WARC/1.0\r\nWARC-Type: " + type + "\r\nContent-Type: " + content_type + "\r\n\r\n",
               "x")
        .is_document;
  };
  EXPECT_TRUE(is_document("response", "application/http"));
  EXPECT_TRUE(is_document("conversion", "text/plain"));
  EXPECT_TRUE(is_document("Resource", "text/html"));
  EXPECT_FALSE(is_document("response", "text/dns"));
  for (const char* type : {"warcinfo", "request", "metadata", "revisit", "continuation", ""}) {
    EXPECT_FALSE(is_document(type, "application/http")) << type;
  }
}

TEST(WarcRecord, JoinsChunks) {
  EXPECT_EQ(JoinChunks("3\r\nabc\r\n0A;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"),
            "abc0123456789");
  EXPECT_EQ(JoinChunks("3\r\nabc\r\n5\r\nde"), "abcde");
  EXPECT_EQ(JoinChunks("3\r\nabc\r\nno size\r\n"), "abc");
  EXPECT_EQ(JoinChunks("<p>no chunks"), "<p>no chunks");
  EXPECT_EQ(JoinChunks("5\r\nhello"), "hello");
  EXPECT_EQ(JoinChunks("5\r\nhello\r"), "hello");
  // Nothing after the body is taken.
  EXPECT_EQ(JoinChunks(std::string_view("5\r\nhello\r\n1\r\nx").substr(0, 8)), "hello");
  EXPECT_EQ(JoinChunks("add\r\n"), "");
  EXPECT_EQ(JoinChunks(""), "");
  EXPECT_EQ(JoinChunks("ffffffffffffffff\r\nabc"), "abc");
  EXPECT_EQ(JoinChunks("fffffffffffffffff\r\nabc"), "fffffffffffffffff\r\nabc");
}

}  // namespace
}  // namespace lookalike
