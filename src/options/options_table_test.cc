#include "lookalike/options_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookalike/size.h"
#include "options/feature_options.h"

namespace lookalike {
namespace {

const OptionRow& Row(std::string_view name) {
  for (const OptionRow& row : OptionTable()) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no option " << name;
  return OptionTable().front();
}

/// Returns the message of setting an option and validating, or "" if both succeed.
std::string MessageOf(std::string_view name, std::string_view text) {
  Options options;
  if (auto set = SetOption(Row(name), text, &options); !set) return set.error().ToString();
  if (auto valid = options.Validate(); !valid) return valid.error().ToString();
  return "";
}

/// The initial value of any member.
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT: never called, only asked for
};

/// True if Options, an aggregate, has at least as many members as there are numbers.
template <size_t... Numbers>
constexpr bool HasMembers(std::index_sequence<Numbers...>) {
  return requires { Options{(static_cast<void>(Numbers), AnyValue())...}; };
}

constexpr size_t kRows = 61;

TEST(OptionsTable, NamesAndMembersAreUnique) {
  EXPECT_EQ(OptionTable().size(), kRows);
  std::set<std::string_view> names;
  for (const OptionRow& row : OptionTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    int same = 0;
    for (const OptionRow& other : OptionTable()) same += other.member == row.member;
    EXPECT_EQ(same, 1) << row.name;
    EXPECT_NE(row.commands, 0u) << row.name;
    EXPECT_EQ(row.value.empty(), row.IsSwitch()) << row.name;
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
  }
}

TEST(OptionsTable, CoversEveryMemberOfOptions) {
  // A member without a row would be missing from flags, docs and digest.
  ASSERT_TRUE(HasMembers(std::make_index_sequence<kRows>()));
  EXPECT_FALSE(HasMembers(std::make_index_sequence<kRows + 1>()));
}

TEST(OptionsTable, TextsRoundTrip) {
  for (const OptionRow& row : OptionTable()) {
    Options options;
    const std::string text = OptionText(row, options);
    if (text.empty()) continue;  // an empty text field means "not given"
    ASSERT_TRUE(SetOption(row, text, &options)) << row.name;
    EXPECT_EQ(OptionText(row, options), text) << row.name;
  }
}

TEST(OptionsTable, DefaultsComeFromTheStruct) {
  EXPECT_EQ(DefaultText(Row("threshold")), "0.8");
  EXPECT_EQ(DefaultText(Row("max-record")), "256M");
  EXPECT_EQ(DefaultText(Row("max-errors")), "unlimited");
  EXPECT_EQ(DefaultText(Row("design")), "planned");
  EXPECT_EQ(DefaultText(Row("overwrite")), "off");
}

struct OptionValue {
  std::string_view name, text;
};

constexpr OptionValue kBadValues[] = {
    {"threshold", "0"},
    {"threshold", "1.01"},
    {"threshold", "nan"},
    {"threshold", "80%"},
    {"recall", "1"},
    {"recall", "0"},
    {"shingle", "word:0"},
    {"shingle", "line:3"},
    {"shingle", "winnow:9"},
    {"normalize", "lower"},
    {"normalize", ""},
    {"pages", "all"},
    {"segment", "words"},
    {"stop-words", "xx"},
    {"bag", "min"},
    {"distance", "l3"},
    {"within", "-1"},
    {"within", "nan"},
    {"within", "inf"},
    {"within", "1"},  // without a distance
    {"top", "0"},
    {"top", "10001"},
    {"ratings", "on"},
    {"ratings", "stars"},  // with word:5
    {"shingle", "item:1"},
    {"hash", "md5"},
    {"feature-bits", "16"},
    {"min-features", "0"},
    {"min-features", "-1"},
    {"seed", "1.5"},
    {"method", "fast"},
    {"design", "bands:0x5"},
    {"sketch", "fss:8"},
    {"verify", "guess"},
    {"sketch-bits", "0"},
    {"sketch-bits", "12"},
    {"sketch-bits", "64"},
    {"sketch", "bottom-k:0"},
    {"sketch", "mod-m:4294967296"},
    {"audit-documents", "many"},
    {"max-record", "373M"},
    {"audit-documents", "1000001"},
    {"keep", "last"},
    {"cluster", "trees"},
    {"output", "rows"},
    {"output-shard", "4095"},
    {"output-shard", "many"},
    {"max-record", "256Q"},
    {"max-record", "0"},
    {"max-expansion", "0.5"},
    {"max-expansion", "inf"},
    {"max-errors", "none"},
    {"threads", "5000"},
    {"memory", "63M"},
    {"memory", "-1"},
    {"scratch", ""},
    {"profile", ""},
    {"against", ""},
    {"text-field", ""},
    {"exact-empty", "maybe"},
};

TEST(OptionsTable, BadValuesAreNamedWithWhatIsTaken) {
  for (const auto& [name, text] : kBadValues) {
    const std::string message = MessageOf(name, text);
    EXPECT_NE(message.find("lookalike: " + std::string(name) + "="), std::string::npos)
        << name << " " << text << ": " << message;
    EXPECT_NE(message.find(text), std::string::npos) << name << ": " << message;
    EXPECT_NE(message.find("; "), std::string::npos) << name << ": " << message;
  }
}

TEST(OptionsTable, GoodValuesPass) {
  const OptionValue good[] = {
      {"threshold", "1"},
      {"threshold", ".5"},
      {"shingle", "char:64"},
      {"shingle", "winnow:50,20"},
      {"shingle", "url:2"},
      {"shingle", "point:5,.5"},
      {"shingle", "series:64,1.5,16"},
      {"normalize", "none"},
      {"normalize", "casefold,digits"},
      {"pages", "altavista"},
      {"segment", "icu"},
      {"stop-words", "short"},
      {"bag", "sum"},
      {"hash", "rabin"},
      {"feature-bits", "32"},
      {"method", "lsh"},
      {"design", "bands:20x5"},
      {"sketch", "fss:1024"},
      {"sketch", "permutations:16"},
      {"sketch", "one-permutation"},
      {"keep", "longest"},
      {"keep", "field:date:desc"},
      {"keep", "source:a.jsonl,b.jsonl"},
      {"cluster", "components"},
      {"output", "annotated"},
      {"output-shard", "1G"},
      {"max-record", "64KiB"},
      {"max-record", "372M"},
      {"audit-documents", "1000000"},
      {"max-errors", "unlimited"},
      {"max-errors", "0"},
      {"verify", "exact"},
      {"verify", "sketch"},
      {"verify", "none"},
      {"sketch-bits", "1"},
      {"sketch-bits", "32"},
      {"sketch", "bottom-k"},
      {"sketch", "fracminhash:1000"},
      {"memory", "64M"},
      {"memory", "0"},
      {"scratch", "/fast/disk"},
      {"resume", "true"},
      {"against", "holdout/*.jsonl"},
  };
  for (const auto& [name, text] : good) EXPECT_EQ(MessageOf(name, text), "") << name << " " << text;
}

TEST(OptionsTable, RatingsAreOfItems) {
  Options options;
  options.shingle = "item";
  for (const char* ratings : {"off", "at-least:3.5", "liked:4,2", "weights", "stars"}) {
    options.ratings = ratings;
    ASSERT_TRUE(options.Validate().has_value()) << ratings;
    const FeatureSpec spec = *ReadFeatureSpec(options);
    EXPECT_EQ(ToString(spec.ratings), ratings);
    // Stars turn a set into a bag; other ratings do not.
    EXPECT_EQ(spec.bag, spec.ratings.how == Ratings::How::kStars ? Bag::kMax : Bag::kOff);
  }
  options.bag = "sum";
  EXPECT_EQ(ReadFeatureSpec(options)->bag, Bag::kSum);
  EXPECT_EQ(ToString(*ReadFeatureSpec(options)), "item bag=sum ratings=stars");
  options.shingle = "word:5";
  const Status status = options.Validate();
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().what.find("only applies to items; set $<shingle>"), std::string::npos);
}

