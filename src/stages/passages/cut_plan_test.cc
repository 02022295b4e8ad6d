#include "stages/passages/cut_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lookalike {
namespace {

/// Returns a text of words of two letters with blanks between them, cut before each of `borders`,
/// which are words; none: anywhere.
CuttableText TextOf(uint32_t words, const std::vector<uint32_t>& borders = {}) {
  CuttableText text;
  for (uint64_t i = 0; i < words; ++i) text.words.push_back({3 * i, 3 * i + 2});
  for (const uint32_t border : borders) text.borders.push_back(uint64_t{3} * border);
  return text;
}

bool NeverJoin(TextSpan, TextSpan) { return false; }

TEST(CutPlan, CutsWholeUnitsOnly) {
  CutPlan plan({});
  plan.Decide(0, TextOf(10), {}, NeverJoin);
  plan.Decide(1, TextOf(10, {0, 3, 6, 10}), std::vector<EarlierRun>{{2, 6, 0, 1}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  const TextCut& cut = plan.CutsOf(1)[0];
  EXPECT_EQ(cut.word, 3);
  EXPECT_EQ(cut.words, 3);
  EXPECT_EQ(cut.bytes, (TextSpan{9, 18}));
  EXPECT_EQ(cut.same_doc, 0);
  EXPECT_EQ(cut.same_word, 2);
}

TEST(CutPlan, CutsWordsFromTheFirstToTheLast) {
  CutPlan plan({});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{2, 4, 0, 5}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  EXPECT_EQ(plan.CutsOf(1)[0].bytes, (TextSpan{6, 17}));
}

TEST(CutPlan, WhatWasCutIsFoundWhereItStays) {
  CutPlan plan({});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 5, 0, 3}}, NeverJoin);
  // The first five words of document 1 went for document 0, the others stay.
  plan.Decide(2, TextOf(10), std::vector<EarlierRun>{{1, 8, 1, 1}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 2);
  EXPECT_EQ(plan.CutsOf(2)[0].words, 4);
  EXPECT_EQ(plan.CutsOf(2)[0].same_doc, 0);
  EXPECT_EQ(plan.CutsOf(2)[0].same_word, 4);
  EXPECT_EQ(plan.CutsOf(2)[1].words, 4);
  EXPECT_EQ(plan.CutsOf(2)[1].same_doc, 1);
  EXPECT_EQ(plan.CutsOf(2)[1].same_word, 5);
}

TEST(CutPlan, AUnitThatIsTornWhereItStandsEarlierStays) {
  CutPlan plan({});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 5, 0, 3}}, NeverJoin);
  plan.Decide(2, TextOf(10, {0, 2, 8, 10}), std::vector<EarlierRun>{{1, 8, 1, 1}}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(2).empty());
}

TEST(CutPlan, RepetitionsInOneTextLeaveTheFirst) {
  CutPlan plan({});
  plan.Decide(3, TextOf(9), std::vector<EarlierRun>{{3, 3, 3, 0}, {6, 3, 3, 3}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(3).size(), 2);
  EXPECT_EQ(plan.CutsOf(3)[1].same_word, 0);
}

TEST(CutPlan, WordsAreKeptApart) {
  CuttableText text;
  for (uint64_t i = 0; i < 6; ++i) text.words.push_back({2 * i, 2 * i + 2});  // nothing between
  CutPlan plan({});
  const auto only_1_and_4 = [](TextSpan left, TextSpan right) {
    return left == TextSpan{2, 4} && right == TextSpan{8, 10};
  };
  plan.Decide(1, text, std::vector<EarlierRun>{{2, 2, 0, 0}}, only_1_and_4);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  EXPECT_EQ(plan.CutsOf(1)[0].words, 1);
  EXPECT_EQ(plan.CutsOf(1)[0].bytes, (TextSpan{4, 6}));
  CutPlan none({});
  none.Decide(1, text, std::vector<EarlierRun>{{2, 2, 0, 0}},
              [](TextSpan, TextSpan) { return true; });
  EXPECT_TRUE(none.CutsOf(1).empty());
}

TEST(CutPlan, ASignOfTwoWordsStaysUnlessBothGo) {
  CuttableText text;
  text.words = {{0, 1}, {2, 4}, {2, 4}, {5, 6}};  // the second and third word are one sign
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{0, 2, 0, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  EXPECT_EQ(plan.CutsOf(1)[0].bytes, (TextSpan{0, 1}));
  plan.Decide(2, text, std::vector<EarlierRun>{{0, 3, 0, 0}}, NeverJoin);
  EXPECT_EQ(plan.CutsOf(2)[0].bytes, (TextSpan{0, 4}));
}

TEST(CutPlan, ADocumentDoesNotGoForItself) {
  CutPlan plan({.min_left = UINT64_MAX, .whole_only = true});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{5, 5, 1, 0}}, NeverJoin);
  EXPECT_TRUE(plan.dropped().empty());
}

TEST(CutPlan, DocumentsThatBecomeTooShortGo) {
  CutPlan plan({.min_left = 6});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 4, 0, 0}}, NeverJoin);
  plan.Decide(2, TextOf(10), std::vector<EarlierRun>{{0, 5, 0, 0}}, NeverJoin);
  EXPECT_FALSE(plan.IsDropped(1));
  EXPECT_TRUE(plan.IsDropped(2));
  // What only the dropped document had does not stay; what it was cut for does.
  plan.Decide(3, TextOf(20), std::vector<EarlierRun>{{0, 9, 2, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(3).size(), 1);
  EXPECT_EQ(plan.CutsOf(3)[0].words, 5);
  EXPECT_EQ(plan.CutsOf(3)[0].same_doc, 0);
}

TEST(CutPlan, WholeDocumentsStayOrGo) {
  CutPlan plan({.min_left = 6, .whole_only = true});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 4, 0, 0}}, NeverJoin);
  plan.Decide(2, TextOf(10), std::vector<EarlierRun>{{0, 5, 0, 0}}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(1).empty());
  EXPECT_EQ(plan.dropped(), (std::vector<DocNumber>{2}));
}

TEST(CutPlan, ADroppedDocumentIsNoReasonForItself) {
  CutPlan plan({.min_left = 9});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{5, 5, 1, 0}}, NeverJoin);
  ASSERT_TRUE(plan.IsDropped(1));
  plan.Decide(2, TextOf(20), std::vector<EarlierRun>{{0, 5, 1, 5}}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(2).empty());
}

}  // namespace
}  // namespace lookalike
