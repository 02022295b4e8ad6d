#include "format/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace lookalike {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(&out, text);
  return out;
}

std::string Number(double number) {
  std::string out;
  AppendJsonNumber(&out, number);
  return out;
}

TEST(JsonText, KeepsValidUtf8AsItIs) {
  EXPECT_EQ(Quoted("plain"), "\"plain\"");
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("é 漢 😀 \xF4\x8F\xBF\xBF"), "\"é 漢 😀 \xF4\x8F\xBF\xBF\"");
}

TEST(JsonText, EscapesWhatJsonAndLinesCannotHold) {
  EXPECT_EQ(Quoted("a\"b\\c/"), "\"a\\\"b\\\\c/\"");
  EXPECT_EQ(Quoted(std::string_view("\0\x01\n\r\t\b\f\x1F\x7F", 9)),
            "\"\\u0000\\u0001\\n\\r\\t\\b\\f\\u001f\\u007f\"");
  EXPECT_EQ(Quoted("\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA"), "\"\\u2028\\u2029\xE2\x80\xAA\"");
}

TEST(JsonText, ReplacesInvalidUtf8BySequence) {
  EXPECT_EQ(Quoted("a\x80z"), "\"a\\ufffdz\"");
  EXPECT_EQ(Quoted("\xC0\xAF"), "\"\\ufffd\\ufffd\"");             // Overlong.
  EXPECT_EQ(Quoted("\xED\xA0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");  // Surrogate.
  EXPECT_EQ(Quoted("\xF0\x9F\x98"), "\"\\ufffd\"");                // Cut at the end.
  EXPECT_EQ(Quoted("\xF0\x9F\x98x"), "\"\\ufffdx\"");              // Cut in the middle.
  EXPECT_EQ(Quoted("\xF4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

TEST(JsonText, EveryPairOfBytesIsValidJson) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      std::string text{static_cast<char>(a), static_cast<char>(b)};
      ASSERT_TRUE(nlohmann::json::accept(Quoted(text))) << a << " " << b;
    }
  }
}

TEST(JsonText, NumbersAreShortestAndReal) {
  EXPECT_EQ(Number(1), "1.0");
  EXPECT_EQ(Number(0), "0.0");
  EXPECT_EQ(Number(-3), "-3.0");
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(0.8123), "0.8123");
  EXPECT_EQ(Number(1e300), "1e+300");
  EXPECT_EQ(Number(std::nan("")), "null");
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonText, NumbersReadBackExactly) {
  for (double value : {1.0 / 3, 2.0 / 3, 650.0 / 800, 5e-324, 1.7976931348623157e308, 1e21, 1e15}) {
    EXPECT_EQ(std::strtod(Number(value).c_str(), nullptr), value);
    EXPECT_TRUE(nlohmann::json::accept(Number(value)));
  }
}

}  // namespace
}  // namespace lookalike
