#include "results/evidence.h"

#include <gtest/gtest.h>

#include <string>

namespace lookalike {
namespace {

FeatureSpec Words(uint32_t n) {
  FeatureSpec spec;
  spec.shingle.length = n;
  return spec;
}

std::string Numbered(const std::string& name, int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += name + std::to_string(i) + " ";
  return text;
}

/// Returns a range of code points of an ASCII text.
std::string Cut(const std::string& text, uint64_t begin, uint64_t end) {
  return text.substr(begin, end - begin);
}

TEST(EvidenceTest, PiecesGiveTheSamePassagesAsTheWhole) {
  const std::string inner = Numbered("q", 0, 30);
  const std::string a = Numbered("x", 0, 500) + inner + Numbered("y", 0, 500);
  const Evidence whole = FindEvidence(a, inner, Words(5));
  ASSERT_EQ(whole.passages.size(), 1U);
  EXPECT_EQ(Cut(a, whole.passages[0].a_begin, whole.passages[0].a_end) + " ", inner);
  for (const size_t piece : {200, 1000, 2500}) {
    const Evidence cut = FindEvidence(a, inner, Words(5), piece);
    EXPECT_FALSE(cut.cut) << piece;
    EXPECT_FALSE(cut.passages.empty());
    for (const Passage& p : cut.passages) {
      EXPECT_EQ(Cut(a, p.a_begin, p.a_end), Cut(inner, p.b_begin, p.b_end));
    }
  }
}

TEST(EvidenceTest, OffsetsCountCodePoints) {
  const std::string a = "größer als über fünf Wörter " + Numbered("z", 0, 10);
  const std::string b = "é " + Numbered("z", 0, 10);
  const Evidence evidence = FindEvidence(a, b, Words(5), 8);
  for (const Passage& p : evidence.passages) EXPECT_GE(p.a_begin, 28U);
  const Evidence whole = FindEvidence(a, b, Words(5));
  ASSERT_EQ(whole.passages.size(), 1U);
  EXPECT_EQ(whole.passages[0].a_begin, 28U);
  EXPECT_EQ(whole.passages[0].b_begin, 2U);
}

TEST(EvidenceTest, OffsetsBehindAPieceCountWhatIsBefore) {
  const std::string a = "é" + std::string(99, 'u') + " " + Numbered("z", 0, 6);
  const Evidence evidence = FindEvidence(a, Numbered("z", 0, 6), Words(5), 101);
  ASSERT_EQ(evidence.passages.size(), 1U);
  EXPECT_EQ(evidence.passages[0].a_begin, 101U) << "the piece ends behind 100 code points";
}

TEST(EvidenceTest, OffsetsBehindAPieceOfTheOtherTextCountWhatIsBefore) {
  const std::string same = Numbered("z", 0, 6), b = "é" + std::string(99, 'u') + " " + same;
  const Evidence evidence = FindEvidence(same, b, Words(5), 101);
  ASSERT_EQ(evidence.passages.size(), 1U);
  EXPECT_EQ(evidence.passages[0].b_begin, 101U);
  EXPECT_EQ(evidence.passages[0].b_end, 100 + same.size());
}

TEST(EvidenceTest, PiecesEndBehindWholeCodePoints) {
  const std::string same = Numbered("z", 0, 6);
  const Evidence evidence = FindEvidence(std::string(100, 'u') + "é " + same, same, Words(5), 101);
  ASSERT_EQ(evidence.passages.size(), 1U);
  EXPECT_EQ(evidence.passages[0].a_begin, 102U) << "not in the middle of the é";
}

// Cut addresses and lists would be different ones.
TEST(EvidenceTest, WhatIsNoRunningTextIsNotCut) {
  const std::string list = std::string("red wine") + kItemEnd + "tea" + kItemEnd;
  const Evidence items = FindEvidence(list, list, {.shingle = {ShingleSpec::Kind::kItem, 1}}, 4);
  ASSERT_EQ(items.passages.size(), 1U);
  EXPECT_EQ(items.passages[0].a_end, 12U);
  const std::string url = "http://shop.de/items/of/a/kind";
  const Evidence tokens = FindEvidence(url, url, {.shingle = *ParseShingle("url:5")}, 16);
  ASSERT_EQ(tokens.passages.size(), 1U);
  EXPECT_EQ(tokens.passages[0].a_begin, 7U);
  EXPECT_EQ(tokens.passages[0].a_end, url.size());
}

TEST(EvidenceTest, TheLongestStay) {
  std::string a, b;
  for (int i = 0; i < 20; ++i) {
    const std::string block = Numbered("b" + std::to_string(i) + "n", 0, 6 + i);
    a += block + "a" + std::to_string(i) + " ";
    b = block + "z" + std::to_string(i) + " " + b;  // in the other order
  }
  const Evidence evidence = FindEvidence(a, b, Words(5));
  ASSERT_EQ(evidence.passages.size(), Evidence::kMostPassages);
  EXPECT_EQ(evidence.left_out, 12U);
  EXPECT_EQ(Cut(a, evidence.passages[0].a_begin, evidence.passages[0].a_end).substr(0, 6),
            "b12n0 ");
  for (size_t i = 1; i < evidence.passages.size(); ++i) {
    EXPECT_LT(evidence.passages[i - 1].a_begin, evidence.passages[i].a_begin);
    EXPECT_GT(evidence.passages[i - 1].b_begin, evidence.passages[i].b_begin) << "reordered";
  }
}

TEST(EvidenceTest, WhatIsLeftOutIsCountedOverAllPieces) {
  std::string a, b;
  for (int i = 0; i < 10; ++i) {
    const std::string block = Numbered("b" + std::to_string(i) + "n", 0, 6);
    a += block + "a" + std::to_string(i) + " ";
    b = block + "z" + std::to_string(i) + " " + b;
  }
  const Evidence evidence = FindEvidence(a, b + b, Words(5), a.size());
  EXPECT_EQ(evidence.passages.size(), Evidence::kMostPassages);
  EXPECT_EQ(evidence.left_out + evidence.passages.size(), 20U);
}

TEST(EvidenceTest, SixtyFourPairsOfPiecesAreLookedAt) {
  const std::string a(8 * 16, 'x');
  EXPECT_FALSE(FindEvidence(a, a, Words(5), 16).cut);
  EXPECT_TRUE(FindEvidence(a, a + "x", Words(5), 16).cut);
}

TEST(EvidenceTest, VeryLongTextsAreCut) {
  const std::string a = Numbered("x", 0, 2000);
  EXPECT_TRUE(FindEvidence(a, a, Words(5), 128).cut);
  EXPECT_FALSE(FindEvidence(a, a, Words(5)).cut);
  EXPECT_FALSE(FindEvidence("", "", Words(5)).cut);
  EXPECT_TRUE(FindEvidence("", "", Words(5)).passages.empty());
}

}  // namespace
}  // namespace lookalike