// The default form in another order, and what is off, ask for nothing.
TEST(OptionsTable, WhatAsksForNothingAppliesToEverything) {
  Options options;
  options.shingle = "url:1";
  options.normalize = "casefold,nfkc";
  EXPECT_TRUE(options.Validate());
  options.normalize = "nfkc";
  EXPECT_FALSE(options.Validate());
  options = Options();
  options.shingle = "item";
  options.pages = "off";
  EXPECT_TRUE(options.Validate());
}

// Counts are the same with either hash, so only this shows which hash is used.
TEST(OptionsTable, TheHashIsTheOneThatIsAskedFor) {
  Options options;
  EXPECT_EQ(ReadFeatureSpec(options)->hash, ShingleHash::kMixer);
  options.hash = "rabin";
  EXPECT_EQ(ReadFeatureSpec(options)->hash, ShingleHash::kRabin);
  EXPECT_EQ(ToString(*ReadFeatureSpec(options)), "word:5 hash=rabin");
}

// Options without meaning for numbers and URLs are refused, not ignored.
TEST(OptionsTable, KindsThatReadTextsAsTheyStand) {
  for (const char* shingle : {"point:5,1", "cells:5,9", "series:4,5,9"}) {
    Options options;
    options.shingle = shingle;
    EXPECT_EQ(ToString(*ReadFeatureSpec(options)), shingle);
    options.bag = "max";
    options.feature_bits = 32;
    EXPECT_EQ(ToString(*ReadFeatureSpec(options)),
              std::string(shingle) + " bag=max feature-bits=32");
    options.hash = "rabin";
    ASSERT_FALSE(options.Validate()) << shingle;
    EXPECT_NE(
        options.Validate().error().what.find("$<hash='rabin'> cannot be combined with $<shingle="),
        std::string::npos);
  }
  for (const char* shingle : {"point:5,1", "url:1"}) {
    Options options;
    options.shingle = shingle;
    options.normalize = "none";
    ASSERT_FALSE(options.Validate()) << shingle;
    EXPECT_NE(options.Validate().error().what.find(
                  "$<normalize='none'> cannot be combined with $<shingle="),
              std::string::npos);
    options.normalize = Options().normalize;
    options.segment = "icu";
    EXPECT_FALSE(options.Validate()) << shingle;
  }
  Options options;
  options.shingle = "url:2";
  options.hash = "rabin";
  EXPECT_EQ(ToString(*ReadFeatureSpec(options)), "url:2 hash=rabin");
}

