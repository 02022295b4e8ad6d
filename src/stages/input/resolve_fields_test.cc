#include <gtest/gtest.h>

#include "input/reader_testing.h"

namespace lookalike {
namespace {

using testing::MakeInput;

struct Asked {
  std::string text = "", id = "", keep = "";
  TextForm form = TextForm::kText;
};

Result<FieldPaths> Resolve(const std::vector<InputFile>& files, const Asked& asked = {}) {
  return ResolveFields(files, asked.text, asked.id, asked.keep, ReadLimits(), asked.form);
}

InputFile Json(std::string_view bytes) { return MakeInput("a.jsonl", bytes, Format::kJsonLines); }
InputFile Csv(std::string_view bytes) { return MakeInput("a.csv", bytes, Format::kCsv); }

TEST(ResolveFields, TextAndIdByDefault) {
  const auto fields = Resolve({Json("{\"id\":1,\"text\":\"a\",\"title\":\"b\"}\n")});
  ASSERT_TRUE(fields.has_value());
  EXPECT_EQ(fields->text, "text");
  EXPECT_EQ(fields->id, "id");
  EXPECT_EQ(fields->keep, "");
}

TEST(ResolveFields, NamesThatATextUsuallyHas) {
  EXPECT_EQ(Resolve({Json("{\"id\":\"x\",\"body\":\"a\",\"lang\":\"en\"}\n")})->text, "body");
  EXPECT_EQ(Resolve({Json("{\"body\":null}\n{\"body\":\"late\"}\n")})->text, "body");
  EXPECT_EQ(Resolve({Json("{\"Document\":\"x\",\"body\":1}\n")})->text, "Document");
  EXPECT_EQ(Resolve({Json("{\"body\":\"x\",\"text\":1}\n")})->text, "text");
  EXPECT_EQ(Resolve({Csv("id,CONTENT\n1,a\n")})->text, "CONTENT");
}

TEST(ResolveFields, NoOtherFieldIsGuessed) {
  for (const char* line :
       {"{\"id\":\"x\",\"source\":\"a\"}\n", "{\"source\":\"a\"}\n",
        "{\"content\":{\"body\":\"b\"},\"source\":\"en\"}\n", "{\"body\":1,\"source\":\"a\"}\n",
        "{\"messages\":[{\"content\":\"b\"}],\"source\":\"a\"}\n",
        "{\"body\":\"a\",\"content\":\"b\",\"source\":\"a\"}\n"}) {
    const auto fields = Resolve({Json(line)});
    ASSERT_FALSE(fields.has_value()) << line;
    EXPECT_NE(fields.error().what.find("source (string)"), std::string::npos);
    EXPECT_NE(fields.error().what.find("$<text-field>"), std::string::npos);
  }
}

TEST(ResolveFields, FieldsThatAreThereAreKnown) {
  EXPECT_TRUE(Resolve({Json("{\"id\":1,\"text\":\"a\"}\n")})->id_seen);
  EXPECT_FALSE(Resolve({Json("{\"text\":\"a\"}\n")})->id_seen);
  EXPECT_TRUE(Resolve({Csv("text\na\n")})->any);
  EXPECT_FALSE(Resolve({MakeInput("a.txt", "words", Format::kText)})->any);
}

TEST(ResolveFields, AnUnclearTextFieldListsTheFields) {
  const auto fields = Resolve({Json("{\"title\":\"a\",\"abstract\":\"b\",\"year\":1}\n")});
  ASSERT_FALSE(fields.has_value());
  EXPECT_NE(fields.error().what.find("title (string), abstract (string), year (number)"),
            std::string::npos);
  EXPECT_NE(fields.error().what.find("$<text-field>"), std::string::npos);
  EXPECT_FALSE(Resolve({Json("{\"n\":1}\n")}).has_value());
}

TEST(ResolveFields, NamedFieldsMustBeThere) {
  const std::vector<InputFile> files = {Json("bad\n\n{\"a\":{\"b\":\"x\"},\"k\":1}\n")};
  EXPECT_EQ(Resolve(files, {"a.b", "k", "any"})->text, "a.b");
  EXPECT_EQ(Resolve(files, {"a.b", "k", "any"})->keep, "any");
  const auto text = Resolve(files, {"a.c", "", ""});
  ASSERT_FALSE(text.has_value());
  EXPECT_NE(text.error().what.find("\"a.c\" that $<text-field> names"), std::string::npos);
  EXPECT_NE(text.error().what.find("a.b (string), k (number)"), std::string::npos);
  EXPECT_NE(Resolve(files, {"a.b", "no", ""}).error().what.find("$<id-field>"), std::string::npos);
}

TEST(ResolveFields, AnotherDelimiterIsNoColumn) {
  const auto fields = Resolve({Csv("text;id\na b c;1\n")});
  ASSERT_FALSE(fields.has_value());
  EXPECT_NE(fields.error().what.find("$<delimiter>"), std::string::npos);
}

TEST(ResolveFields, InputsWithoutRecordsTellNothing) {
  EXPECT_EQ(Resolve({Json(""), Csv(""), MakeInput("a.txt", "words", Format::kText)})->text, "text");
  EXPECT_EQ(Resolve({Json("")}, {"body", "key", ""})->text, "body");
  EXPECT_EQ(Resolve({Json("{broken\n")})->text, "text");
  EXPECT_EQ(Resolve({Json(""), Csv("body\nx\n")})->text, "body");
}

TEST(ResolveFields, ABadInputIsLeftToItsReader) {
  InputFile missing = Json("");
  missing.path += ".gone";
  EXPECT_EQ(Resolve({missing, Csv("body\nx\n")})->text, "body");
}

TEST(ResolveFields, ListsHaveAFieldOfTheirOwn) {
  const Asked lists = {.form = TextForm::kItems};
  EXPECT_EQ(Resolve({Json("{\"text\":\"a\",\"items\":[\"b\"],\"x\":[1]}\n")}, lists)->text,
            "items");
  EXPECT_EQ(Resolve({Json("{\"text\":\"a\",\"x\":[1]}\n")}, lists)->text, "text");
  EXPECT_EQ(Resolve({Json("{\"id\":1,\"name\":\"n\",\"cart\":[1]}\n")}, lists)->text, "cart");
  EXPECT_EQ(Resolve({Json("{\"m\":{\"a\":\"x\"},\"r\":{\"a\":1}}\n")}, lists)->text, "r");
  EXPECT_EQ(Resolve({Json("{\"cart\":null}\n{\"cart\":[]}\n")}, lists)->text, "cart");
  EXPECT_FALSE(Resolve({Csv("id,basket\n1,a\n")}, lists)) << "strings are found by name";
  EXPECT_EQ(Resolve({Csv("id,body\n1,a\n")}, lists)->text, "body");
  EXPECT_EQ(Resolve({}, lists)->text, "items");
  EXPECT_EQ(Resolve({Json("{\"cart\":[1]}\n")}, lists)->form, TextForm::kItems);
  EXPECT_EQ(Resolve({Json("{\"items\":[1],\"body\":\"b\"}\n")})->text, "body") << "not of text";
  for (const char* line : {"{\"a\":[1],\"b\":[2],\"c\":\"s\"}\n", "{\"a\":\"1\",\"b\":\"2\"}\n",
                           "{\"a\":1,\"m\":{\"x\":1,\"y\":true},\"e\":{}}\n"}) {
    const auto fields = Resolve({Json(line)}, lists);
    ASSERT_FALSE(fields.has_value()) << line;
    EXPECT_NE(fields.error().what.find("the fields are: a ("), std::string::npos);
  }
}

TEST(CheckFields, NamesTheOptionOfAMissingField) {
  const std::vector<InputFile> files = {Json("{\"a\":{\"b\":1},\"k\":1}\n")};
  const std::vector<NamedField> good = {{"a.b", "by"}, {"k", "item"}};
  EXPECT_TRUE(CheckFields(files, good, ReadLimits()).has_value());
  const std::vector<NamedField> bad = {{"k", "by"}, {"c", "item"}};
  const Status status = CheckFields(files, bad, ReadLimits());
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("the field \"c\" that $<item> names"), std::string::npos);
}

TEST(CheckHaveFields, TextsHaveNone) {
  const std::vector<NamedField> named = {{"lang", "same"}};
  const InputFile text = MakeInput("a.txt", "words", Format::kText);
  const InputFile page = MakeInput("a.html", "words", Format::kHtml);
  const Status status = CheckHaveFields({text, page}, named);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("$<same> names the field \"lang\""), std::string::npos);
  EXPECT_TRUE(CheckHaveFields({text, page}, {}).has_value());
  EXPECT_TRUE(CheckHaveFields({}, named).has_value());
  EXPECT_TRUE(CheckHaveFields({text, Json("")}, named).has_value());
  EXPECT_TRUE(CheckHaveFields({text, Csv("")}, named).has_value());
  const InputFile archive = MakeInput("a.warc", "", Format::kWarc);
  EXPECT_TRUE(CheckHaveFields({text, archive}, named).has_value()) << "its headers are fields";
}

}  // namespace
}  // namespace lookalike
