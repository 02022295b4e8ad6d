#include <gtest/gtest.h>

#include <string>

#include "stages/normalize/normalizer.h"
#include "text/utf8.h"

namespace lookalike {
namespace {

std::string After(const char* steps, std::string_view text) {
  const auto form = ParseNormalForm(steps);
  EXPECT_TRUE(form) << steps;
  Normalizer normalizer(form.value_or(NormalForm{}));
  std::string once(normalizer.Run(text));
  EXPECT_EQ(NormalizeWithSpans(text, *form).text, once) << steps << " " << text;
  return once;
}

TEST(NormalFormTest, ParsesAndPrints) {
  EXPECT_EQ(ParseNormalForm("nfkc,casefold"), NormalForm{});
  EXPECT_EQ(ToString(NormalForm{}), "nfkc,casefold");
  EXPECT_EQ(ToString(*ParseNormalForm("none")), "none");
  EXPECT_EQ(ToString(*ParseNormalForm("whitespace,digits,casefold")), "casefold,digits,whitespace");
  for (const char* text :
       {"", "nfc", "nfkc,", "nfkc,nfkc", "none,nfkc", "NFKC", "digits whitespace"}) {
    const auto form = ParseNormalForm(text);
    ASSERT_FALSE(form) << text;
    EXPECT_NE(form.error().what.find("$<normalize"), std::string::npos);
  }
}

TEST(TextStepsTest, UnicodeFormsOneByOne) {
  const std::string text = "Ａ\u00c9 \ufb01 STRASSE Stra\u00dfe \u0130";
  EXPECT_EQ(After("none", text), text);
  EXPECT_EQ(After("nfkc", text), "A\u00c9 fi STRASSE Stra\u00dfe \u0130");
  EXPECT_EQ(After("casefold", text), "ａ\u00e9 fi strasse strasse i\u0307");
  EXPECT_EQ(After("nfkc,casefold", text), "a\u00e9 fi strasse strasse i\u0307");
}

TEST(TextStepsTest, DiacriticsGoAndLettersStay) {
  EXPECT_EQ(After("diacritics", "Café naïve Ångström x\u0301"), "Cafe naive Angstrom x");
  EXPECT_EQ(After("diacritics", "ñ ø ł"), "n ø ł") << "strokes are parts of letters";
  EXPECT_EQ(After("diacritics", "한국어 が ガ"), "한국어 が ガ");
  EXPECT_EQ(After("diacritics", "हिन्दी"), "हिन्दी") << "vowel signs are no accents";
  EXPECT_EQ(After("diacritics", "שָׁלוֹם مُحَمَّد"), "שלום محمد");
  EXPECT_EQ(After("nfkc,casefold,diacritics", "ÉCOLE"), "ecole");
}

TEST(TextStepsTest, DigitsPunctuationWhitespace) {
  EXPECT_EQ(After("digits", "a1b23 ٣"), "a0b00 0");
  EXPECT_EQ(After("punctuation", "don't, stop_it — now!"), "dont stopit  now");
  EXPECT_EQ(After("punctuation", "1+1=2 $5"), "1+1=2 $5") << "symbols are no punctuation";
  EXPECT_EQ(After("whitespace", "  a \t\n b\u3000"), "a b");
  EXPECT_EQ(After("no-whitespace", "  a \t\n b\u3000"), "ab");
  EXPECT_EQ(After("punctuation,whitespace", " - a - b - "), "a b");
  EXPECT_EQ(After("punctuation,whitespace", "... \n"), "");
}

TEST(TextStepsTest, WhatUnicode14DoesNotAssignStays) {
  EXPECT_EQ(After("casefold,diacritics,punctuation", "\u0378x\u2065"), "\u0378x\u2065");
}

TEST(TextStepsTest, InvalidTextIsRepairedWithoutSteps) {
  Normalizer normalizer(*ParseNormalForm("none"));
  EXPECT_EQ(normalizer.Run("a\xff\xc3z"), "a\ufffd\ufffdz");
  EXPECT_TRUE(normalizer.replaced_invalid());
  EXPECT_EQ(normalizer.Run("Az"), "Az");
  EXPECT_FALSE(normalizer.replaced_invalid());
}

TEST(TextStepsTest, SpansCoverTheOriginal) {
  for (const char* steps :
       {"none", "nfkc", "casefold,punctuation,whitespace", "nfkc,no-whitespace"}) {
    for (const std::string_view text : {"  A, b!\u00a0 ", "\ufb01 \ufb01", "", " ", "!?"}) {
      const NormalizedText mapped = NormalizeWithSpans(text, *ParseNormalForm(steps));
      uint32_t normalized = 0, original = 0;
      for (const NormalizedSpan& span : mapped.spans) {
        EXPECT_EQ(span.normalized_begin, normalized) << steps << ": " << text;
        EXPECT_EQ(span.original_begin, original);
        normalized = span.normalized_end;
        original = span.original_end;
      }
      EXPECT_EQ(normalized, mapped.text.size()) << steps << ": " << text;
      EXPECT_EQ(original, CountCodePoints(text));
    }
  }
}

}  // namespace
}  // namespace lookalike