TEST(OptionsTable, DesignAndExactMethodExcludeEachOther) {
  Options options;
  options.method = "exact";
  EXPECT_TRUE(options.Validate());
  options.design = "bands:20x5";
  ASSERT_FALSE(options.Validate());
  EXPECT_NE(options.Validate().error().what.find("$<method=exact>"), std::string::npos);
}

// An interrupted run that was to replace a result must be able to resume.
TEST(OptionsTable, ResumeAndOverwriteGoTogether) {
  Options options;
  options.resume = options.overwrite = true;
  EXPECT_TRUE(options.Validate());
}

TEST(OptionsTable, ListsGrowAndAreReset) {
  Options options;
  ASSERT_TRUE(SetOption(Row("against"), "a", &options));
  ASSERT_TRUE(SetOption(Row("against"), "b,c", &options));
  EXPECT_EQ(options.against, (std::vector<std::string>{"a", "b,c"}));
  EXPECT_EQ(OptionText(Row("against"), options), "a,b\\,c");
  ResetOption(Row("against"), &options);
  EXPECT_TRUE(options.against.empty());
  EXPECT_EQ(DefaultText(Row("against")), "none");
}

TEST(OptionsTable, OnlyEqualListsHaveEqualTexts) {
  const std::vector<std::string> lists[] = {
      {},        {"a", "b"},   {"a,b"},        {"b", "a"},
      {"a\\,b"}, {"a\\", "b"}, {"a\\\\", "b"}, {"a", "b", "b"}};
  std::set<std::string> texts;
  for (const auto& list : lists) {
    Options options;
    options.against = list;
    EXPECT_TRUE(texts.insert(OptionText(Row("against"), options)).second);
  }
}

// A single criterion has the text that it had before there could be several.
TEST(OptionsTable, CriteriaHaveTextsOfTheirOwn) {
  const OptionRow& keep = Row("keep");
  const std::pair<std::vector<std::string>, std::string> lists[] = {
      {{}, "first"},
      {{"longest"}, "longest"},
      {{"source:a,b"}, "source:a,b"},
      {{"source:a", "longest"}, "[source:a,longest]"},
      {{"source:a,longest"}, "source:a,longest"},
      {{"source:a,b\\", "field:x:desc"}, "[source:a\\,b\\\\,field:x:desc]"}};
  for (const auto& [list, text] : lists) {
    Options options;
    options.keep = list;
    EXPECT_EQ(OptionText(keep, options), text);
    if (!list.empty()) {
      EXPECT_EQ(ListValues(keep, text), list);
    }
  }
  EXPECT_EQ(DefaultText(keep), "first");
  EXPECT_EQ(ListValues(Row("against"), "a,b\\,c"), (std::vector<std::string>{"a", "b,c"}));
  EXPECT_TRUE(ListValues(Row("against"), "").empty());
}

