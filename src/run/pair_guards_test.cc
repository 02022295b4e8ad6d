#include "run/pair_guards.h"

#include <gtest/gtest.h>

#include <utility>

namespace lookalike {
namespace {

TEST(PairGuardsTest, DocumentsKeptApartAreInNoPair) {
  PairGuards guards;
  EXPECT_FALSE(guards.any());
  Bitmap apart(5);
  apart.Set(2);
  guards.KeepApart(std::move(apart));
  EXPECT_TRUE(guards.any());
  EXPECT_FALSE(guards.guards()) << "no pair is listed as guarded";
  EXPECT_TRUE(guards.Allows(1, 3));
  EXPECT_TRUE(guards.MayBeEdge(1, 3));
  for (const DocNumber other : {1, 3}) {
    EXPECT_FALSE(guards.Allows(2, other));
    EXPECT_FALSE(guards.Allows(other, 2));
    EXPECT_FALSE(guards.MayBeEdge(other, 2));
  }
  guards.KeepApart({});
  EXPECT_FALSE(guards.any());
  EXPECT_TRUE(guards.Allows(1, 2));
}

}  // namespace
}  // namespace lookalike
