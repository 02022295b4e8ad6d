// Tests lists and single values of lines of JSON.
#include "stages/input/json_items.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stages/input/json_record.h"

namespace lookalike {
namespace {

using namespace std::string_view_literals;

FieldPaths Fields(TextForm form, ItemWeights weights = ItemWeights::kAny) {
  FieldPaths fields;
  fields.text = "items";
  fields.form = form;
  fields.weights = weights;
  return fields;
}

struct Read {
  std::string text, problem, id;
  bool null_text = false, repaired = false;
};

/// Reads a line by both parsers, which must agree.
Read ReadLine(const std::string& line, const FieldPaths& fields) {
  const std::string padded = line + std::string(kReadablePadding, '"');
  const std::string_view view = std::string_view(padded).substr(0, line.size());
  JsonRecordParser parser(fields);
  TextArena arena, other;
  const JsonRecord quick = parser.Parse(view, &arena), full = parser.ParseFully(view, &other);
  EXPECT_EQ(quick.problem, full.problem) << line;
  EXPECT_EQ(quick.text, full.text) << line;
  EXPECT_EQ(quick.id, full.id) << line;
  EXPECT_EQ(quick.null_text, full.null_text) << line;
  EXPECT_EQ(quick.repaired, full.repaired) << line;
  return {std::string(full.text), full.problem, std::string(full.id), full.null_text,
          full.repaired};
}

/// Returns a value as a list; the separators as "|" and "=".
std::string ItemsOf(const std::string& value, ItemWeights weights = ItemWeights::kAny) {
  Read read = ReadLine("{\"items\": " + value + " }", Fields(TextForm::kItems, weights));
  if (!read.problem.empty()) return "problem: " + read.problem;
  for (char& c : read.text) c = c == kItemEnd ? '|' : c == kWeightBegin ? '=' : c;
  return read.text;
}

TEST(JsonItems, Scalars) {
  EXPECT_EQ(ItemsOf(R"(["red wine", "a\tb", "caf\u00e9", "", true, false])"),
            "red wine|a\tb|café||true|false|");
  EXPECT_EQ(ItemsOf("[]"), "");
  EXPECT_EQ(ItemsOf("[ ]"), "");
}

TEST(JsonItems, NumbersAreTheirValue) {
  EXPECT_EQ(ItemsOf("[1, 1.0, 1e0, 10e-1 , -0.0]"), "1|1|1|1|0|");
  EXPECT_EQ(ItemsOf("[9007199254740993, 18446744073709551616]"),
            "9007199254740993|18446744073709551616|");
  EXPECT_EQ(ItemsOf("[1e400, 1e-400, 0.1]"), "1e400|1e-400|0.1|");
}

TEST(JsonItems, WithWeights) {
  EXPECT_EQ(ItemsOf(R"([["a", 4.50], [7, -1e0], "b", [ true , 2 ] ])"), "a=4.5|7=-1|b|true=2|");
  EXPECT_EQ(ItemsOf(R"({"a": 3, "caf\u00e9" : 0.5, "a": 1})"), "a=3|café=0.5|a=1|");
  EXPECT_EQ(ItemsOf("{}"), "");
}

TEST(JsonItems, WhatIsNoListIsRejected) {
  const std::pair<const char*, const char*> cases[] = {
      {"[\"a\", null]", "field \"items\": item 2 is null"},
      {"[[\"a\", 1], {\"b\": 1}]", "item 2 is an object"},
      {"[[]]", "item 1 is an array of length 0"},
      {"[[\"a\"]]", "item 1 is an array of length 1"},
      {"[[\"a\", 1, 2]]", "item 1 is an array of length 3"},
      {"[[[\"a\"], 1]]", "item 1 is an array that begins with an array"},
      {"[[null, 1]]", "item 1 is an array that begins with null"},
      {"[[\"a\", \"1\"]]", "item 1 has a string for its weight"},
      {"[[\"a\", null]]", "item 1 has null for its weight"},
      {"[[\"a\", true]]", "item 1 has a boolean for its weight"},
      {"[[\"a\", 1e400]]", "item 1 has the weight 1e400"},
      {"{\"a\": 1, \"b\": null}", "item 2 has null for its weight"},
      {"{\"a\": {\"b\": 1}}", "item 1 has an object for its weight"},
      {"[\"a\\u001eb\"]", "item 1 contains U+001E or U+001F"},
      {"{\"a\\u001f\": 1}", "item 1 contains U+001E or U+001F"},
      {"\"a\\u001e\"", "field \"items\" contains U+001E or U+001F"},
      {"5", "field \"items\" is a number, expected a list"},
      {"true", "field \"items\" is a boolean, expected a list"}};
  for (const auto& [value, why] : cases) {
    EXPECT_NE(ItemsOf(value).find(why), std::string::npos) << value << ": " << ItemsOf(value);
  }
}

TEST(JsonItems, RatingsAreDemanded) {
  EXPECT_EQ(ItemsOf("[[\"a\", 2.5]]", ItemWeights::kNeeded), "a=2.5|");
  EXPECT_NE(ItemsOf("[\"a\"]", ItemWeights::kNeeded).find("has no rating"), std::string::npos);
  EXPECT_NE(ItemsOf("\"a\"", ItemWeights::kNeeded).find("no rating"), std::string::npos);
  EXPECT_NE(ItemsOf("{\"a\": 2.5}", ItemWeights::kCounts).find("whole number"), std::string::npos);
}

TEST(JsonItems, StringsStayAndNullIsNull) {
  EXPECT_EQ(ItemsOf("\"a\\nb\""), "a\nb");
  EXPECT_TRUE(ReadLine(R"({"items": null})", Fields(TextForm::kItems)).null_text);
  EXPECT_NE(ReadLine("{}", Fields(TextForm::kItems)).problem.find("is missing, expected a list"),
            std::string::npos);
}

TEST(JsonItems, InvalidTextIsReplaced) {
  const Read lone = ReadLine(R"({"items": ["a\ud800", "b"]})", Fields(TextForm::kItems));
  EXPECT_EQ(lone.text,
            "a\uFFFD\x1E"
            "b\x1E"sv);
  EXPECT_TRUE(lone.repaired);
  const Read low =
      ReadLine(R"({"items": {"\udc00": 1, "n": 1e999999}, "n": 1e999})", Fields(TextForm::kItems));
  EXPECT_NE(low.problem.find("item 2 has the weight 1e999999"), std::string::npos) << low.problem;
  const Read bytes = ReadLine("{\"items\": [\"a\xFF\", 1e400]}", Fields(TextForm::kItems));
  EXPECT_EQ(bytes.text,
            "a\uFFFD\x1E"
            "1e400\x1E"sv);
}

TEST(JsonItems, ListsOfTextFieldsStayRejected) {
  EXPECT_EQ(ReadLine(R"({"items": ["a"]})", Fields(TextForm::kText)).problem,
            "field \"items\" is an array, expected a string");
}

TEST(JsonItems, SingleValues) {
  const auto value = [](const std::string& text) {
    return ReadLine("{\"items\": " + text + ", \"id\": 2.50}", Fields(TextForm::kValue));
  };
  EXPECT_EQ(value("\"a\\u001eb\"").text,
            "a\x1E"
            "b"sv);
  EXPECT_EQ(value("1.0").text, "1");
  EXPECT_EQ(value("1e400 ").text, "1e400");
  EXPECT_EQ(value("true").text, "true");
  EXPECT_EQ(value("true").id, "2.5") << "ids as well";
  EXPECT_TRUE(value("null").null_text);
  EXPECT_EQ(value("[1]").problem,
            "field \"items\" is an array, expected a string, number or boolean");
  EXPECT_EQ(ReadLine(R"({"items": "a", "id": 2.50})", Fields(TextForm::kItems)).id, "2.50");
}

/// Returns the records that one parser makes of several lines, one after the other.
std::vector<JsonRecord> ReadLines(const std::vector<std::string>& lines, const FieldPaths& fields,
                                  TextArena* arena) {
  JsonRecordParser parser(fields);
  std::vector<JsonRecord> records;
  for (const std::string& line : lines) {
    const std::string padded = line + std::string(kReadablePadding, '"');
    JsonRecord record = parser.Parse(std::string_view(padded).substr(0, line.size()), arena);
    record.text = arena->Copy(record.text);
    record.id = arena->Copy(record.id);
    records.push_back(std::move(record));
  }
  return records;
}

TEST(JsonItems, AListUnderAnEscapedKeyIsThatOfItsLine) {
  TextArena arena;
  const auto records = ReadLines(
      {R"({"id":"4","items":["x","y","z",1e999]})", R"({"id":"5","\u0069tems":["x","y"]})",
       R"({"id":"6","items":["x",null]})", R"({"id":"7","item\u0073" : ["v", 1.0]})"},
      Fields(TextForm::kItems), &arena);
  EXPECT_EQ(records[0].text,
            "x\x1Ey\x1Ez\x1E"
            "1e999\x1E"sv);
  EXPECT_EQ(records[1].problem, "");
  EXPECT_EQ(records[1].text, "x\x1Ey\x1E"sv);
  EXPECT_EQ(records[1].id, "5");
  EXPECT_NE(records[2].problem, "");
  EXPECT_EQ(records[3].problem, "");
  EXPECT_EQ(records[3].text,
            "v\x1E"
            "1\x1E"sv);
}

TEST(JsonItems, OfFieldsOfOneNameTheFirstCounts) {
  const FieldPaths fields = Fields(TextForm::kItems);
  for (const char* line :
       {R"({"items": ["a"], "items": ["b"]})", R"({"items": ["a"], "\u0069tems": ["b"]})",
        R"({"\u0069tems": ["a"], "items": ["b"]})"}) {
    EXPECT_EQ(ReadLine(line, fields).text, "a\x1E"sv) << line;
  }
}

TEST(JsonItems, NestedFieldsUnderEscapedKeys) {
  FieldPaths fields = Fields(TextForm::kItems);
  fields.text = "a.b.c";
  for (const char* line :
       {R"({"x": {}, "\u0061": {"n": [1, 2], "b\u002ec": [1.0]}})",
        R"({"a": {"\u0062": {"c": [1.0]}, "b": 2}, "a": {"b.c": [3]}})",
        R"({"a.b": 5, "a": {"b.c": [1.0]}})", R"({"a": {"b": {"c": [2]}}, "a\u002eb.c": [1.0]})"}) {
    EXPECT_EQ(ReadLine(line, fields).text, "1\x1E"sv) << line;
  }
  for (const char* line : {R"({"a": 1, "\u0061": {"b": {"c": [1]}}})", R"({"\u0061": {}})"}) {
    EXPECT_NE(ReadLine(line, fields).problem.find("is missing"), std::string::npos) << line;
  }
}

// The parser's room for strings is less than twice the line.
TEST(JsonItems, ALongKeyBesideANestedList) {
  FieldPaths fields = Fields(TextForm::kItems);
  fields.text = "a.b";
  const std::string key(1 << 20, 'k');
  const std::string line = "{\"" + key + R"(": 1, "\u0061": {"b": ["c"]}})";
  EXPECT_EQ(ReadLine(line, fields).text, "c\x1E"sv);
}

