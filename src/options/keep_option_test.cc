#include "options/keep_option.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

using By = KeepCriterion::By;
using Texts = std::vector<std::string>;

KeepCriterion Parsed(const std::string& text) {
  const Result<KeepCriterion> criterion = ParseKeepCriterion(text);
  EXPECT_TRUE(criterion.has_value()) << text;
  return criterion.value_or(KeepCriterion());
}

Texts CriteriaOf(const Texts& texts) {
  const Result<KeepPolicy> policy = ParseKeepPolicy(texts);
  EXPECT_TRUE(policy.has_value()) << (policy ? "" : policy.error().what);
  Texts criteria;
  for (const KeepCriterion& criterion : policy.value_or(KeepPolicy()).criteria) {
    criteria.push_back(criterion.text);
  }
  return criteria;
}

std::string RefusalOf(const Texts& texts) {
  const Result<KeepPolicy> policy = ParseKeepPolicy(texts);
  if (policy) return "";
  EXPECT_EQ(policy.error().option, "keep");
  return policy.error().what;
}

TEST(KeepCriterionTest, GoodOnes) {
  EXPECT_EQ(Parsed("first").by, By::kFirst);
  EXPECT_EQ(Parsed("longest").by, By::kLongest);
  EXPECT_EQ(Parsed("shortest").by, By::kShortest);
  EXPECT_EQ(Parsed("field:meta.date").field, "meta.date");
  EXPECT_FALSE(Parsed("field:date").descending);
  EXPECT_FALSE(Parsed("field:date:asc").descending);
  EXPECT_TRUE(Parsed("field:date:desc").descending);
  EXPECT_EQ(Parsed("field:date:desc").field, "date");
  EXPECT_EQ(Parsed("field:a:b").field, "a:b");
  EXPECT_EQ(Parsed("source:b.jsonl,,a.jsonl,").sources, (Texts{"b.jsonl", "a.jsonl"}));
}

// Only the last suffix is a direction, so that a field may be named like one.
TEST(KeepCriterionTest, AFieldNamedLikeADirection) {
  EXPECT_EQ(Parsed("field:x:desc:asc").field, "x:desc");
  EXPECT_FALSE(Parsed("field:x:desc:asc").descending);
  EXPECT_EQ(Parsed("field:x:asc:desc").field, "x:asc");
  EXPECT_TRUE(Parsed("field:x:asc:desc").descending);
}

TEST(KeepCriterionTest, BadOnesAreErrors) {
  for (const char* text : {"", "First", "last", "field", "field:", "field::asc", "field::desc",
                           "source", "source:", "source:,,", "longest:desc"}) {
    const Result<KeepCriterion> criterion = ParseKeepCriterion(text);
    ASSERT_FALSE(criterion.has_value()) << text;
    EXPECT_EQ(criterion.error().option, "keep") << text;
  }
}

TEST(KeepPolicyTest, CriteriaStayInOrder) {
  const Texts texts = {"source:a,b", "longest", "field:x:desc", "field:y", "source:b"};
  EXPECT_EQ(CriteriaOf(texts), texts);
  const Result<KeepPolicy> policy = ParseKeepPolicy(texts);
  ASSERT_TRUE(policy);
  EXPECT_FALSE(policy->IsFirst());
  EXPECT_EQ(policy->Fields(), (Texts{"x", "y"}));
  EXPECT_EQ(policy->CountValues(), 3U) << "inputs have no values of their documents";
}

TEST(KeepPolicyTest, FirstAddsNothing) {
  EXPECT_EQ(CriteriaOf({}), Texts());
  EXPECT_EQ(CriteriaOf({"first"}), Texts());
  EXPECT_EQ(CriteriaOf({"longest", "first"}), Texts{"longest"});
}

TEST(KeepPolicyTest, ACriterionThatNeverDecidesIsAnError) {
  EXPECT_EQ(RefusalOf({"first", "longest"}),
            "$<keep=first> must come last, because it decides every tie: longest after it would "
            "never decide; put first last, or leave it out");
  EXPECT_NE(RefusalOf({"first", "first"}).find("must come last"), std::string::npos);
  EXPECT_EQ(RefusalOf({"longest", "field:x", "longest"}),
            "$<keep=longest> is given twice; pass it once");
  EXPECT_EQ(RefusalOf({"field:x", "source:a", "field:x:desc"}),
            "$<keep=field:x:desc> compares the same as field:x before it, and would never decide; "
            "leave one of the two out");
  EXPECT_NE(RefusalOf({"longest", "shortest"}).find("compares the same as longest"),
            std::string::npos);
  EXPECT_NE(RefusalOf({"source:a,b", "source:a,,b"}).find("compares the same"), std::string::npos);
  EXPECT_EQ(RefusalOf({"source:a,b", "source:b,a"}), "") << "inputs that are not named are equal";
  EXPECT_EQ(RefusalOf({"field:x", "field:y"}), "");
  EXPECT_NE(RefusalOf({"longest", "last"}).find("is not understood"), std::string::npos);
}

TEST(KeepPolicyTest, AtMostEight) {
  Texts texts;
  for (int i = 0; i < 8; ++i) texts.push_back("field:f" + std::to_string(i));
  EXPECT_EQ(RefusalOf(texts), "");
  texts.emplace_back("longest");
  EXPECT_EQ(RefusalOf(texts),
            "$<keep> has 9 criteria; use at most 8, the most important ones first");
}

}  // namespace
}  // namespace lookalike
