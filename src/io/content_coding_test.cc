#include "io/content_coding.h"

#include <arrow/result.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>

namespace lookalike {
namespace {

std::string Compressed(std::string_view text, arrow::Compression::type type,
                       arrow::util::GZipFormat format = arrow::util::GZipFormat::GZIP) {
  arrow::util::GZipCodecOptions gzip;
  gzip.gzip_format = format;
  const auto codec = (type == arrow::Compression::GZIP ? arrow::util::Codec::Create(type, gzip)
                                                       : arrow::util::Codec::Create(type))
                         .ValueOrDie();
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int64_t>(text.size());
  std::string out(static_cast<size_t>(codec->MaxCompressedLen(size, bytes)), '\0');
  out.resize(static_cast<size_t>(codec
                                     ->Compress(size, bytes, static_cast<int64_t>(out.size()),
                                                reinterpret_cast<uint8_t*>(out.data()))
                                     .ValueOrDie()));
  return out;
}

TEST(ContentCoding, DecodesWhatServersSend) {
  using Type = arrow::Compression;
  using Format = arrow::util::GZipFormat;
  std::string text = "<p>a page";
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::GZIP), "GZip", 1 << 20), text);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::GZIP), "x-gzip", 1 << 20), text);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::GZIP, Format::ZLIB), "deflate", 1 << 20), text);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::GZIP, Format::DEFLATE), "deflate", 1 << 20), text);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::BROTLI), "br", 1 << 20), text);
  EXPECT_EQ(DecodeContent(Compressed(text, Type::ZSTD), "zstd", 1 << 20), text);
  EXPECT_FALSE(IsContentCoding("compress"));
}

TEST(ContentCoding, ContentThatIsNotCodedStays) {
  for (const char* name : {"gzip", "deflate", "br", "zstd"}) {
    EXPECT_EQ(DecodeContent("<p>plain", name, 100), "<p>plain") << name;
    EXPECT_EQ(DecodeContent("", name, 100), "") << name;
  }
}

TEST(ContentCoding, GzipMayHaveSeveralMembers) {
  const auto gzip = [](std::string_view text) {
    return Compressed(text, arrow::Compression::GZIP);
  };
  const std::string members = gzip("one ") + gzip("") + gzip("two ") + gzip("three");
  EXPECT_EQ(DecodeContent(members, "gzip", 100), "one two three");
  EXPECT_EQ(DecodeContent(members + "\r\nno member", "gzip", 100), "one two three");
  EXPECT_EQ(DecodeContent(members, "gzip", 13), "one two three");
  EXPECT_FALSE(DecodeContent(members, "gzip", 12));
  const std::string long_text(100'000, 'a');
  EXPECT_EQ(DecodeContent(gzip(long_text) + gzip("b"), "gzip", 1 << 20), long_text + "b");
}

TEST(ContentCoding, WhatEndsTooEarlyCountsAsFarAsItGoes) {
  const std::string text(10'000, 'a'), gzip = Compressed(text, arrow::Compression::GZIP);
  for (size_t size = 0; size < gzip.size(); ++size) {
    const auto decoded = DecodeContent(gzip.substr(0, size), "gzip", 1 << 20);
    ASSERT_TRUE(decoded) << size;
    if (size >= 2) {
      EXPECT_TRUE(text.starts_with(*decoded)) << size;
    }
  }
}

TEST(ContentCoding, BombsAndRubbishAreErrors) {
  const std::string gzip = Compressed(std::string(1 << 20, 'a'), arrow::Compression::GZIP);
  EXPECT_TRUE(DecodeContent(gzip, "gzip", 1 << 20));
  const auto bomb = DecodeContent(gzip, "gzip", (1 << 20) - 1);
  ASSERT_FALSE(bomb);
  EXPECT_NE(bomb.error().what.find("$<max-record>"), std::string::npos);
  const auto rubbish = DecodeContent("\x1F\x8B\x08" + std::string(50, '\xFF'), "gzip", 100);
  ASSERT_FALSE(rubbish);
  EXPECT_NE(rubbish.error().what.find("Content-Encoding: gzip"), std::string::npos);
}

}  // namespace
}  // namespace lookalike
