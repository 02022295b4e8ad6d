#include "stages/passages/cut_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
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
  EXPECT_EQ(plan.CutsOf(2)[0].bytes.end, plan.CutsOf(2)[1].bytes.begin);
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

TEST(CutPlan, WhatStaysAroundACutIsAskedFor) {
  CutPlan plan({});
  std::vector<std::pair<TextSpan, TextSpan>> asked;
  plan.Decide(1, TextOf(6), std::vector<EarlierRun>{{2, 2, 0, 0}},
              [&](TextSpan left, TextSpan right) {
                asked.emplace_back(left, right);
                return false;
              });
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0].first, (TextSpan{3, 6}));     // with the blank before the cut
  EXPECT_EQ(asked[0].second, (TextSpan{11, 14}));  // and that after it
}

TEST(CutPlan, WordsBesideACutStay) {
  CutPlan plan({});
  plan.Decide(1, TextOf(12), std::vector<EarlierRun>{{5, 3, 0, 2}}, NeverJoin);
  plan.Decide(2, TextOf(12, {0, 5, 8, 12}), std::vector<EarlierRun>{{0, 12, 1, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 3);
  EXPECT_EQ(plan.CutsOf(2)[0].same_doc, 1);
  EXPECT_EQ(plan.CutsOf(2)[0].same_word, 0);
  EXPECT_EQ(plan.CutsOf(2)[1].same_doc, 0);
  EXPECT_EQ(plan.CutsOf(2)[1].same_word, 2);
  EXPECT_EQ(plan.CutsOf(2)[2].same_doc, 1);
  EXPECT_EQ(plan.CutsOf(2)[2].same_word, 8);
}

TEST(CutPlan, AUnitOfWhichTheLastWordsWentStays) {
  CutPlan plan({});
  plan.Decide(1, TextOf(12), std::vector<EarlierRun>{{5, 3, 0, 2}}, NeverJoin);
  plan.Decide(2, TextOf(12, {0, 4, 8, 12}), std::vector<EarlierRun>{{0, 8, 1, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].words, 4);
}

TEST(CutPlan, CutsThatDoNotTouchAreTwo) {
  CutPlan plan({});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 2, 0, 0}, {5, 2, 0, 2}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 2);
  plan.Decide(2, TextOf(10), std::vector<EarlierRun>{{7, 2, 0, 4}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 2);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].word, 7);
}

TEST(CutPlan, UnitsMayEndWithAWord) {
  CuttableText text;
  for (uint64_t i = 0; i < 4; ++i) text.words.push_back({2 * i, 2 * i + 2});  // nothing between
  text.borders = {0, 4, 8};
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{0, 3, 0, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  EXPECT_EQ(plan.CutsOf(1)[0].bytes, (TextSpan{0, 4}));
}

TEST(CutPlan, ACutOfOneUnitThatCannotStandIsNone) {
  CuttableText text;
  for (uint64_t i = 0; i < 6; ++i) text.words.push_back({2 * i, 2 * i + 2});  // nothing between
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{2, 1, 0, 0}}, [](TextSpan left, TextSpan right) {
    return left == TextSpan{2, 4} && right == TextSpan{6, 8};
  });
  EXPECT_TRUE(plan.CutsOf(1).empty());
}

TEST(CutPlan, WordsWithinALongerOneAreOneUnit) {
  CuttableText text;
  text.words = {{0, 5}, {1, 3}, {4, 5}, {6, 7}};
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{0, 2, 0, 0}}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(1).empty());
  plan.Decide(2, text, std::vector<EarlierRun>{{0, 3, 0, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].bytes, (TextSpan{0, 5}));
}

TEST(CutPlan, ABorderWithinAWordIsNone) {
  CuttableText text = TextOf(4);
  text.borders = {0, 4, 9, 11};  // 4 is within the second word
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{0, 2, 0, 0}}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(1).empty());
  plan.Decide(2, text, std::vector<EarlierRun>{{0, 3, 0, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].bytes, (TextSpan{0, 9}));
}

