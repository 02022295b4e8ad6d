#include "stages/output/annotated_rows.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace lookalike {
namespace {

constexpr Annotation kAlone{};
constexpr Annotation kRemoved{
    .keep = false, .cluster = 3, .copies = 2, .duplicate_of = "a\"b", .resemblance = 0.8125};

constexpr char kAloneFields[] =
    R"("la_keep": true, "la_cluster": null, "la_copies": 1, "la_duplicate_of": null, )"
    R"("la_resemblance": null)";

std::string Json(std::string_view raw, const Annotation& annotation = kAlone) {
  std::string out;
  Status status = AppendAnnotatedJson(&out, raw, annotation, "in.jsonl:7");
  return status ? out : status.error().ToString();
}

std::string CsvRow(std::string_view raw, const Annotation& annotation, char delimiter = ',') {
  std::string out;
  AppendAnnotatedCsvRow(&out, raw, delimiter, annotation);
  return out;
}

std::string CsvHeader(std::string_view raw) {
  std::string out;
  Status status = AppendAnnotatedCsvHeader(&out, raw, ',', kAnnotation, "in.csv");
  return status ? out : status.error().ToString();
}

TEST(AnnotatedJson, InsertsBeforeTheClosingBraceOnly) {
  const std::string fields = kAloneFields;
  EXPECT_EQ(Json("{\"text\":\"a\"}\n"), "{\"text\":\"a\", " + fields + "}\n");
  EXPECT_EQ(Json("  {\"n\" : {} } \t\r\n"), "  {\"n\" : {} , " + fields + "} \t\r\n");
  EXPECT_EQ(Json("{\"t\":\"}\\\"}\"}"), "{\"t\":\"}\\\"}\", " + fields + "}");
  EXPECT_EQ(Json("{}"), "{" + fields + "}");
  EXPECT_EQ(Json("{ }\n"), "{ " + fields + "}\n");
}

TEST(AnnotatedJson, WritesEveryValueAsJson) {
  auto object = nlohmann::json::parse(Json("{\"text\":\"a\"}", kRemoved));
  EXPECT_EQ(object["la_keep"], false);
  EXPECT_EQ(object["la_cluster"], 3);
  EXPECT_EQ(object["la_copies"], 2);
  EXPECT_EQ(object["la_duplicate_of"], "a\"b");
  EXPECT_EQ(object["la_resemblance"], 0.8125);
  EXPECT_EQ(object["text"], "a");
  Annotation witness;
  witness.cluster = 9;
  object = nlohmann::json::parse(Json("{\"text\":\"a\"}", witness));
  EXPECT_EQ(object["la_cluster"], 9);
  EXPECT_TRUE(object["la_duplicate_of"].is_null());
  EXPECT_TRUE(object["la_resemblance"].is_null());
}

TEST(AnnotatedJson, RefusesFieldsOfItsNames) {
  const std::string expected =
      "in.jsonl:7: already has a field 'la_keep', which annotated output would add; rename it in "
      "the input, or use output=copies";
  EXPECT_EQ(Json("{\"la_keep\":1}"), expected);
  EXPECT_EQ(Json("{\"a\":[{\"x\":\"},\"},2],\"la_keep\":1}"), expected);
  EXPECT_EQ(Json("{\"l\\u0061_keep\":1}"), expected);
  EXPECT_EQ(Json("{\"la_kee\\u0070\":1}"), expected);
  EXPECT_NE(Json("{\"a\":1 , \"la_copies\" :1}").find("already has a field 'la_copies'"),
            std::string::npos);
}

TEST(AnnotatedJson, TakesTheNamesElsewhere) {
  for (std::string raw : {R"({"a":{"la_keep":1}})", R"({"a":["la_keep","b","la_copies"]})",
                          R"({"a":"la_keep","b":"\",\"la_keep\":"})", R"({"la_keeper":1})",
                          R"({"a":"\u00e9","\u00e9":"la_keep"})"}) {
    EXPECT_EQ(Json(raw), raw.substr(0, raw.size() - 1) + ", " + kAloneFields + "}");
  }
}

TEST(AnnotatedJson, RefusesWhatIsNoObject) {
  for (std::string raw : {"", "\n", "[1]", "}", "\"a\""}) {
    EXPECT_NE(Json(raw).find("expected a JSON object"), std::string::npos) << raw;
  }
}

TEST(AnnotatedCsv, AppendsCellsBeforeTheLineEnd) {
  EXPECT_EQ(CsvHeader("id,text\r\n"),
            "id,text,la_keep,la_cluster,la_copies,la_duplicate_of,la_resemblance\r\n");
  EXPECT_EQ(CsvHeader("text"), "text,la_keep,la_cluster,la_copies,la_duplicate_of,la_resemblance");
  EXPECT_EQ(CsvRow("1,a\n", kAlone), "1,a,true,,1,,\n");
  EXPECT_EQ(CsvRow("1,\"a\n\"\r\n", kRemoved), "1,\"a\n\",false,3,2,\"a\"\"b\",0.8125\r\n");
  EXPECT_EQ(CsvRow("1,a", kRemoved), "1,a,false,3,2,\"a\"\"b\",0.8125");
}

TEST(AnnotatedCsv, QuotesOnlyWhereNeeded) {
  Annotation removed = kRemoved;
  for (auto [id, cell] : {std::pair{"plain id", "plain id"},
                          {"a,b", "\"a,b\""},
                          {"", "\"\""},
                          {"a\nb", "\"a\nb\""}}) {
    removed.duplicate_of = id;
    EXPECT_EQ(CsvRow("1\n", removed), "1,false,3,2," + std::string(cell) + ",0.8125\n");
  }
}

TEST(AnnotatedCsv, TakesTheDelimiterOfTheInput) {
  Annotation removed = kRemoved;
  removed.duplicate_of = "a,b";
  EXPECT_EQ(CsvRow("1\tx\n", removed, '\t'), "1\tx\tfalse\t3\t2\ta,b\t0.8125\n");
  removed.duplicate_of = "a\tb";
  EXPECT_EQ(CsvRow("1\n", removed, '\t'), "1\tfalse\t3\t2\t\"a\tb\"\t0.8125\n");
}

TEST(AnnotatedCsv, RefusesColumnsOfItsNames) {
  const std::string what = "in.csv: already has a field 'la_copies'";
  EXPECT_EQ(CsvHeader("id,la_copies\n").substr(0, what.size()), what);
  EXPECT_EQ(CsvHeader("\"la_copies\",id").substr(0, what.size()), what);
  EXPECT_EQ(CsvHeader("\"x,la_copies\",id\n").substr(0, 5), "\"x,la");
  EXPECT_EQ(CsvHeader("x\"y,la_copies\n").substr(0, what.size()), what);
}

}  // namespace
}  // namespace lookalike