TEST(JsonItems, SpelledValuesUnderEscapedKeys) {
  FieldPaths fields = Fields(TextForm::kValue);
  fields.keep = "k";
  TextArena arena;
  const auto records = ReadLines({R"({"items": "a", "\u0069d": 2.50, "\u006b": 1e400})",
                                  R"({"\u0069tems": 1e400, "i\u0064": 1e999, "\u006b": 7})",
                                  R"({"items": "a", "\u0069d": 1.0, "id": 2.0, "k": -1e400})"},
                                 fields, &arena);
  EXPECT_EQ(records[0].id, "2.5");
  EXPECT_EQ(records[0].keep_field, FieldValue(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(records[1].text, "1e400");
  EXPECT_EQ(records[1].id, "1e999");
  EXPECT_EQ(records[1].keep_field, FieldValue(int64_t{7}));
  EXPECT_EQ(records[2].id, "1");
  EXPECT_EQ(records[2].keep_field, FieldValue(-std::numeric_limits<double>::infinity()));
}

TEST(JsonItems, LimitOfBytes) {
  const std::string line = R"({"items": ["abc", 1e30]})";
  const std::string padded = line + std::string(kReadablePadding, '"');
  for (const uint64_t most : {36U, 35U}) {
    JsonRecordParser parser(Fields(TextForm::kItems), most);
    TextArena arena;
    const JsonRecord record = parser.Parse(std::string_view(padded).substr(0, line.size()), &arena);
    EXPECT_EQ(record.problem.empty(), most == 36) << record.problem;
  }
}

TEST(JsonItems, ManyEscapedItemsTakeLinearTime) {
  std::string line = "{\"items\": [\"\\u00e9\"";
  for (int i = 0; i < 200'000; ++i) line += ",\"\\u00e9" + std::to_string(i) + "\"";
  EXPECT_EQ(ReadLine(line + "]}", Fields(TextForm::kItems)).problem, "");
}

/// Returns a value that is usually a list.
std::string RandomList(std::mt19937_64* random) {
  constexpr const char* kParts[] = {
      "\"a\"",       "\"\\u00e9\"",     "1",       "1.50",   "-1e2",
      "true",        "[\"b\", 2]",      "[3,4.5]", "null",   "[1]",
      "{\"c\":1}",   "\"\\ud800\"",     "1e400",   "[[],1]", "[\"d\",\"e\"]",
      "\"\\u001e\"", "[\"f\" , 1e400]", "[ ]",     "\"\"",   "[true,0]"};
  const bool object = (*random)() % 4 == 0;
  std::string list = object ? "{" : "[";
  const size_t count = (*random)() % 5;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) list += (*random)() % 2 == 0 ? "," : " , ";
    const size_t parts = (*random)() % 3 == 0 ? std::size(kParts) : 8;
    if (object) list += "\"k\\n" + std::to_string(i) + "\":";
    list += kParts[(*random)() % parts];
  }
  return list + (object ? "}" : "]");
}

TEST(JsonItems, TheShortCutTellsTheSameAsTheFullParser) {
  std::mt19937_64 random(5);
  size_t good = 0;
  for (int i = 0; i < 20'000 && !::testing::Test::HasFailure(); ++i) {
    const std::string line =
        "{\"id\":" + std::to_string(i) + ",\"items\":" + RandomList(&random) + ",\"x\":\"\\n\"}";
    for (const auto weights : {ItemWeights::kAny, ItemWeights::kNeeded, ItemWeights::kCounts}) {
      good += ReadLine(line, Fields(TextForm::kItems, weights)).problem.empty();
    }
    ReadLine(line, Fields(TextForm::kValue));
  }
  EXPECT_GT(good, 10'000U);
  EXPECT_LT(good, 50'000U);
}

}  // namespace
}  // namespace lookalike
