#include "batch/keep_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Order = std::vector<DocNumber>;

KeepOption Parsed(const std::string& text) {
  const Result<KeepOption> order = ParseKeepOption(text);
  EXPECT_TRUE(order.has_value()) << text;
  return order.value_or(KeepOption{});
}

Order ByField(const std::string& direction, std::vector<FieldValue> values) {
  KeepValues keep;
  const uint64_t documents = values.size();
  keep.fields = std::move(values);
  return RankDocuments(Parsed("field:x" + direction), keep, documents);
}

TEST(ParseKeepOrderTest, GoodOnes) {
  EXPECT_EQ(Parsed("first").by, KeepOption::By::kFirst);
  EXPECT_EQ(Parsed("longest").by, KeepOption::By::kLongest);
  EXPECT_EQ(Parsed("shortest").by, KeepOption::By::kShortest);
  EXPECT_EQ(Parsed("field:meta.date").field, "meta.date");
  EXPECT_FALSE(Parsed("field:date").descending);
  EXPECT_FALSE(Parsed("field:date:asc").descending);
  EXPECT_TRUE(Parsed("field:date:desc").descending);
  EXPECT_EQ(Parsed("field:date:desc").field, "date");
  EXPECT_EQ(Parsed("field:a:b").field, "a:b");
  EXPECT_EQ(Parsed("source:b.jsonl,,a.jsonl,").sources,
            (std::vector<std::string>{"b.jsonl", "a.jsonl"}));
}

// Only the last suffix is a direction, so that a field may be named like one.
TEST(ParseKeepOrderTest, AFieldNamedLikeADirection) {
  EXPECT_EQ(Parsed("field:x:desc:asc").field, "x:desc");
  EXPECT_FALSE(Parsed("field:x:desc:asc").descending);
  EXPECT_EQ(Parsed("field:x:asc:desc").field, "x:asc");
  EXPECT_TRUE(Parsed("field:x:asc:desc").descending);
}

TEST(ParseKeepOrderTest, BadOnesAreErrors) {
  for (const char* text : {"", "First", "last", "field", "field:", "field::asc", "field::desc",
                           "source", "source:", "source:,,", "longest:desc"}) {
    const Result<KeepOption> order = ParseKeepOption(text);
    ASSERT_FALSE(order.has_value()) << text;
    EXPECT_NE(order.error().what.find("--keep"), std::string::npos);
  }
}

TEST(RankDocumentsTest, LengthsWithTiesInInputOrder) {
  KeepValues keep;
  keep.lengths = {5, 9, 5, 0, 9};
  EXPECT_EQ(RankDocuments(Parsed("longest"), keep, 5), (Order{1, 4, 0, 2, 3}));
  EXPECT_EQ(RankDocuments(Parsed("shortest"), keep, 5), (Order{3, 0, 2, 1, 4}));
  EXPECT_TRUE(RankDocuments(Parsed("first"), keep, 5).empty()) << "ranks are document numbers";
}

TEST(RankDocumentsTest, SourcesByPlaceInTheList) {
  KeepValues keep;
  keep.sources = {2, 0, 1, 2, 0};
  EXPECT_EQ(RankDocuments(Parsed("source:a,b"), keep, 5), (Order{1, 4, 2, 0, 3}));
}

TEST(RankDocumentsTest, NumbersBeforeStringsAndMissingOnesLast) {
  const std::vector<FieldValue> values = {
      std::monostate{}, std::string("10"), int64_t{3},  2.5,
      std::string("9"), std::monostate{},  int64_t{-1}, std::string("")};
  EXPECT_EQ(ByField("", values), (Order{6, 3, 2, 7, 1, 4, 0, 5}));
  EXPECT_EQ(ByField(":asc", values), ByField("", values));
  EXPECT_EQ(ByField(":desc", values), (Order{4, 1, 7, 2, 3, 6, 0, 5})) << "missing ones stay last";
}

TEST(RankDocumentsTest, StringsCompareAsBytes) {
  EXPECT_EQ(ByField("", {std::string("é"), std::string("z"), std::string("Z"), std::string("zz"),
                         std::string("z\0", 2)}),
            (Order{2, 1, 4, 3, 0}));
}

TEST(RankDocumentsTest, NotANumberIsMissing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<FieldValue> values = {nan, infinity, std::string("a"), -infinity, int64_t{0}};
  EXPECT_EQ(ByField("", values), (Order{3, 4, 1, 2, 0}));
  EXPECT_EQ(ByField(":desc", values), (Order{2, 1, 4, 3, 0}));
}

TEST(RankDocumentsTest, EqualNumbersOfTwoTypesAreTies) {
  EXPECT_EQ(ByField("", {int64_t{1}, 1.0, 0.0, -0.0, int64_t{0}}), (Order{2, 3, 4, 0, 1}));
  EXPECT_EQ(ByField(":desc", {int64_t{1}, 1.0, 0.0, -0.0, int64_t{0}}), (Order{0, 1, 2, 3, 4}));
}

// Integers that no double holds are compared exactly, with one another and with doubles.
TEST(RankDocumentsTest, IntegersBeyond53Bits) {
  const int64_t big = int64_t{1} << 53;
  EXPECT_EQ(ByField("", {big + 2, big + 1, big, big + 3}), (Order{2, 1, 0, 3}));
  EXPECT_EQ(ByField("", {big + 1, static_cast<double>(big), big - 1}), (Order{2, 1, 0}));
  EXPECT_EQ(ByField("", {static_cast<double>(big) + 2, big + 1, big + 3}), (Order{1, 0, 2}));
  EXPECT_EQ(ByField("", {-big - 1, -static_cast<double>(big), -big - 2}), (Order{2, 0, 1}));
  EXPECT_EQ(ByField("", {INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, INT64_MIN}), (Order{3, 2, 1, 0}));
}

TEST(RankDocumentsTest, TheLargestIntegerIsBelowTwoToThe63) {
  EXPECT_EQ(ByField("", {0x1p63, INT64_MAX}), (Order{1, 0}));
  EXPECT_EQ(ByField("", {0x1p63, INT64_MAX - 511, INT64_MAX}), (Order{1, 2, 0}));
  EXPECT_EQ(ByField(":desc", {INT64_MIN, -0x1p63, -0x1.0000000000001p63}), (Order{0, 1, 2}));
}

// A comparison in long double holds both types exactly.
TEST(RankDocumentsTest, RandomNumbersAreInOrder) {
  std::mt19937_64 random(1);
  std::vector<FieldValue> values;
  for (int i = 0; i < 3000; ++i) {
    const auto integer = static_cast<int64_t>(random()) >> random() % 64;
    if (random() % 2 == 0) {
      values.emplace_back(integer);
    } else {
      values.emplace_back(static_cast<double>(integer));
    }
  }
  const auto exact = [](const FieldValue& value) -> long double {
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<long double>(*whole);
    return std::get<double>(value);
  };
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const Order order = ByField("", values);
  for (size_t i = 1; i < order.size(); ++i) {
    const long double x = exact(values[order[i - 1]]), y = exact(values[order[i]]);
    ASSERT_TRUE(x < y || (x == y && order[i - 1] < order[i])) << i;
  }
}

}  // namespace
}  // namespace lookalike
