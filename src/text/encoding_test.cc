#include "text/encoding.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

std::string Read(std::string_view bytes, std::string_view label = "", bool is_html = false) {
  std::string storage;
  return std::string(ToUtf8(bytes, {label, is_html}, &storage));
}

TEST(Encoding, AByteOrderMarkGoesBeforeAllElse) {
  EXPECT_EQ(Read("\xEF\xBB\xBF\xC3\xA9", "windows-1252"), "\u00e9");
  EXPECT_EQ(Read(std::string("\xFF\xFE\xE9\0b\0", 6), "utf-8"), "\u00e9b");
  EXPECT_EQ(Read(std::string("\xFE\xFF\0\xE9\0b", 6), "utf-8"), "\u00e9b");
  EXPECT_EQ(Read(std::string("\xFF\xFE\x3D\xD8\x00\xDE", 6)), "\U0001F600");
}

TEST(Encoding, ALabelGoesBeforeAMeta) {
  const std::string page = "<meta charset=shift_jis>\xE9";
  EXPECT_EQ(Read(page, "ISO-8859-1", true).substr(24), "\u00e9");
  EXPECT_EQ(Read("\x82\xA0\x82\xA2", " Shift_JIS "), "\u3042\u3044");
  EXPECT_EQ(Read("\xA4\xA2", "euc-jp"), "\u3042");
  EXPECT_EQ(Read("\x1B$B$\"\x1B(B", "iso-2022-jp"), "\u3042");
  EXPECT_EQ(Read("\xC4\xE3", "gb2312"), "\u4f60");
  EXPECT_EQ(Read("\xA7\x41", "big5"), "\u4f60");
  EXPECT_EQ(Read("\xB0\xA1", "euc-kr"), "\uac00");
  EXPECT_EQ(Read("\xCF\xF0", "windows-1251"), "\u041f\u0440");
  EXPECT_EQ(Read("\x80", "latin1"), "\u20ac");
}

TEST(Encoding, AMetaSpeaksForPagesOnly) {
  const std::string page = "<html><meta charset=\"windows-1251\"><p>\xCF\xF0";
  EXPECT_EQ(Read(page, "", true).substr(38), "\u041f\u0440");
  EXPECT_EQ(Read(page, "", false).substr(38), "\u00cf\u00f0");
  const std::string old =
      "<META http-equiv='Content-Type' content='text/html; charset=koi8-r'>\xF0";
  EXPECT_EQ(Read(old, "", true).substr(68), "\u041f");
  EXPECT_EQ(Read("<!-- <meta charset=koi8-r> -->\xF0", "", true).substr(30), "\u00f0");
}

TEST(Encoding, AMetaCountsWithinItsFirstBytesOnly) {
  const std::string meta = "<meta charset=windows-1251>";
  const std::string near = std::string(1024 - meta.size(), ' ') + meta + "\xCF";
  EXPECT_EQ(Read(near, "", true).substr(1024), "\u041f");
  const std::string far = std::string(1024, ' ') + meta + "\xCF";
  EXPECT_EQ(Read(far, "", true).substr(1024 + meta.size()), "\u00cf");
}

// A <meta> that says UTF-16 was read as ASCII, so it cannot be right.
TEST(Encoding, AMetaCannotSayUtf16) {
  EXPECT_EQ(Read("<meta charset=utf-16>\xC3\xA9", "", true).substr(21), "\u00e9");
}

TEST(Encoding, UnknownLabelsSayNothing) {
  EXPECT_EQ(Read("\xE9", "klingon"), "\u00e9");
  EXPECT_EQ(Read("\xC3\xA9", "klingon"), "\u00e9");
  EXPECT_EQ(Read("\xE9", "hz-gb-2312"), "\u00e9");  // which the standard maps to "replacement"
  EXPECT_EQ(Read("<meta charset=utf-7>\xE9", "", true).substr(20), "\u00e9");
}

TEST(Encoding, WithoutAnyHintValidUtf8IsUtf8) {
  EXPECT_EQ(Read("caf\xC3\xA9"), "caf\u00e9");
  EXPECT_EQ(Read("caf\xE9 \x93q\x94"), "caf\u00e9 \u201cq\u201d");
  EXPECT_EQ(Read(""), "");
}

TEST(Encoding, WhatAnEncodingDoesNotHaveIsReplaced) {
  EXPECT_EQ(Read("a\x82", "shift_jis"), "a\ufffd");
  EXPECT_EQ(Read("\xFF\xFF"
                 "b",
                 "euc-kr"),
            "\ufffd\ufffd"
            "b");
  EXPECT_EQ(Read("\xC3(", "utf-8"), "\xC3(");
}

TEST(Encoding, LongTextsAreWhole) {
  std::string bytes, text;
  for (int i = 0; i < 10'000; ++i) {
    bytes += "\xCF" + std::to_string(i);
    text += "\u041f" + std::to_string(i);
  }
  EXPECT_EQ(Read(bytes, "windows-1251"), text);
}

}  // namespace
}  // namespace lookalike
