#include "threads/spares.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

TEST(Spares, AreUsedAgainAsTheyWereLeft) {
  Spares<std::string> spares;
  std::string first = spares.Take(), second = spares.Take();
  EXPECT_TRUE(first.empty() && second.empty()) << "nothing is spare, so they are new";
  first = "first";
  spares.Return(std::move(first));
  EXPECT_EQ(spares.Take(), "first");
  EXPECT_TRUE(spares.Take().empty());
}

}  // namespace
}  // namespace lookalike
