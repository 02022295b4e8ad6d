#include "options/text_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lookalike/options_table.h"

namespace lookalike {
namespace {

const OptionRow& ThresholdRow() {
  const auto rows = OptionTable();
  return *std::ranges::find(rows, "threshold", &OptionRow::name);
}

TEST(TextFieldsTest, AThresholdIsANumberOrOneForEachField) {
  Options options;
  ASSERT_TRUE(SetOption(ThresholdRow(), "a=0.9,b=c=0.25", &options));
  EXPECT_EQ(options.threshold.fields, (std::vector<FieldThreshold>{{"a", 0.9}, {"b=c", 0.25}}));
  EXPECT_EQ(options.threshold.least, 0.25);
  EXPECT_EQ(OptionText(ThresholdRow(), options), "a=0.9,b=c=0.25");
  ASSERT_TRUE(SetOption(ThresholdRow(), "0.5", &options));
  EXPECT_EQ(options.threshold, Threshold(0.5));
  for (const char* wrong : {"a=", "=0.5", "a=0.5,", ",a=0.5", "a=0.5,,b=0.5", "a=x", "a=0.5,0.6"}) {
    EXPECT_FALSE(SetOption(ThresholdRow(), wrong, &options)) << wrong;
  }
}

TEST(TextFieldsTest, EachFieldGetsItsThresholdInTheOrderOfTheFields) {
  Options options;
  options.text_field = {"title", "body"};
  options.threshold.fields = {{"body", 0.7}, {"title", 0.9}};
  options.threshold.least = 0.7;
  const auto fields = ReadTextFields(options);
  ASSERT_TRUE(fields);
  EXPECT_TRUE(fields->several());
  EXPECT_EQ(fields->thresholds, (std::vector<double>{0.9, 0.7}));
  options.threshold = 0.6;
  EXPECT_EQ(ReadTextFields(options)->thresholds, (std::vector<double>{0.6, 0.6}));
}

TEST(TextFieldsTest, OneFieldIsNotSeveral) {
  Options options;
  EXPECT_FALSE(ReadTextFields(options)->several());
  options.text_field = {"body"};
  options.threshold.fields = {{"body", 0.7}};
  EXPECT_FALSE(ReadTextFields(options)->several());
  EXPECT_EQ(*OnlyTextField(options), "body");
}

TEST(TextFieldsTest, FieldsAndThresholdsMustMatch) {
  Options options;
  options.threshold.fields = {{"body", 0.7}};
  EXPECT_FALSE(ReadTextFields(options)) << "no such text field";
  EXPECT_FALSE(OnlyTextField(options));
  options.text_field = {"title", "body"};
  EXPECT_FALSE(ReadTextFields(options)) << "title has none";
  EXPECT_FALSE(OnlyTextField(options));
  options.threshold.fields = {{"body", 0.7}, {"title", 0.7}, {"body", 0.8}};
  EXPECT_FALSE(ReadTextFields(options)) << "body has two";
  options.threshold = 0.8;
  options.text_field = {"body", "title", "body"};
  EXPECT_FALSE(ReadTextFields(options)) << "body is named twice";
  options.text_field.clear();
  for (size_t i = 0; i < kMostTextFields; ++i) options.text_field.push_back(std::to_string(i));
  EXPECT_TRUE(ReadTextFields(options));
  options.text_field.emplace_back("one more");
  EXPECT_FALSE(ReadTextFields(options));
}

TEST(TextFieldsTest, TheRuleNeedsSeveralFields) {
  Options options;
  options.text_field = {"title", "body"};
  EXPECT_EQ(ReadTextFields(options)->rule, FieldRule::kAll);
  EXPECT_FALSE(ReadTextFields(options)->any());
  options.fields = "any";
  EXPECT_EQ(ReadTextFields(options)->rule, FieldRule::kAny);
  EXPECT_TRUE(ReadTextFields(options)->any());
  options.text_field = {"body"};
  EXPECT_FALSE(ReadTextFields(options));
  options.text_field = {"title", "body"};
  options.fields = "one";
  EXPECT_FALSE(ReadTextFields(options));
}

}  // namespace
}  // namespace lookalike
