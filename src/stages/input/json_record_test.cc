// The short cut for plain lines may differ from the full parser only in speed.
#include "stages/input/json_record.h"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "stages/input/json_tokens.h"

namespace lookalike {
namespace {

using Random = std::mt19937_64;

size_t Below(size_t limit, Random* random) { return (*random)() % limit; }

template <size_t N>
std::string Pick(const char* const (&pieces)[N], Random* random) {
  return pieces[Below(N, random)];
}

std::string RandomStringBody(Random* random) {
  constexpr const char* kPieces[] = {"a",
                                     "text ",
                                     "\\n",
                                     "\\\"",
                                     "\\\\",
                                     "\\/",
                                     "\\b\\f\\r\\t",
                                     "\\u00e9",
                                     "\\u0041",
                                     "\\ud83d\\ude00",
                                     "\\ud800",
                                     "\\udc00",
                                     "\\udc00\\ud800",
                                     "\xC3\xA9",
                                     "\xE2\x82\xAC",
                                     "\xF0\x9F\x98\x80",
                                     "\xED\x95\x9C",
                                     "\\u0000",
                                     "\\uFFFF",
                                     "{",
                                     "}",
                                     "[1,",
                                     ":",
                                     ",",
                                     "//",
                                     "'"};
  constexpr const char* kBad[] = {"\\x", "\\u12g4", "\\u12", "\xFF", "\t", "\xE2\x82", "\\", "\n"};
  std::string body;
  for (size_t i = Below(6, random); i > 0; --i) body += Pick(kPieces, random);
  if (Below(40, random) == 0) body += Pick(kBad, random);
  if (Below(20, random) == 0) body += std::string(Below(200, random), 'x');
  if (Below(20, random) == 0) body += Pick(kPieces, random);
  return body;
}

std::string RandomNumber(Random* random) {
  constexpr const char* kNumbers[] = {"0",
                                      "-0",
                                      "17",
                                      "-3",
                                      "1.50",
                                      "2E3",
                                      "-0.0",
                                      "1e-5",
                                      "0e1",
                                      "999999999999999999",
                                      "9223372036854775807",
                                      "0.1",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "123456789012345678901234567890",
                                      "1e308",
                                      "1e309",
                                      "-1e999",
                                      "1e-999",
                                      "123456789012345678.123456789012345678e99",
                                      "0.30000000000000004",
                                      "2.2250738585072011e-308",
                                      "1E+2"};
  constexpr const char* kBad[] = {"01",       "-",   "+1",  ".5",  "1.",    "1e",
                                  "1e+",      "0x1", "1_0", "--1", "1.5.3", "NaN",
                                  "Infinity", "00",  "-01", "1,5", "1 2"};
  if (Below(40, random) == 0) return Pick(kBad, random);
  return Below(2, random) == 0 ? Pick(kNumbers, random) : std::to_string(Below(5000, random));
}

std::string RandomKey(Random* random) {
  constexpr const char* kKeys[] = {"text", "id",   "k", "a",  "b", "a.b", "a.b.c",     "k.id",
                                   "",     "Text", "x", "ID", "c", "b.c", "t\\u0065xt"};
  return Pick(kKeys, random);
}

std::string RandomSpace(Random* random) {
  constexpr const char* kSpace[] = {"", "", "", "", " ", "  ", "\t", "\r", " \t "};
  return Pick(kSpace, random);
}

std::string RandomObject(int depth, Random* random);

std::string RandomArray(int depth, Random* random);

std::string RandomValue(int depth, Random* random) {
  constexpr const char* kAtoms[] = {"true", "false", "null"};
  constexpr const char* kBad[] = {"tru", "nul", "nullx", "True", "\"",
                                  "",    "{",   "]",     "\x0C", "\x1A"};
  if (Below(60, random) == 0) return Pick(kBad, random);
  switch (Below(depth > 3 ? 4 : 6, random)) {
    case 0:
      return Pick(kAtoms, random);
    case 1:
      return RandomNumber(random);
    case 4:
      return RandomObject(depth + 1, random);
    case 5:
      return RandomArray(depth + 1, random);
    default:
      return "\"" + RandomStringBody(random) + "\"";
  }
}

std::string RandomArray(int depth, Random* random) {
  std::string array = "[" + RandomSpace(random);
  const size_t members = Below(4, random);
  for (size_t i = 0; i < members; ++i) {
    array += (i > 0 ? "," : "") + RandomValue(depth, random) + RandomSpace(random);
  }
  return array + "]";
}

std::string RandomObject(int depth, Random* random) {
  std::string object = "{" + RandomSpace(random);
  const size_t members = Below(5, random);
  for (size_t i = 0; i < members; ++i) {
    object += (i > 0 ? "," : "") + RandomSpace(random) + "\"" + RandomKey(random) + "\"" +
              RandomSpace(random) + ":" + RandomSpace(random) + RandomValue(depth, random);
  }
  return object + RandomSpace(random) + "}";
}

// Returns a line that has the wanted fields more often than by chance.
std::string RandomLine(Random* random) {
  std::string line = RandomObject(0, random);
  if (Below(4, random) > 0 && line.back() == '}') {
    line.pop_back();
    if (line.find_last_not_of(" \t\r{") != line.npos) line += ",";
    line += "\"text\":\"" + RandomStringBody(random) + "\",\"id\":" + RandomValue(4, random) +
            ",\"k\":" + RandomValue(4, random) + "}";
  }
  return RandomSpace(random) + line + RandomSpace(random);
}

void Mutate(std::string* line, Random* random) {
  constexpr const char* kTokens[] = {"{",        "}",   "[",    "]",    ",",           ":", "\"",
                                     "\\",       " ",   "0",    "-",    "e",           ".", "null",
                                     "\"a\":1,", "\\u", "\x80", "\x01", "\xEF\xBB\xBF"};
  const size_t at = Below(line->size() + 1, random);
  switch (Below(5, random)) {
    case 0:
      line->insert(at, Pick(kTokens, random));
      break;
    case 1:
      line->resize(at);
      break;
    case 2:
      if (at < line->size()) line->erase(at, 1 + Below(3, random));
      break;
    case 3:
      if (at < line->size()) (*line)[at] = static_cast<char>((*random)());
      break;
    default:
      if (at < line->size()) (*line)[at] ^= static_cast<char>(1 << Below(8, random));
  }
}

// A line followed only by the readable padding, which looks like JSON.
class PaddedLine {
 public:
  explicit PaddedLine(const std::string& line)
      : bytes_(line + std::string(kReadablePadding, '"')), size_(line.size()) {}
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::string bytes_;
  size_t size_;
};

void ExpectSame(const std::string& line, JsonRecordParser* parser) {
  const PaddedLine padded(line);
  TextArena arena, other;
  const JsonRecord quick = parser->Parse(padded.view(), &arena);
  const JsonRecord full = parser->ParseFully(padded.view(), &other);
  EXPECT_EQ(quick.problem, full.problem) << line;
  EXPECT_EQ(quick.text, full.text) << line;
  EXPECT_EQ(quick.id, full.id) << line;
  EXPECT_EQ(quick.has_id, full.has_id) << line;
  EXPECT_EQ(quick.null_text, full.null_text) << line;
  EXPECT_EQ(quick.repaired, full.repaired) << line;
  EXPECT_EQ(quick.keep_field, full.keep_field) << line;
  EXPECT_EQ(quick.values, full.values) << line;
}

bool IsPlain(const std::string& line) {
  const PaddedLine padded(line);
  JsonTokens tokens;
  return tokens.Read(padded.view()) && tokens.CheckOtherStrings();
}

TEST(JsonRecord, TheShortCutTellsTheSameAsTheFullParser) {
  std::vector<FieldPaths> all_fields = {{"text", "id", "k"},
                                        {"text", "text", "text"},
                                        {"a.b", "k.id", "a.b.c"},
                                        {"text", "k", ""},
                                        {"id", "k", "text", TextForm::kItems},
                                        {"a", "id", "", TextForm::kItems, ItemWeights::kCounts},
                                        {"id", "k", "text", TextForm::kValue}};
  Random random(11);
  size_t plain = 0, documents = 0;
  for (size_t i = 0; i < all_fields.size(); i += 2) all_fields[i].others = {"k", "a.b", "id"};
  for (const FieldPaths& fields : all_fields) {
    JsonRecordParser parser(fields);
    for (int i = 0; i < 50'000 && !::testing::Test::HasFailure(); ++i) {
      std::string line = RandomLine(&random);
      const size_t defects = i % 2 == 0 ? 0 : 1 + Below(3, &random);
      for (size_t j = 0; j < defects; ++j) Mutate(&line, &random);
      ExpectSame(line, &parser);
      const PaddedLine padded(line);
      TextArena arena;
      if (i % 5 > 1) continue;
      plain += IsPlain(line);
      documents += parser.ParseFully(padded.view(), &arena).problem.empty();
    }
  }
  // Out of 140,000 lines: neither kind may be so rare that nothing is compared.
  EXPECT_GT(plain, 14'000u);
  EXPECT_LT(plain, 126'000u);
  EXPECT_GT(documents, 14'000u);
}

TEST(JsonRecord, OtherFieldsAreReadAsText) {
  FieldPaths fields;
  fields.others = {"v", "none"};
  JsonRecordParser parser(fields);
  const auto value = [&](const std::string& json) -> std::optional<std::string> {
    const PaddedLine padded("{\"text\":\"t\",\"v\":" + json + "}");
    TextArena arena;
    const JsonRecord record = parser.Parse(padded.view(), &arena);
    EXPECT_EQ(record.values.size(), 2U);
    EXPECT_FALSE(record.values.back()) << "a field that is not there";
    if (record.values.empty() || !record.values.front()) return {};
    return std::string(*record.values.front());
  };
  EXPECT_EQ(value("null"), std::nullopt);
  EXPECT_EQ(value("\"\""), "");
  EXPECT_EQ(value(R"("a\u00e9\n")"), "a\u00e9\n");
  EXPECT_EQ(value("true"), "true");
  for (const char* const one : {"1", "1.0", "10e-1", "\"1\""}) EXPECT_EQ(value(one), "1") << one;
  EXPECT_EQ(value("-2.50"), "-2.5");
  EXPECT_EQ(value("123456789012345678901234567890"), "123456789012345678901234567890");
  EXPECT_EQ(value(R"([ "a", 1, {"b" : null} ])"), R"(["a",1,{"b":null}])");
}

TEST(JsonRecord, DeepLinesAreReadAsBefore) {
  JsonRecordParser parser({"text", "id", "k"});
  for (const size_t depth : {1, 62, 63, 64, 65, 500, 1022, 1023, 1024, 1025, 3000}) {
    for (const bool closed : {true, false}) {
      const std::string nested = std::string(depth, '[') + std::string(closed ? depth : 0, ']');
      ExpectSame("{\"k\":" + nested + ",\"text\":\"t\"}", &parser);
    }
  }
}

// Long runs without a token, and many tokens.
TEST(JsonRecord, LongLinesAreReadAsBefore) {
  JsonRecordParser parser({"text", "id", "k"});
  std::string numbers = "0";
  for (int i = 1; i < 100'000; ++i) numbers += "," + std::to_string(i);
  ExpectSame("{\"a\":[" + numbers + "],\"text\":\"t\",\"id\":7}", &parser);
  ExpectSame("{\"a\":[" + numbers + ",],\"text\":\"t\",\"id\":7}", &parser);
  for (const char* end : {"\"}", "\\n\"}", "\\ud800\"}", "\\\"}", "\xFF\"}"}) {
    ExpectSame("{\"text\":\"" + std::string(300'000, 'x') + end, &parser);
    ExpectSame("{\"text\":\"t\",\"b\":\"" + std::string(70'000, 'x') + end, &parser);
  }
}

TEST(JsonTokens, PlainLinesAreKnown) {
  for (const char* line :
       {R"({"text":"a","id":1})", R"( {"text" : "a\nb" , "n" : [ 1 , {} , [] , -2.5e3 ] } )",
        R"({})", R"({"a":{"b":{"c":null}},"d":true,"e":false,"f":""})"}) {
    EXPECT_TRUE(IsPlain(line)) << line;
  }
  for (const char* line :
       {R"([1])", R"({"a":1}x)", R"({"a":1}{})", R"({"a":1,})", R"({"a":[1,]})", R"({"a":"\x"})",
        R"({"\x":1})", R"({"a":01})", R"({"a":1e999})", R"({"a" 1})", R"({"a":1 "b":2})",
        R"({"a":[1}})", R"({"a":{]})", "{", "{\"a\":\"\xFF\"}", "{\"a\":\"\t\"}"}) {
    EXPECT_FALSE(IsPlain(line)) << line;
  }
}

TEST(JsonTokens, TextWithoutEscapesIsNotCopied) {
  const PaddedLine line(R"({"text":"plain text","id":"a"})");
  JsonRecordParser parser({"text", "id", ""});
  TextArena arena;
  const JsonRecord record = parser.Parse(line.view(), &arena);
  EXPECT_EQ(record.text, "plain text");
  EXPECT_EQ(record.text.data(), line.view().data() + 9);
  EXPECT_EQ(record.id.data(), line.view().data() + 27);
}

}  // namespace
}  // namespace lookalike
