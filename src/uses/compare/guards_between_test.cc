#include <gtest/gtest.h>

#include "lookalike/guards.h"

namespace lookalike {
namespace {

using Tokens = std::vector<std::string>;

TEST(GuardsBetweenTest, NamesWhatOnlyOneTextHasForEachGuardThatTellsThemApart) {
  const auto found = GuardsBetween("7 of 7 on 2024-05-01, B-2", "7 on 2024-05-01, B-3",
                                   {"dates", "regex:[A-Z]-[0-9]", "numbers"});
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].guard, "regex:[A-Z]-[0-9]");
  EXPECT_EQ((*found)[0].only_a, Tokens({"B-2"}));
  EXPECT_EQ((*found)[0].only_b, Tokens({"B-3"}));
  EXPECT_EQ((*found)[1].guard, "numbers");
  EXPECT_EQ((*found)[1].only_a, Tokens({"2", "7"}));
  EXPECT_EQ((*found)[1].only_b, Tokens({"3"}));
}

TEST(GuardsBetweenTest, EqualTokensInAnotherOrderAreNoDifference) {
  const auto found = GuardsBetween("1 and 2", "2, then 1", {"numbers"});
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->empty());
}

TEST(GuardsBetweenTest, RefusesFieldsAndWhatIsNoGuard) {
  for (const char* guard : {"lang", "regex:("}) {
    const auto found = GuardsBetween("a", "b", {guard});
    ASSERT_FALSE(found.has_value()) << guard;
    EXPECT_NE(found.error().what.find("differ"), std::string::npos) << found.error().what;
  }
}

}  // namespace
}  // namespace lookalike