TEST(CutPlan, OfARunThatOverlapsItsEarlierPlaceAUnitGoesThatDoesNot) {
  const auto cuts_of = [](const std::vector<uint32_t>& borders) {
    CutPlan plan({});
    plan.Decide(1, TextOf(20, borders), std::vector<EarlierRun>{{4, 14, 1, 0}}, NeverJoin);
    return plan.cuts();
  };
  // Words 1 to 4 stay, and each later four of them.
  const std::vector<TextCut> aligned = cuts_of({0, 1, 5, 9, 13, 17, 20});
  ASSERT_EQ(aligned.size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(aligned[i].word, 5 + 4 * i);
    EXPECT_EQ(aligned[i].words, 4);
    EXPECT_EQ(aligned[i].same_word, 1);
  }
  // Five words from 5 on stand from 1 on, but the last of these is the first of the five.
  EXPECT_TRUE(cuts_of({0, 5, 10, 15, 20}).empty());
}

/// Returns "ab. cd. ef" as characters, with two sentences and the front of a third one. White space
/// has no bytes of its own.
CuttableText TextOfCharacters() {
  CuttableText text;
  for (uint64_t i = 0; i < 10; ++i) text.words.push_back({i, i % 4 == 3 ? i : i + 1});
  text.borders = {0, 4, 8, 10};
  return text;
}

TEST(CutPlan, WhiteSpaceAtTheEndOfAUnitMayBeInTheRunOrNot) {
  const auto cut_for = [&](EarlierRun run) {
    CutPlan plan({});
    plan.Decide(1, TextOfCharacters(), std::vector<EarlierRun>{run}, NeverJoin);
    return plan.cuts();
  };
  EXPECT_TRUE(cut_for({0, 2, 0, 5}).empty());
  for (const uint32_t words : {3, 4}) {
    const std::vector<TextCut> cuts = cut_for({0, words, 0, 5});
    ASSERT_EQ(cuts.size(), 1) << words;
    EXPECT_EQ(cuts[0].words, words);
    EXPECT_EQ(cuts[0].bytes, (TextSpan{0, 4})) << words;
    EXPECT_EQ(cuts[0].same_word, 5);
  }
  const std::vector<TextCut> both = cut_for({0, 7, 0, 5});
  ASSERT_EQ(both.size(), 1);
  EXPECT_EQ(both[0].words, 7);
  EXPECT_EQ(both[0].bytes, (TextSpan{0, 8}));
}

TEST(CutPlan, WhiteSpaceAtTheFrontOfAUnitGoesWithIt) {
  CuttableText text = TextOfCharacters();
  text.borders = {0, 3, 8, 10};  // the white space after "ab." belongs to the second unit
  CutPlan plan({});
  plan.Decide(1, text, std::vector<EarlierRun>{{4, 3, 0, 9}}, NeverJoin);
  ASSERT_EQ(plan.cuts().size(), 1);
  EXPECT_EQ(plan.cuts()[0].word, 4);
  EXPECT_EQ(plan.cuts()[0].bytes, (TextSpan{3, 8}));
}

TEST(CutPlan, CutsWithWhiteSpaceBetweenThemThatNoRunHasAreTwo) {
  CutPlan plan({});
  plan.Decide(1, TextOfCharacters(), std::vector<EarlierRun>{{0, 3, 0, 5}, {4, 3, 0, 9}},
              NeverJoin);
  // The places follow each other, but the character between them is not known to be the same.
  ASSERT_EQ(plan.cuts().size(), 2);
  EXPECT_EQ(plan.cuts()[0].bytes, (TextSpan{0, 4}));
  EXPECT_EQ(plan.cuts()[0].words, 3);
  EXPECT_EQ(plan.cuts()[1].bytes, (TextSpan{4, 8}));
  EXPECT_EQ(plan.cuts()[1].same_word, 9);
}

TEST(CutPlan, WhiteSpaceThatStaysElsewhereWithoutItsSentenceIsNotLookedFor) {
  CutPlan plan({});
  plan.Decide(0, TextOfCharacters(), {}, NeverJoin);
  plan.Decide(1, TextOfCharacters(), std::vector<EarlierRun>{{0, 3, 0, 4}}, NeverJoin);
  // The run is four characters long, of which document 1 lost three to document 0.
  plan.Decide(2, TextOfCharacters(), std::vector<EarlierRun>{{0, 4, 1, 0}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].words, 3);
  EXPECT_EQ(plan.CutsOf(2)[0].same_doc, 0);
  EXPECT_EQ(plan.CutsOf(2)[0].same_word, 4);
}

