#include "stages/verify/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "measures/field_features.h"

namespace lookalike {
namespace {

using Set = std::vector<uint64_t>;

/// Returns the set of documents with these features by field.
Set SetOf(const std::vector<std::vector<uint64_t>>& by_field) {
  Set set;
  for (size_t field = 0; field < by_field.size(); ++field) {
    for (const uint64_t feature : by_field[field]) set.push_back(FeatureOfField(feature, field));
  }
  std::ranges::sort(set);
  return set;
}

TEST(FieldFeaturesTest, FeaturesHaveTheNumberOfTheirFieldAndStandTogether) {
  const Set set = SetOf({{~uint64_t{0}, 5}, {}, {5, 9}, {1}});
  std::vector<size_t> sizes;
  ForEachField(set, 5, [&](size_t field, std::span<const uint64_t> part) {
    sizes.push_back(part.size());
    for (const uint64_t feature : part) EXPECT_EQ(FieldOf(feature), field);
  });
  EXPECT_EQ(sizes, (std::vector<size_t>{2, 0, 2, 1, 0}));
  EXPECT_EQ(FieldOf(FeatureOfField(~uint64_t{0}, 0)), 0U);
  EXPECT_NE(FeatureOfField(5, 0), FeatureOfField(5, 2));
}

TEST(FieldTestTest, EveryFieldMustReachItsThreshold) {
  const Set a = SetOf({{1, 2, 3, 4}, {1, 2, 3, 4, 5}});
  const Set b = SetOf({{1, 2, 3, 4}, {1, 2, 3, 4, 6}});  // 1, and 4 of 6
  EXPECT_FALSE(FieldTest({1.0, 0.7}).Match(a, b));
  const auto match = FieldTest({1.0, 0.6}).Match(a, b);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->field, 1U);
  EXPECT_EQ(match->common, 4U);
  EXPECT_EQ(match->size_a, 5U);
  EXPECT_EQ(match->size_b, 5U);
  EXPECT_TRUE(FieldTest({1.0, 4.0 / 6}).Match(a, b)) << "the threshold itself is reached";
  EXPECT_FALSE(FieldTest({1.0, 1.0}).Match(a, b));
}

TEST(FieldTestTest, MissingFieldsAreAlikeIfBothLackThem) {
  const Set both = SetOf({{1, 2}, {1, 2}});
  const Set body = SetOf({{}, {1, 2}});
  EXPECT_FALSE(FieldTest({0.1, 0.1}).Match(both, body));
  EXPECT_FALSE(FieldTest({0.1, 0.1}).Match(body, both));
  const auto match = FieldTest({0.1, 0.1}).Match(body, body);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->field, 1U);
}

TEST(FieldTestTest, TheFirstOfEquallyAlikeFieldsCounts) {
  const Set a = SetOf({{1, 2, 3}, {4, 5, 6, 7, 8, 9}});
  const Set b = SetOf({{1, 2, 4}, {4, 5, 6, 7, 18, 19}});  // 2 of 4, 4 of 8
  EXPECT_EQ(FieldTest({0.5, 0.5}).Match(a, b)->field, 0U);
}

TEST(FieldFeaturesTest, APartHasTheFeaturesOfItsField) {
  const Set set = SetOf({{~uint64_t{0}, 5}, {}, {5, 9}, {1}});
  for (size_t field = 0; field < 5; ++field) {
    Set expected;
    std::ranges::copy_if(set, std::back_inserter(expected),
                         [&](uint64_t feature) { return FieldOf(feature) == field; });
    const auto part = PartOfField(set, field);
    EXPECT_EQ(Set(part.begin(), part.end()), expected) << field;
  }
}

