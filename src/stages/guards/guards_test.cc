#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "stages/guards/date_tokens.h"
#include "stages/guards/guard_reader.h"
#include "stages/guards/guard_spec.h"
#include "stages/guards/number_tokens.h"
#include "stages/guards/pattern.h"

namespace lookalike {
namespace {

using Texts = std::vector<std::string>;
using Fields = std::vector<std::optional<std::string_view>>;

Texts TextsOf(const TokenList& tokens) {
  Texts texts;
  for (size_t i = 0; i < tokens.size(); ++i) texts.emplace_back(tokens[i]);
  return texts;
}

Texts Numbers(std::string_view text) {
  TokenList tokens;
  FindNumbers(text, &tokens);
  return TextsOf(tokens);
}

Texts Dates(std::string_view text) {
  TokenList tokens;
  FindDates(text, &tokens);
  return TextsOf(tokens);
}

Texts Matches(std::string_view expression, std::string_view text) {
  TokenList tokens;
  Pattern(expression).Find(text, &tokens);
  return TextsOf(tokens);
}

GuardSpec Spec(const Texts& differ, const Texts& same = {}, const Texts& not_same = {}) {
  auto spec = ParseGuards(differ, same, not_same);
  EXPECT_TRUE(spec);
  return *std::move(spec);
}

std::string Refusal(const Texts& differ, const Texts& same = {}, const Texts& not_same = {}) {
  const auto spec = ParseGuards(differ, same, not_same);
  return spec ? "" : spec.error().what;
}

TEST(NumberTokensTest, MaskedNumbersAreOnesOfAnyLength) {
  const auto masked = [](std::string_view text) {
    std::string out = "> ";
    MaskNumbers(text, &out);
    return out;
  };
  EXPECT_EQ(masked(""), "> ");
  EXPECT_EQ(masked("none at all."), "> none at all.");
  EXPECT_EQ(masked("7 of 1,000.50 in AB-1234x5."), "> 0 of 0 in AB-0x0.");
  EXPECT_EQ(masked("\u0661\u0662 pages\u2014\xff"
                   "9"),
            "> 0 pages\u2014\xff"
            "0");
}

TEST(NumberTokensTest, RunsOfDigitsWithSingleSeparators) {
  EXPECT_EQ(Numbers(""), Texts());
  EXPECT_EQ(Numbers("none at all, not one."), Texts());
  EXPECT_EQ(Numbers("7 of 12 in AB-1234x5"), (Texts{"7", "12", "1234", "5"}));
  EXPECT_EQ(Numbers("1,000.50 and 1'000, or 3.5.2021."), (Texts{"1,000.50", "1'000", "3.5.2021"}));
  EXPECT_EQ(Numbers("1..2 3,.4 5. 6 .7 8,"), (Texts{"1", "2", "3", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(Numbers("007 -7 7"), (Texts{"007", "7", "7"}));
}

TEST(NumberTokensTest, ApostrophesOfAllFormsSeparateThousands) {
  EXPECT_EQ(Numbers("1'000 1\u2019000 1\uff07000'000"), (Texts{"1'000", "1'000", "1'000'000"}));
  EXPECT_EQ(Numbers("in '99, the 90's, 5' 6'' \u20187\u2019 8\u2019\u20199"),
            (Texts{"99", "90", "5", "6", "7", "8", "9"}));
  EXPECT_EQ(Numbers("1\u2018000 1`000 1\u00b4000"), (Texts{"1", "000", "1", "000", "1", "000"}))
      << "other marks are no separators";
  std::string masked;
  MaskNumbers("1'000, 1\u2019000 and 1\u2018000", &masked);
  EXPECT_EQ(masked, "0, 0 and 0\u20180");
}

TEST(NumberTokensTest, DigitsOfAnyScriptByValue) {
  EXPECT_EQ(Numbers("\u0661\u0662\u066b\u0665"), (Texts{"12.5"}));       // Arabic
  EXPECT_EQ(Numbers("\u0967\u0968\u0969 \u0e51"), (Texts{"123", "1"}));  // Devanagari, Thai
  EXPECT_EQ(Numbers("\uff11\uff0c\uff12"), (Texts{"1,2"}));              // full width
  EXPECT_EQ(Numbers("\U0001D7D8\U0001D7E3"), (Texts{"01"}));             // mathematical
  EXPECT_EQ(Numbers("x\u00b2 \u2160 \u00bd"), Texts()) << "not decimal digits";
  EXPECT_EQ(Numbers("\U00011F52"), Texts()) << "a Kawi digit, younger than Unicode 14";
  EXPECT_EQ(Numbers("1\xff"
                    "2 \xe0\xa5"),
            (Texts{"1", "2"}))
      << "ill-formed bytes";
}

TEST(NumberTokensTest, NoDigitIsSkipped) {
  for (size_t at = 0; at < 40; ++at) {
    for (const std::string part : {"5", "\u0665"}) {
      std::string text(40, ':');
      text.replace(at, 1, part);
      EXPECT_EQ(Numbers(text), Texts{"5"}) << at;
      EXPECT_EQ(SkipToDigit(text, 0), at);
    }
  }
  for (int c = 1; c < 256; ++c) {
    const std::string text = "abcdefgh" + std::string(1, static_cast<char>(c)) + "abcdefgh";
    const bool stops = (c >= '0' && c <= '9') || c >= 0x80;
    EXPECT_EQ(SkipToDigit(text, 0), stops ? 8 : text.size()) << c;
  }
}

TEST(NumberTokensTest, EveryDigitOfUnicodeIsANumber) {
  int digits = 0;
  for (UChar32 point = 0; point < 0x110000; ++point) {
    if (u_charType(point) != U_DECIMAL_DIGIT_NUMBER) continue;
    UVersionInfo age;
    u_charAge(point, age);
    if (age[0] > 14) continue;
    ++digits;
    std::string text = "a\u00e9\u4e2d ";
    icu::UnicodeString(point).toUTF8String(text);
    const std::string value(1, static_cast<char>('0' + u_charDigitValue(point)));
    EXPECT_EQ(Numbers(text + "\u4e2d"), Texts{value}) << point;
    EXPECT_EQ(Numbers("7" + text.substr(7) + "8"), Texts{"7" + value + "8"}) << point;
  }
  EXPECT_EQ(digits, 660);
}

TEST(NumberTokensTest, DigitsAfterHalfACharacterAreNumbers) {
  for (int lead = 0x80; lead < 0x100; ++lead) {
    EXPECT_EQ(Numbers(std::string(1, static_cast<char>(lead)) + "5 x"), Texts{"5"}) << lead;
  }
}

TEST(DateTokensTest, UsualFormsAreOneToken) {
  const std::string expected = "2021-05-03";
  for (const std::string text :
       {"2021-05-03", "2021-5-3", "2021/05/03", "2021.05.03", "2021-05-03T10:00:00Z",
        "2021\u5e745\u67083\u65e5", "3 May 2021", "03 may 2021", "3. Mai 2021", "3rd of May, 2021",
        "3-May-2021", "3 de mayo de 2021", "3 maggio 2021", "3 mei 2021", "May 3, 2021",
        "May 3rd, 2021", "MAY 3 2021", "on May  3,\n2021 at"}) {
    EXPECT_EQ(Dates(text), Texts{expected}) << text;
    EXPECT_EQ(Dates("signed on " + text + ", here"), Texts{expected}) << text;
  }
  EXPECT_EQ(Dates("3 M\u00e4rz 2021 4 d\u00e9cembre 2020 5 Sept. 2019 6 \u00c9 2018"),
            (Texts{"2021-03-03", "2020-12-04", "2019-09-05"}));
  EXPECT_EQ(Dates("D\u00c9CEMBRE 4, 2020"), Texts{"2020-12-04"});
}

TEST(DateTokensTest, UncertainDatesStayAsWritten) {
  EXPECT_EQ(Dates("05/03/2021 3.5.2021 3. 5. 2021"), (Texts{"5/3/2021", "3.5.2021", "3.5.2021"}));
  EXPECT_EQ(Dates("25/03/2021 03/25/2021 4.4.2021"),
            (Texts{"2021-03-25", "2021-03-25", "2021-04-04"}));
}

TEST(DateTokensTest, OtherNumbersAreNoDates) {
  for (const std::string text :
       {"", "2021", "1.2.3", "12:30", "3 of 2021 cases", "May 2021", "2021-13-40", "99/99/2021",
        "192.168.2.1", "3 Foo 2021", "3 May 21", "0/3/2021", "+49 30 1234567", "Mayor 3, 2021x"}) {
    EXPECT_EQ(Dates(text), Texts()) << text;
  }
}

TEST(PatternTest, FindsAllMatches) {
  EXPECT_EQ(Matches(R"(\b[A-Z]{2}-\d+)", "AB-1 xAB-2 CD-34, AB-1"),
            (Texts{"AB-1", "CD-34", "AB-1"}));
  EXPECT_EQ(Matches("x*", "axxbx"), (Texts{"xx", "x"}))
      << "matches without characters are left out";
  EXPECT_EQ(Matches("(?i)\u00e4+", "\u00c4\u00e4 a"), Texts{"\u00c4\u00e4"});
  EXPECT_EQ(Matches(".", "\xff"), Texts{"\ufffd"});
  EXPECT_EQ(Matches("\U0001F600", "\U0001F600\U0001F601"), Texts{"\U0001F600"});
}

TEST(PatternTest, AHostileSearchEndsAndIsTheSameEachTime) {
  const std::string text = std::string(5000, 'a') + "!";
  EXPECT_EQ(Matches("(a+)+$", text), Texts{text});
  EXPECT_EQ(Matches("(a|aa)+$", text), Matches("(a|aa)+$", text));
  std::string much;  // the bound is on the search in a text as a whole
  for (int i = 0; i < 20'000; ++i) much += "aaaaaaaaaaaaaaaaaa x ";
  EXPECT_EQ(Matches("(a+)+b|x", much), Texts{much});
  Pattern pattern("(a+)+$");
  TokenList tokens;
  pattern.Find(text, &tokens);
  pattern.Find("baa", &tokens);
  EXPECT_EQ(TextsOf(tokens), (Texts{text, "aa"})) << "later texts are searched as usual";
}

TEST(PatternTest, ALongTextIsNotAHardOne) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "some words here and 12 ";
  EXPECT_EQ(Matches(R"(\w+@\w+\.com)", text), Texts());
  EXPECT_EQ(Matches(R"(\d+)", text).size(), 200'000U);
}

TEST(GuardSpecTest, ReadsAllKinds) {
  const GuardSpec spec = Spec({"numbers", "dates", "lang", "regex:a+"}, {"host"}, {"year"});
  ASSERT_EQ(spec.differ.size(), 4U);
  EXPECT_EQ(spec.differ[0].kind, Guard::Kind::kNumbers);
  EXPECT_EQ(spec.differ[1].kind, Guard::Kind::kDates);
  EXPECT_EQ(spec.differ[2].kind, Guard::Kind::kField);
  EXPECT_EQ(spec.differ[3].argument, "a+");
  EXPECT_EQ(spec.fields, (Texts{"lang", "host", "year"}));
  EXPECT_EQ(spec.words(), 2U);
  EXPECT_EQ(Spec({"a"}, {"a"}).fields, Texts{"a"});
  EXPECT_FALSE(Spec({}).any());
}

TEST(GuardSpecTest, RefusesBadValues) {
  EXPECT_NE(Refusal({"regex:("}).find("ICU"), std::string::npos);
  EXPECT_NE(Refusal({"regex:"}).find("empty"), std::string::npos);
  EXPECT_NE(Refusal({""}).find("numbers"), std::string::npos);
  EXPECT_NE(Refusal({}, {""}).find("same"), std::string::npos);
  EXPECT_NE(Refusal({}, {"a"}, {"a"}).find("not-same=a"), std::string::npos);
  EXPECT_NE(Refusal({"a"}, {}, {"a"}).find("not-same=a"), std::string::npos);
}

std::vector<uint64_t> Words(const GuardSpec& spec, std::string_view text, const Fields& fields) {
  std::vector<uint64_t> words;
  GuardReader(spec).AppendWords(text, fields, &words);
  return words;
}

TEST(GuardReaderTest, WordsAreEqualExactlyForEqualMultisets) {
  const GuardSpec spec = Spec({"numbers", "lang"}, {}, {"year"});
  const Fields fields = {"en", "2020"};
  const auto words = Words(spec, "7 of 12", fields);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(Words(spec, "12 in 7", fields), words) << "the order does not matter";
  EXPECT_NE(Words(spec, "7 of 12 of 12", fields)[0], words[0]) << "the number of times does";
  EXPECT_NE(Words(spec, "1 of 18", fields)[0], words[0]);
  EXPECT_NE(Words(spec, "7 of 12", {"de", "2020"})[0], words[0]);
  EXPECT_NE(Words(spec, "7 of 12", {std::nullopt, "2020"})[0], words[0]);
  EXPECT_NE(Words(spec, "7 of 12", {"", "2020"}), Words(spec, "7 of 12", {std::nullopt, "2020"}));
  EXPECT_EQ(Words(spec, "7 of 12", {"en", "2021"})[0], words[0]);
  EXPECT_NE(Words(spec, "7 of 12", {"en", "2021"})[1], words[1]);
}

TEST(GuardReaderTest, MasksFollowTheFieldsOfSame) {
  const GuardReader none(Spec({"a"}));
  EXPECT_EQ(none.FeatureMask(Fields{"x"}), 0U);
  const GuardReader reader(Spec({}, {"a", "b"}));
  const auto mask = reader.FeatureMask(Fields{"x", "y"});
  EXPECT_EQ(reader.FeatureMask(Fields{"x", "y"}), mask);
  EXPECT_NE(reader.FeatureMask(Fields{"y", "x"}), mask);
  EXPECT_EQ(reader.FeatureMask(Fields{}), reader.FeatureMask(Fields{std::nullopt, std::nullopt}));
}

TEST(GuardReaderTest, DifferencesAreOfMultisets) {
  const TokenDifference difference = DifferenceOf({"7", "12", "12", "a"}, {"12", "b", "7", "7"});
  EXPECT_EQ(difference.only_a, (Texts{"12", "a"}));
  EXPECT_EQ(difference.only_b, (Texts{"7", "b"}));
  EXPECT_TRUE(DifferenceOf({"x", "y"}, {"y", "x"}).empty());
}

}  // namespace
}  // namespace lookalike