TEST(CutPlan, WhiteSpaceThatGoesWithASentenceIsNotLeft) {
  const auto is_dropped = [](uint64_t min_left) {
    CutPlan plan({.min_left = min_left});
    plan.Decide(0, TextOfCharacters(), {}, NeverJoin);
    plan.Decide(1, TextOfCharacters(), std::vector<EarlierRun>{{0, 7, 0, 0}}, NeverJoin);
    return plan.IsDropped(1);
  };
  EXPECT_FALSE(is_dropped(2));  // "ef"
  EXPECT_TRUE(is_dropped(3));
}

TEST(CutPlan, WordsAroundACutAreThoseBesideItsWhiteSpace) {
  CutPlan plan({});
  std::vector<std::pair<TextSpan, TextSpan>> asked;
  const auto joins = [&](TextSpan left, TextSpan right) {
    asked.emplace_back(left, right);
    return false;
  };
  plan.Decide(1, TextOfCharacters(), std::vector<EarlierRun>{{4, 3, 0, 9}}, joins);
  ASSERT_EQ(asked.size(), 1);
  EXPECT_EQ(asked[0].first, (TextSpan{3, 4}));
  EXPECT_EQ(asked[0].second, (TextSpan{8, 9}));
}

TEST(CutPlan, UnitsWithoutWordsGoWithThoseOnBothSides) {
  CuttableText text;
  text.words = {{0, 2}, {3, 5}, {9, 11}};
  text.borders = {0, 3, 6, 9, 11};  // nothing is from 6 to 9
  const auto bytes_for = [&](EarlierRun run) {
    CutPlan plan({});
    plan.Decide(1, text, std::vector<EarlierRun>{run}, NeverJoin);
    EXPECT_EQ(plan.cuts().size(), 1);
    return plan.cuts().front().bytes;
  };
  EXPECT_EQ(bytes_for({0, 3, 0, 0}), (TextSpan{0, 11}));
  EXPECT_EQ(bytes_for({0, 2, 0, 0}), (TextSpan{0, 6}));
  EXPECT_EQ(bytes_for({2, 1, 0, 0}), (TextSpan{9, 11}));
}

TEST(CutPlan, RunsAreOfOneDocument) {
  CutPlan plan({});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{5, 5, 0, 0}}, NeverJoin);
  plan.Decide(2, TextOf(10), {}, NeverJoin);
  EXPECT_TRUE(plan.CutsOf(2).empty());
}

TEST(CutPlan, ARunWhoseWordsDoNotStayHidesNoOther) {
  CutPlan plan({.min_left = 6});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 5, 0, 0}}, NeverJoin);
  ASSERT_TRUE(plan.IsDropped(1));
  plan.Decide(2, TextOf(20), std::vector<EarlierRun>{{0, 5, 1, 5}, {0, 4, 0, 3}}, NeverJoin);
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].words, 4);
  EXPECT_EQ(plan.CutsOf(2)[0].same_doc, 0);
}

TEST(CutPlan, CutsThatTouchAreForDifferentPlaces) {
  CutPlan plan({});
  // Other words of the same document, and words of others that have the same numbers.
  plan.Decide(9, TextOf(12),
              std::vector<EarlierRun>{{0, 3, 0, 0}, {3, 3, 0, 7}, {6, 3, 1, 10}, {9, 3, 2, 13}},
              NeverJoin);
  ASSERT_EQ(plan.CutsOf(9).size(), 4);
  EXPECT_EQ(plan.CutsOf(9)[1].same_word, 7);
  EXPECT_EQ(plan.CutsOf(9)[2].same_doc, 1);
  EXPECT_EQ(plan.CutsOf(9)[3].same_doc, 2);
}

TEST(CutPlan, CutsThatTouchAreKeptApartAsOne) {
  CuttableText text;
  for (uint64_t i = 0; i < 8; ++i) text.words.push_back({2 * i, 2 * i + 2});  // nothing between
  const std::vector<EarlierRun> runs = {{2, 2, 0, 0}, {4, 2, 0, 7}};
  CutPlan plan({});
  // Only the words around both cuts may stand side by side.
  plan.Decide(1, text, runs, [](TextSpan left, TextSpan right) {
    return left != TextSpan{2, 4} || right != TextSpan{12, 14};
  });
  ASSERT_EQ(plan.CutsOf(1).size(), 2);
  EXPECT_EQ(plan.CutsOf(1)[0].words, 2);
  EXPECT_EQ(plan.CutsOf(1)[1].words, 2);
  // The last cut stays altogether, and a word of the first.
  plan.Decide(2, text, runs, [](TextSpan left, TextSpan right) {
    return left != TextSpan{2, 4} || right != TextSpan{6, 8};
  });
  ASSERT_EQ(plan.CutsOf(2).size(), 1);
  EXPECT_EQ(plan.CutsOf(2)[0].words, 1);
  EXPECT_EQ(plan.CutsOf(2)[0].bytes, (TextSpan{4, 6}));
}

