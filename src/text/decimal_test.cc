#include "text/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace lookalike {
namespace {

TEST(Decimal, SpellingsOfANumberAreOne) {
  for (const char* one : {"1", "1.0", "1e0", "1E+0", "10e-1", "0.1e1", "100.00E-2", "0.001e3"}) {
    EXPECT_EQ(CanonicalDecimal(std::string_view(one)), "1") << one;
  }
  for (const char* zero : {"0", "-0", "0.0", "-0.000", "0e7", "0.00e-999"}) {
    EXPECT_EQ(CanonicalDecimal(std::string_view(zero)), "0") << zero;
  }
  EXPECT_EQ(CanonicalDecimal(std::string_view("-12.50")), "-12.5");
  EXPECT_EQ(CanonicalDecimal(std::string_view("1250e-1")), "125");
}

TEST(Decimal, NothingIsRounded) {
  EXPECT_EQ(CanonicalDecimal(std::string_view("9007199254740993")), "9007199254740993");
  EXPECT_EQ(CanonicalDecimal(std::string_view("9007199254740993.0")), "9007199254740993");
  EXPECT_EQ(CanonicalDecimal(std::string_view("0.1000000000000000000000000001")),
            "0.1000000000000000000000000001");
}

TEST(Decimal, WrittenOutUpToBounds) {
  const std::string digits = "1234567890123456789012345678901234567890";  // 40
  EXPECT_EQ(CanonicalDecimal(std::string_view(digits)), digits);
  EXPECT_EQ(CanonicalDecimal(std::string_view(digits + "5")), "1." + digits.substr(1) + "5e40");
  EXPECT_EQ(CanonicalDecimal(std::string_view("1e39")), "1" + std::string(39, '0'));
  EXPECT_EQ(CanonicalDecimal(std::string_view("1e40")), "1e40");
  EXPECT_EQ(CanonicalDecimal(std::string_view("1.5e-6")), "0.0000015");
  EXPECT_EQ(CanonicalDecimal(std::string_view("1.5e-7")), "1.5e-7");
  EXPECT_EQ(CanonicalDecimal(std::string_view("0.000001")), "0.000001");
}

TEST(Decimal, HugeExponents) {
  EXPECT_EQ(CanonicalDecimal(std::string_view("1e400")), "1e400");
  EXPECT_EQ(CanonicalDecimal(std::string_view("10e399")), "1e400");
  EXPECT_EQ(CanonicalDecimal(std::string_view("10e999999999999998")), "1e999999999999999");
  EXPECT_EQ(CanonicalDecimal(std::string_view("1E99999999999999999999")), "1E99999999999999999999");
}

TEST(Decimal, OfBinaryNumbers) {
  EXPECT_EQ(CanonicalDecimal(1.0), "1");
  EXPECT_EQ(CanonicalDecimal(0.1), "0.1");
  EXPECT_EQ(CanonicalDecimal(0.1F), "0.1");
  EXPECT_EQ(CanonicalDecimal(1e22), "1" + std::string(22, '0'));
  EXPECT_EQ(CanonicalDecimal(-0.0), "0");
  EXPECT_EQ(CanonicalDecimal(std::numeric_limits<double>::denorm_min()), "5e-324");
}

}  // namespace
}  // namespace lookalike
