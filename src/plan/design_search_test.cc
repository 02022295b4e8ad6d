#include "plan/design_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace lookalike {
namespace {

constexpr uint32_t kAllBits[] = {8, 12, 16, 24, 32, 48, 64};

/// Returns every design that meets a goal, by also trying each length of groups.
std::vector<FoundDesign> TryAll(const DesignGoal& goal) {
  std::vector<FoundDesign> all;
  for (const uint32_t bits : kAllBits) {
    for (uint32_t g = 1; g * bits <= 8 * goal.bytes; ++g) {
      for (uint32_t l = 1; g * l <= goal.coordinates; ++l) {
        for (uint32_t tau = 1; tau <= g; ++tau) {
          const auto design = GroupsShape(g, l, tau, bits);
          if (!design || design->keys > goal.keys) continue;
          const FoundDesign found = Describe(*design);
          if (found.accidental > goal.accidental) continue;
          if (std::abs(found.half_point - goal.at) <= .01) all.push_back(found);
        }
      }
    }
  }
  return all;
}

class DesignSearchTest : public ::testing::TestWithParam<DesignGoal> {};

TEST_P(DesignSearchTest, NothingIsSharperThanTheFirst) {
  const DesignGoal& goal = GetParam();
  const std::vector<FoundDesign> all = TryAll(goal);
  const DesignSearch search = FindSharpest(goal);
  ASSERT_EQ(search.best.empty(), all.empty());
  if (all.empty()) return;
  double least = 1;
  for (const FoundDesign& found : all) least = std::min(least, found.width());
  EXPECT_NEAR(search.best.front().width(), least, 1e-4);
  for (size_t i = 0; i < search.best.size(); ++i) {
    const FoundDesign& found = search.best[i];
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const FoundDesign& other) {
      return other.design == found.design;
    })) << found.design;
    EXPECT_LE(found.bytes_per_document, goal.bytes);
    EXPECT_LE(found.coordinates, goal.coordinates);
    EXPECT_LE(found.keys, goal.keys);
    EXPECT_GE(found.width(), search.best[i == 0 ? 0 : i - 1].width() - 1.5e-4);
  }
  // All shapes that are sharp enough are listed.
  const double last = search.best.back().width();
  for (const FoundDesign& found : all) {
    if (found.width() > last - 2e-4) continue;
    const Design shape = *ParseDesign(found.design);
    EXPECT_TRUE(std::any_of(search.best.begin(), search.best.end(), [&](const FoundDesign& best) {
      const Design other = *ParseDesign(best.design);
      return std::tie(other.groups, other.group_rows, other.tau) ==
             std::tie(shape.groups, shape.group_rows, shape.tau);
    })) << found.design;
  }
}

INSTANTIATE_TEST_SUITE_P(Goals, DesignSearchTest,
                         ::testing::Values(DesignGoal{48, .9, 20, 100, 1e-6},
                                           DesignGoal{24, .8, 15, 60, 1e-3},
                                           DesignGoal{8, .9, 60, 90, 1e-5},
                                           DesignGoal{16, .5, 4096, 40, 1},
                                           DesignGoal{1, .99, 1, 3, 0}));

// With AltaVista's keys, bytes and samples, and half of the pairs passing at the same resemblance,
// nothing of the same family is sharper than AltaVista's filter.
TEST(DesignSearchTest, AltaVistasFilterIsTheSharpestOfItsCost) {
  DesignGoal goal{.bytes = 48, .at = .91, .keys = 15, .coordinates = 84};
  const DesignSearch search = FindSharpest(goal);
  ASSERT_FALSE(search.best.empty());
  EXPECT_EQ(search.altavista.design, "groups:6x14:2");
  EXPECT_NEAR(search.altavista.width(), .2033, 1e-4);
  EXPECT_TRUE(search.best.front().design.starts_with("groups:6x14:2"));
  EXPECT_EQ(search.whole_sketch.design, "sketch:84:77");
  goal.keys = 4096;
  EXPECT_LT(FindSharpest(goal).best.front().width(), .2033) << "more keys make sharper ones";
}

}  // namespace
}  // namespace lookalike