TEST(CutPlan, NothingIsJoinedAtTheFrontAndTheEnd) {
  CutPlan plan({});
  const auto always = [](TextSpan, TextSpan) { return true; };
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{0, 4, 0, 0}, {7, 3, 0, 5}}, always);
  ASSERT_EQ(plan.CutsOf(1).size(), 2);
  EXPECT_EQ(plan.CutsOf(1)[0].words, 4);
  EXPECT_EQ(plan.CutsOf(1)[1].words, 3);
}

TEST(CutPlan, WordsAreNotKeptApartInWholeDocuments) {
  CutPlan plan({.min_left = 6, .whole_only = true});
  plan.Decide(1, TextOf(10), std::vector<EarlierRun>{{2, 5, 0, 0}},
              [](TextSpan, TextSpan) { return true; });
  EXPECT_TRUE(plan.IsDropped(1));
}

TEST(CutPlan, ADocumentOfWhichNothingWouldGoStays) {
  CutPlan plan({.min_left = 6});
  plan.Decide(1, TextOf(3), {}, NeverJoin);
  EXPECT_FALSE(plan.IsDropped(1));
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
  // Words that only the dropped document had do not stay; those it was cut for do.
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

/// A store of a few documents.
class FewCuts : public CutStore {
 public:
  void Add(DocNumber doc, std::span<const TextCut> cuts, bool is_dropped) override {
    cuts_[doc].assign(cuts.begin(), cuts.end());
    if (is_dropped) dropped_.insert(doc);
  }
  std::span<const TextCut> CutsOf(DocNumber doc) override { return cuts_[doc]; }
  [[nodiscard]] bool IsDropped(DocNumber doc) const override { return dropped_.contains(doc); }

 private:
  std::map<DocNumber, std::vector<TextCut>> cuts_;
  std::set<DocNumber> dropped_;
};

TEST(CutPlan, DecidesTheSameWithAStore) {
  std::mt19937 draw(7);
  const auto below = [&](uint32_t most) {
    return std::uniform_int_distribution<uint32_t>(0, most - 1)(draw);
  };
  for (int round = 0; round < 50; ++round) {
    FewCuts store;
    const CutRules rules{.min_left = below(4)};
    CutPlan kept(rules), stored(rules, &store);
    for (DocNumber doc = 0; doc < 12; ++doc) {
      std::vector<EarlierRun> runs;
      for (uint32_t i = below(4); doc > 0 && i > 0; --i) {
        const uint32_t word = below(8);
        runs.push_back({word, 1 + below(10 - word), below(static_cast<uint32_t>(doc)), below(2)});
      }
      std::ranges::sort(runs, {}, &EarlierRun::word);
      kept.Decide(doc, TextOf(12), runs, NeverJoin);
      stored.Decide(doc, TextOf(12), runs, NeverJoin);
    }
    EXPECT_TRUE(stored.cuts().empty());
    for (DocNumber doc = 0; doc < 12; ++doc) {
      EXPECT_EQ(kept.IsDropped(doc), stored.IsDropped(doc));
      const auto want = kept.CutsOf(doc), found = stored.CutsOf(doc);
      ASSERT_EQ(want.size(), found.size());
      for (size_t i = 0; i < want.size(); ++i) {
        EXPECT_EQ(want[i].bytes, found[i].bytes);
        EXPECT_EQ(want[i].same_doc, found[i].same_doc);
        EXPECT_EQ(want[i].same_word, found[i].same_word);
      }
    }
  }
}

TEST(CutPlan, ARunIsFoundAfterManyThatHaveEnded) {
  // The first run is the last one to end, and the others end in between.
  std::vector<EarlierRun> runs = {{0, 40, 0, 0}};
  for (uint32_t word = 1; word < 20; ++word) runs.push_back({word, 1, 0, word + 100});
  CutPlan plan({});
  plan.Decide(1, TextOf(40), runs, NeverJoin);
  ASSERT_EQ(plan.CutsOf(1).size(), 1);
  EXPECT_EQ(plan.CutsOf(1)[0].words, 40);
  EXPECT_EQ(plan.CutsOf(1)[0].same_word, 0);
}

}  // namespace
}  // namespace lookalike
