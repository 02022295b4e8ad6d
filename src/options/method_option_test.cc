#include "options/method_option.h"

#include <gtest/gtest.h>

namespace lookalike {
namespace {

TEST(MethodOptionTest, TextIsTheOption) {
  for (const char* text : {"auto", "lsh", "exact", "shingle-merge:2", "shingle-merge:1000",
                           "shingle-merge:unlimited"}) {
    const auto option = ParseMethodOption(text);
    ASSERT_TRUE(option.has_value()) << text;
    EXPECT_EQ(ToString(*option), text);
  }
  EXPECT_EQ(ToString(*ParseMethodOption("shingle-merge")), "shingle-merge:1000");
  EXPECT_TRUE(ParseMethodOption("auto")->has_keys());
  EXPECT_TRUE(ParseMethodOption("lsh")->has_keys());
  EXPECT_FALSE(ParseMethodOption("exact")->has_keys());
  EXPECT_FALSE(ParseMethodOption("exact")->merges());
  EXPECT_TRUE(ParseMethodOption("shingle-merge:5")->merges());
  EXPECT_FALSE(ParseMethodOption("shingle-merge:5")->has_keys());
}

TEST(MethodOptionTest, AnythingElseIsAnErrorThatSaysWhatIsAllowed) {
  for (const char* text : {"", "merge", "shingle-merge:", "shingle-merge:1", "shingle-merge:x",
                           "shingle-merge:5x", "shingle-merge5", "exact:5", "shingle-merge:-5"}) {
    const auto option = ParseMethodOption(text);
    ASSERT_FALSE(option.has_value()) << text;
    EXPECT_NE(option.error().what.find("shingle-merge:N"), std::string::npos);
  }
}

}  // namespace
}  // namespace lookalike