TEST(FieldTestTest, AnyFieldMayReachItsThreshold) {
  const Set a = SetOf({{1, 2, 3, 4}, {1, 2, 3, 4, 5}});
  const Set b = SetOf({{1, 2, 3, 7}, {1, 2, 3, 4, 6}});  // 3 of 5, 4 of 6
  const auto any = [&](std::vector<double> thresholds) {
    return FieldTest(std::move(thresholds), FieldRule::kAny).Match(a, b);
  };
  EXPECT_FALSE(any({0.7, 0.7}));
  EXPECT_EQ(any({0.6, 0.7})->field, 0U) << "the threshold itself is reached";
  EXPECT_EQ(any({0.7, 4.0 / 6})->field, 1U);
  const auto match = any({0.5, 0.5});
  ASSERT_TRUE(match);
  EXPECT_EQ(match->field, 1U) << "the field in which they are most alike";
  EXPECT_EQ(match->common, 4U);
  EXPECT_EQ(match->size_a, 5U);
  EXPECT_EQ(match->size_b, 5U);
}

TEST(FieldTestTest, WithAnyAMissingFieldIsAlikeInNothing) {
  const Set both = SetOf({{1, 2}, {1, 2}});
  const Set body = SetOf({{}, {1, 2}});
  const Set other = SetOf({{}, {3, 4}});
  const FieldTest test({0.1, 0.1}, FieldRule::kAny);
  EXPECT_EQ(test.Match(both, body)->field, 1U);
  EXPECT_FALSE(test.Match(body, other)) << "that both lack the first field says nothing";
  EXPECT_FALSE(test.Match(body, SetOf({{1, 2}, {}})));
}

TEST(FieldTestTest, WithAnyTheFirstOfEquallyAlikeFieldsCounts) {
  const Set a = SetOf({{1, 2, 3}, {4, 5, 6, 7, 8, 9}});
  const Set b = SetOf({{1, 2, 4}, {4, 5, 6, 7, 18, 19}});  // 2 of 4, 4 of 8
  EXPECT_EQ(FieldTest({0.5, 0.5}, FieldRule::kAny).Match(a, b)->field, 0U);
}

class FieldRuleTest : public ::testing::TestWithParam<FieldRule> {};

TEST_P(FieldRuleTest, AgreesWithTheDefinition) {
  std::mt19937_64 draw(7);
  const std::vector<double> thresholds = {0.2, 0.4, 0.3};
  const bool any = GetParam() == FieldRule::kAny;
  size_t alike = 0;
  for (int round = 0; round < 3000; ++round) {
    std::array<std::vector<std::set<uint64_t>>, 2> documents;
    for (auto& document : documents) {
      for (size_t field = 0; field < thresholds.size(); ++field) {
        auto& set = document.emplace_back();
        const uint64_t size = draw() % 8;
        while (set.size() < size) set.insert(draw() % 9 * 0x1234567);
      }
    }
    double expected = any ? -1 : 2;
    for (size_t field = 0; field < thresholds.size(); ++field) {
      const auto& a = documents[0][field];
      const auto& b = documents[1][field];
      if (any ? a.empty() || b.empty() : a.empty() && b.empty()) continue;
      std::set<uint64_t> all = a;
      all.insert(b.begin(), b.end());
      const auto common = static_cast<double>(a.size() + b.size() - all.size());
      const double resemblance = common / static_cast<double>(all.size());
      const bool reached = resemblance >= thresholds[field];
      if (any) {
        if (reached) expected = std::max(expected, resemblance);
        continue;
      }
      expected = reached ? std::min(expected, resemblance) : -1;
      if (expected < 0) break;
    }
    std::array<Set, 2> sets;
    for (size_t i = 0; i < 2; ++i) {
      std::vector<std::vector<uint64_t>> by_field;
      for (const auto& set : documents[i]) by_field.emplace_back(set.begin(), set.end());
      sets[i] = SetOf(by_field);
    }
    const auto match = FieldTest(thresholds, GetParam()).Match(sets[0], sets[1]);
    ASSERT_EQ(match.has_value(), expected >= 0 && expected <= 1);
    if (!match) continue;
    ++alike;
    const uint64_t all = match->size_a + match->size_b - match->common;
    ASSERT_EQ(static_cast<double>(match->common) / static_cast<double>(all), expected);
  }
  EXPECT_GT(alike, 30U);
}

INSTANTIATE_TEST_SUITE_P(Rules, FieldRuleTest, ::testing::Values(FieldRule::kAll, FieldRule::kAny));

}  // namespace
}  // namespace lookalike
