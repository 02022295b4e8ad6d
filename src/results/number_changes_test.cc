#include "results/number_changes.h"

#include <gtest/gtest.h>

#include "fingerprint/feature_spec.h"

namespace lookalike {
namespace {

bool Differ(std::string_view a, std::string_view b) {
  return DifferOnlyInNumbers(a, b, FeatureSpec());
}

TEST(DifferOnlyInNumbersTest, NumbersOfAnyScriptAndLength) {
  EXPECT_TRUE(Differ("Invoice 17 of 3 May", "Invoice 1,200 of 4 May"));
  EXPECT_TRUE(Differ("Release v1.2 is out", "Release v1.2.3 is out"));
  EXPECT_TRUE(Differ("page \u0661\u0662", "page 7"));
}

TEST(DifferOnlyInNumbersTest, ApostrophesAreAPartOfANumber) {
  EXPECT_TRUE(Differ("Total 1'000 francs", "Total 2\u2019000 francs"));
  EXPECT_TRUE(Differ("Total 1'000 francs", "Total 7 francs"));
  EXPECT_FALSE(Differ("Total 1'000 francs", "Total 1\u2019000 francs"));
}

TEST(DifferOnlyInNumbersTest, CaseAndSpacingDoNotMatter) {
  EXPECT_TRUE(Differ("Total:  17 EUR", "total:\n18 eur"));
}

TEST(DifferOnlyInNumbersTest, EqualNumbersAreNoDifference) {
  EXPECT_FALSE(Differ("Invoice 17", "Invoice 17"));
  EXPECT_FALSE(Differ("Invoice 17", "Receipt 17"));
}

TEST(DifferOnlyInNumbersTest, AnotherWordIsAnotherDifference) {
  EXPECT_FALSE(Differ("Invoice 17 of May", "Invoice 18 of June"));
  EXPECT_FALSE(Differ("Invoice 17", "Invoice 17 18"));
  EXPECT_FALSE(Differ("No number here", "No 1 here"));
}

TEST(DifferOnlyInNumbersTest, AGuardDoesNotTellApartTheSameNumbersInAnotherOrder) {
  EXPECT_FALSE(Differ("from 3 to 4", "from 4 to 3"));
  EXPECT_TRUE(Differ("from 3 to 4", "from 4 to 4"));
}

}  // namespace
}  // namespace lookalike
