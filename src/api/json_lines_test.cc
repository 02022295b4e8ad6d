#include "lookalike/json_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

Engine MakeEngine(const std::string& shingle = "word:5", uint64_t max_record = 1000) {
  Options options;
  options.shingle = shingle;
  options.max_record = max_record;
  return *Engine::Create(options, 0, EngineGoal::kKeep);
}

Result<LineColumns> Read(const Engine& engine, const std::vector<std::string>& lines,
                         const FieldNames& fields = {},
                         const std::vector<std::string>& keep = {"first"}) {
  std::string bytes;
  std::vector<int64_t> offsets = {0};
  for (const std::string& line : lines) {
    bytes += line;
    offsets.push_back(static_cast<int64_t>(bytes.size()));
  }
  return ReadJsonLines(engine, fields, keep, bytes, offsets);
}

std::vector<std::string> Cut(const std::string& bytes, const std::vector<int64_t>& offsets) {
  std::vector<std::string> values;
  for (size_t i = 1; i < offsets.size(); ++i) {
    const auto begin = static_cast<size_t>(offsets[i - 1]);
    values.push_back(bytes.substr(begin, static_cast<size_t>(offsets[i]) - begin));
  }
  return values;
}

using Texts = std::vector<std::string>;
using Kinds = std::vector<LineKind>;

TEST(JsonLinesInMemory, EveryLineHasAValueInEveryColumn) {
  const auto read = Read(MakeEngine(), {R"({"id": "a", "text": "one two"})", "", "not json", "  \r",
                                        R"({"text": null})", R"({"id": 7, "text": "three"})"});
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->kinds, (Kinds{LineKind::kDocument, LineKind::kBlank, LineKind::kRejected,
                                LineKind::kBlank, LineKind::kNullText, LineKind::kDocument}));
  EXPECT_EQ(Cut(read->texts, read->text_offsets), (Texts{"one two", "", "", "", "", "three"}));
  EXPECT_EQ(Cut(read->ids, read->id_offsets), (Texts{"a", "", "", "", "", "7"}));
  EXPECT_EQ(read->has_id, (std::vector<uint8_t>{1, 0, 0, 0, 0, 1}));
  const Texts reasons = Cut(read->reasons, read->reason_offsets);
  ASSERT_EQ(reasons.size(), 6u);
  EXPECT_NE(reasons[2].find("malformed JSON"), std::string::npos) << reasons[2];
  EXPECT_EQ(reasons[5], "");
}

TEST(JsonLinesInMemory, FieldsCanHaveOtherNames) {
  const auto read =
      Read(MakeEngine(), {R"({"doc": {"body": "x y"}, "key": "k"})"}, {"doc.body", "key"});
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->texts, "x y");
  EXPECT_EQ(read->ids, "k");
}

TEST(JsonLinesInMemory, WhatIsRejectedSaysWhy) {
  const auto read = Read(MakeEngine("word:5", 30), {R"({"text": 5})", R"({"id": "a"})",
                                                    R"({"text": "far more than thirty bytes"})"});
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->kinds, Kinds(3, LineKind::kRejected));
  for (const std::string& reason : Cut(read->reasons, read->reason_offsets)) {
    EXPECT_NE(reason, "");
  }
}

TEST(JsonLinesInMemory, ReplacedCharactersAreMarked) {
  const auto read = Read(MakeEngine(), {R"({"text": "a \ud800 b"})", R"({"text": "plain"})"});
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->repaired, (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(Cut(read->texts, read->text_offsets)[0], "a \xEF\xBF\xBD b");
}

TEST(JsonLinesInMemory, TheValueOfAFieldGivesAKeyThatSortsLikeIt) {
  const std::vector<std::string> lines = {
      R"({"text": "a", "score": 7})", R"({"text": "b", "score": -2.5})",
      R"({"text": "c", "score": "x"})", R"({"text": "d"})", R"({"score": 1})"};
  for (const bool descending : {false, true}) {
    const auto read =
        Read(MakeEngine(), lines, {}, {descending ? "field:score:desc" : "field:score"});
    ASSERT_TRUE(read) << read.error().ToString();
    const auto keys = Cut(read->keep_keys, read->keep_offsets);
    ASSERT_EQ(keys.size(), 5u);
    EXPECT_EQ(keys[0] < keys[1], descending);
    EXPECT_EQ(keys[1] < keys[2], !descending) << "numbers come before strings";
    EXPECT_EQ(keys[3], "") << "there is no value";
    EXPECT_EQ(keys[4], "") << "it is no document";
  }
  const auto none = Read(MakeEngine(), lines);
  ASSERT_TRUE(none) << none.error().ToString();
  EXPECT_EQ(none->keep_keys, "");
  EXPECT_FALSE(Read(MakeEngine(), lines, {}, {"field:"}));
}

TEST(JsonLinesInMemory, EachFieldOfSeveralCriteriaGivesAKeyOfItsOwn) {
  const std::vector<std::string> lines = {R"({"text": "a", "x": "p", "y": 1})", "no json",
                                          R"({"text": "b", "y": 2})", R"({"text": "c", "x": "q"})"};
  const auto read =
      Read(MakeEngine(), lines, {}, {"field:x", "longest", "field:y:desc", "source:a.jsonl"});
  ASSERT_TRUE(read) << read.error().ToString();
  const auto keys = Cut(read->keep_keys, read->keep_offsets);
  ASSERT_EQ(keys.size(), 8u) << "two fields of each line";
  EXPECT_LT(keys[0], keys[6]) << "p comes before q";
  EXPECT_GT(keys[1], keys[5]) << "2 is preferred to 1";
  for (const size_t none : {2, 3, 4, 7}) EXPECT_EQ(keys[none], "") << none;
}

TEST(JsonLinesInMemory, GuardsReadTheFieldsThatTheyName) {
  Options options;
  options.differ = {"lang", "numbers"};
  options.same = {"meta.site"};
  const Engine engine = *Engine::Create(options, 0, EngineGoal::kKeep);
  ASSERT_EQ(engine.guard_fields(), (std::vector<std::string>{"lang", "meta.site"}));
  const std::vector<std::string> lines = {R"({"text": "a", "lang": "de", "meta": {"site": 7}})",
                                          "no json", R"({"text": "b"})",
                                          R"({"text": "c", "lang": "", "meta": {"site": "x"}})"};
  const auto read = Read(engine, lines);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(Cut(read->guard_values, read->guard_offsets),
            (std::vector<std::string>{"de", "7", "", "", "", "", "", "x"}));
  EXPECT_EQ(read->has_guard_value, (std::vector<uint8_t>{1, 1, 0, 0, 0, 0, 1, 1}));
}

TEST(JsonLinesInMemory, NoLinesAreNoRows) {
  const auto read = Read(MakeEngine(), {});
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_TRUE(read->kinds.empty());
  EXPECT_EQ(read->text_offsets, std::vector<int64_t>{0});
}

TEST(JsonLinesInMemory, ListsAndBadOffsetsAreRefused) {
  EXPECT_FALSE(Read(MakeEngine("item"), {}));
  const std::vector<int64_t> beyond = {0, 5}, falling = {0, 2, 1};
  EXPECT_FALSE(ReadJsonLines(MakeEngine(), {}, {}, "ab", beyond));
  EXPECT_FALSE(ReadJsonLines(MakeEngine(), {}, {}, "ab", falling));
}

}  // namespace
}  // namespace lookalike