TEST(OptionsTable, TheDefaultOrderHasOneDigest) {
  Options options;
  options.keep = {"first"};
  EXPECT_EQ(OptionsDigest(options, Command::kDedup), OptionsDigest(Options(), Command::kDedup));
}

TEST(OptionsTable, DigestChangesWithBehaviourOnly) {
  const std::string plain = OptionsDigest(Options(), Command::kDedup);
  EXPECT_EQ(plain.size(), 32u);
  for (const OptionRow& row : OptionTable()) {
    Options options;
    std::visit(
        [&](auto member) {
          auto& value = options.*member;
          if constexpr (std::is_same_v<decltype(member), std::string Options::*>)
            value += "x";
          else if constexpr (std::is_same_v<decltype(member), std::vector<std::string> Options::*>)
            value.emplace_back("x");
          else if constexpr (std::is_same_v<decltype(member), bool Options::*>)
            value = !value;
          else if constexpr (std::is_same_v<decltype(member), Threshold Options::*>)
            value.least -= 1;
          else
            value -= 1;
        },
        row.member);
    const bool counts = row.kind == OptionClass::kBehaviour && row.BelongsTo(Command::kDedup);
    EXPECT_EQ(OptionsDigest(options, Command::kDedup) != plain, counts) << row.name;
  }
}

TEST(OptionsTable, CredentialsOfUrisAreInNoText) {
  Options options;
  options.against = {"s3://key:secret@bucket/a.jsonl?region=eu-west-1", "a?b=c@d.jsonl"};
  const auto values = BehaviourOptions(options, Command::kDedup);
  EXPECT_NE(std::find(values.begin(), values.end(),
                      std::pair<std::string, std::string>("against",
                                                          "s3://bucket/a.jsonl,a?b=c@d.jsonl")),
            values.end());
}

TEST(OptionsTable, DigestDoesNotConfuseValuesWithLines) {
  Options one, other;
  one.text_field = {"a\nid-field=b"};
  other.text_field = {"a"};
  other.id_field = "b\nid-field=";
  EXPECT_NE(OptionsDigest(one, Command::kCompare), OptionsDigest(other, Command::kCompare));
}

TEST(OptionsTable, CommittedDocumentationIsCurrent) {
  std::ifstream file(LOOKALIKE_TEST_DATA "/../../docs/options.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), OptionsMarkdown())
      << "run `lookalike options --markdown > docs/options.md`";
}

TEST(Size, ParsesUnits) {
  const struct {
    std::string_view text;
    uint64_t bytes;
  } sizes[] = {
      {"0", 0},
      {"1000", 1000},
      {"64B", 64},
      {"64KiB", 65536},
      {"64k", 65536},
      {"64KB", 64000},
      {"256M", 268435456},
      {"1G", 1073741824},
      {"1.5G", 1610612736},
      {".5K", 512},
      {"18446744073709551615", UINT64_MAX},
  };
  for (const auto& [text, bytes] : sizes) {
    const auto size = ParseSize(text);
    ASSERT_TRUE(size) << text;
    EXPECT_EQ(*size, bytes) << text;
  }
}

TEST(Size, RejectsWhatIsNoSize) {
  for (const std::string_view text : {"", "M", "-1", "1 G", "1.2.3K", "1X", "1KiBs", "1e3",
                                      "18446744073709551616", "99999999999T", "."}) {
    EXPECT_FALSE(ParseSize(text)) << text;
  }
}

TEST(Size, FormatsWithoutLoss) {
  EXPECT_EQ(FormatSize(0), "0");
  EXPECT_EQ(FormatSize(1000), "1000");
  EXPECT_EQ(FormatSize(65536), "64K");
  EXPECT_EQ(FormatSize(uint64_t{256} << 20), "256M");
  for (uint64_t bytes = 1; bytes != 0; bytes *= 6) {
    EXPECT_EQ(*ParseSize(FormatSize(bytes)), bytes);
    if (bytes > UINT64_MAX / 6) break;
  }
}

}  // namespace
}  // namespace lookalike
