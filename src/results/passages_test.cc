#include "results/passages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace lookalike {
namespace {

FeatureSpec Runs(ShingleSpec::Kind kind, uint32_t length, uint32_t window = 1) {
  return {.shingle = {kind, length, window}};
}
FeatureSpec Words(uint32_t length) { return Runs(ShingleSpec::Kind::kWord, length); }
FeatureSpec Characters(uint32_t length) { return Runs(ShingleSpec::Kind::kChar, length); }

std::string Slice(std::string_view text, uint64_t begin, uint64_t end) {
  const std::vector<Passage> part = {{begin, end, 0, 0}};
  for (const Segment& segment : SplitByPassages(text, part, Side::kA)) {
    if (segment.shared) return segment.text;
  }
  return {};
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  const auto read = ReadUnits(text, Words(5));
  for (const auto& unit : read->units) words.emplace_back(unit.value);
  return words;
}

// The units of a text that lie within code points [begin, end), and their features.
struct Inside {
  std::vector<std::string> units;
  std::set<uint64_t> features;
};

Inside InsideOf(const UnitText& text, uint64_t begin, uint64_t end, const FeatureSpec& spec) {
  Inside inside;
  const size_t length = std::min<size_t>(spec.shingle.units(), text.units.size());
  for (const UnitText::Unit& unit : text.units) {
    if (unit.begin >= begin && unit.end <= end) inside.units.emplace_back(unit.value);
  }
  for (size_t i = 0; i < text.features.size(); ++i) {
    const size_t first = text.first[i], last = first + length - 1;
    if (text.units[first].begin >= begin && text.units[last].end <= end) {
      inside.features.insert(text.features[i]);
    }
  }
  return inside;
}

// Expects that both sides of every passage have the same units, and that every shared feature is in
// some passage.
void ExpectSound(std::string_view a, std::string_view b, const FeatureSpec& spec) {
  const auto units_a = ReadUnits(a, spec), units_b = ReadUnits(b, spec);
  const std::set<uint64_t> in_b(units_b->features.begin(), units_b->features.end());
  std::set<uint64_t> missing;
  for (uint64_t feature : units_a->features) {
    if (in_b.contains(feature)) missing.insert(feature);
  }
  uint64_t last = 0;
  for (const Passage& p : SharedPassages(*units_a, *units_b, spec)) {
    const Inside part = InsideOf(*units_a, p.a_begin, p.a_end, spec);
    EXPECT_EQ(part.units, InsideOf(*units_b, p.b_begin, p.b_end, spec).units) << a << " | " << b;
    EXPECT_GE(p.a_begin, last);
    last = p.a_begin;
    for (uint64_t feature : part.features) missing.erase(feature);
    if (spec.shingle.kind == ShingleSpec::Kind::kWord) {
      EXPECT_EQ(WordsOf(Slice(a, p.a_begin, p.a_end)), WordsOf(Slice(b, p.b_begin, p.b_end)));
    }
  }
  EXPECT_TRUE(missing.empty()) << missing.size() << " features of: " << a << " | " << b;
}

TEST(PassagesTest, OneWordChangedGivesTwoPassages) {
  const std::string a = "One two, three four five SIX seven.", b = "one two three 4 five six seven";
  const std::vector<Passage> passages = SharedPassages(a, b, Words(3));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(Slice(a, passages[0].a_begin, passages[0].a_end), "One two, three");
  EXPECT_EQ(Slice(b, passages[0].b_begin, passages[0].b_end), "one two three");
  EXPECT_EQ(Slice(a, passages[1].a_begin, passages[1].a_end), "five SIX seven");
}

TEST(PassagesTest, EqualTextsAreOnePassage) {
  const std::vector<Passage> passages = SharedPassages("a b a b a b c", "A b a b a b C!", Words(2));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_end, 13u);
}

TEST(PassagesTest, ShortTextsShareAllOrNothing) {
  EXPECT_EQ(SharedPassages(" two words", "Two   words!", Words(5)).size(), 1u);
  EXPECT_EQ(SharedPassages(" two words", "Two   words!", Words(5))[0].b_end, 11u);
  EXPECT_TRUE(SharedPassages("two words", "two words more", Words(5)).empty());
  EXPECT_TRUE(SharedPassages("two words", "two words a b c d", Words(5)).empty());
  EXPECT_TRUE(SharedPassages("", "", Words(5)).empty());
  EXPECT_TRUE(SharedPassages("!", "?", Words(1)).empty());
}

TEST(PassagesTest, MovedBlocksAreFound) {
  const std::string x = "alpha beta gamma delta epsilon", y = "one two three four five six";
  const std::vector<Passage> passages = SharedPassages(x + " " + y, y + " " + x, Words(3));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].b_begin, y.size() + 1);
  EXPECT_EQ(passages[1].b_begin, 0u);
}

TEST(PassagesTest, RepetitionsOnOneSideAreAllMarked) {
  const std::string x = "alpha beta gamma delta";
  const std::vector<Segment> b =
      SplitByPassages(x + " zzz " + x, SharedPassages(x, x + " zzz " + x, Words(3)), Side::kB);
  EXPECT_EQ(b, (std::vector<Segment>{{x, true}, {" zzz ", false}, {x, true}}));
}

TEST(PassagesTest, RepetitionsOnBothSidesGoSideBySide) {
  const std::vector<Passage> passages = SharedPassages("p x q x", "p x r x", Words(1));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].a_end, 3u);
  EXPECT_EQ(passages[0].b_end, 3u);
  EXPECT_EQ(passages[1].a_begin, 6u);
  EXPECT_EQ(passages[1].b_begin, 6u);
}

TEST(PassagesTest, OfSeveralPlacesTheLongestRunIsTaken) {
  const std::string run = "one two three four five six", b = "one two three zzz " + run;
  const std::vector<Passage> passages = SharedPassages(run, b, Words(3));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(Slice(b, passages[0].b_begin, passages[0].b_end), "one two three");
  EXPECT_EQ(passages[1].a_begin, 0u);
  EXPECT_EQ(passages[1].a_end, run.size());
  EXPECT_EQ(passages[1].b_begin, b.size() - run.size());
}

TEST(PassagesTest, OffsetsAreCodePointsOfTheOriginal) {
  const std::string a = "caf\u00e9 \U0001F600 STRASSE \ufb01ne",
                    b = "x cafe\u0301 stra\u00dfe fine";
  const std::vector<Passage> passages = SharedPassages(a, b, Words(3));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_begin, 0u);
  EXPECT_EQ(passages[0].a_end, 18u);
  EXPECT_EQ(passages[0].b_begin, 2u);
  EXPECT_EQ(passages[0].b_end, 19u);
}

TEST(PassagesTest, IgnorableCodePointsBelongToTheirWord) {
  ExpectSound("a\u00adb x\u200dy z", "ab xy z", Words(2));
  ExpectSound("\u00ad ab\u00ad xy", "ab xy", Words(2));
}

TEST(PassagesTest, CharactersFoldWhiteSpace) {
  ExpectSound("some \t\n text here", "some text there", Characters(5));
  const std::vector<Passage> passages = SharedPassages("a \t b", "xa by", Characters(3));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_end, 5u);
  EXPECT_EQ(passages[0].b_begin, 1u);
  EXPECT_EQ(passages[0].b_end, 4u);
}

TEST(PassagesTest, InvalidBytesCountAsOneCodePointEach) {
  const std::string a = "\xff\xff one two three", b = "one two three";
  const std::vector<Passage> passages = SharedPassages(a, b, Words(3));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_begin, 3u);
  EXPECT_EQ(SplitByPassages(a, passages, Side::kA),
            (std::vector<Segment>{{"\ufffd\ufffd ", false}, {"one two three", true}}));
}

TEST(PassagesTest, SoundOnRandomTexts) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 400; ++round) {
    const uint64_t vocabulary = 2 + random() % 12;
    std::string texts[2];
    for (std::string& text : texts) {
      const uint64_t words = random() % 60;
      for (uint64_t w = 0; w < words; ++w) {
        text += std::string(1, static_cast<char>('a' + random() % vocabulary));
        text += random() % 4 == 0 ? ", " : " ";
      }
    }
    ExpectSound(texts[0], texts[1], Words(static_cast<uint32_t>(1 + round % 5)));
    ExpectSound(texts[0], texts[1], Characters(static_cast<uint32_t>(1 + round % 7)));
  }
}

TEST(PassagesTest, SoundForEveryKindOfShingle) {
  std::mt19937_64 random(4);
  const char* const words[] = {"the", "of", "a", "x+y", "Été", "one", "1", "?", "und", "word"};
  for (int round = 0; round < 200; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      const uint64_t count = random() % 40;
      for (uint64_t w = 0; w < count; ++w) text += std::string(words[random() % 10]) + " ";
    }
    using Kind = ShingleSpec::Kind;
    FeatureSpec steps = Characters(3), bag = Words(2);
    steps.normal_form = {0x7f & ~0x20};  // all steps; white space is removed entirely
    bag.bag = Bag::kMax;
    for (const FeatureSpec& spec :
         {Runs(Kind::kByte, 4), Runs(Kind::kCode, 3), Runs(Kind::kStopWord, 2),
          Runs(Kind::kWinnow, 4, 3), steps, bag}) {
      ExpectSound(texts[0], texts[1], spec);
    }
  }
}

TEST(PassagesTest, ManyRepetitionsStayFast) {
  std::string a, b;
  for (int i = 0; i < 20000; ++i) a += "ha ", b += i % 100 == 99 ? "hi " : "ha ";
  EXPECT_LE(SharedPassages(a, b, Words(5)).size(), 1000u);
}

TEST(SplitTest, PassagesThatTouchAreOneSegment) {
  const std::vector<Passage> passages = {{0, 2, 1, 3}, {2, 4, 5, 7}};
  EXPECT_EQ(SplitByPassages("abcd", passages, Side::kA), (std::vector<Segment>{{"abcd", true}}));
  EXPECT_EQ(SplitByPassages("-ab--cd", passages, Side::kB),
            (std::vector<Segment>{{"-", false}, {"ab", true}, {"--", false}, {"cd", true}}));
}

TEST(SplitTest, APassageInsideOfAnotherEndsNothing) {
  const std::vector<Passage> passages = {{0, 6, 0, 0}, {2, 4, 0, 0}};
  EXPECT_EQ(SplitByPassages("abcdef-", passages, Side::kA),
            (std::vector<Segment>{{"abcdef", true}, {"-", false}}));
}

TEST(SplitTest, CutsAtTheLimit) {
  const std::vector<Passage> passages = {{2, 4, 0, 0}, {3, 6, 0, 0}};
  EXPECT_EQ(SplitByPassages("ab\u00e9def\U0001F600h", passages, Side::kA, 5),
            (std::vector<Segment>{{"ab", false}, {"\u00e9de", true}}));
  EXPECT_EQ(SplitByPassages("ab\u00e9def\U0001F600h", passages, Side::kA),
            (std::vector<Segment>{{"ab", false}, {"\u00e9def", true}, {"\U0001F600h", false}}));
  EXPECT_EQ(SplitByPassages("abc", {}, Side::kB, 2), (std::vector<Segment>{{"ab", false}}));
  EXPECT_TRUE(SplitByPassages("", {}, Side::kB).empty());
}

std::string ListOf(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) list += item + kItemEnd;
  return list;
}

TEST(PassagesTest, SharedItemsAreFoundInTheOrderOfTheLists) {
  const FeatureSpec items = {.shingle = {ShingleSpec::Kind::kItem, 1}};
  const std::string a = ListOf({"Tea", "red wine", "café", "x"}), b = ListOf({"café", "y", "tea"});
  const std::vector<Passage> passages = SharedPassages(a, b, items);
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].a_begin, 0u);
  EXPECT_EQ(passages[0].a_end, 3u);
  EXPECT_EQ(passages[0].b_begin, 7u);
  EXPECT_EQ(passages[1].a_begin, 13u);
  EXPECT_EQ(passages[1].a_end, 17u);
  EXPECT_EQ(passages[1].b_end, 4u);
  ExpectSound(a, b, items);
  ExpectSound(ListOf({"a", "b", "a", "a"}), ListOf({"a", "a", "c", "b"}),
              {.shingle = items.shingle, .bag = Bag::kMax});
  ExpectSound("a\nb\xFF\nc", "c\nb\xFE\n", items);
}

TEST(PassagesTest, OffsetsInListsCountInvalidBytes) {
  const FeatureSpec items = {.shingle = {ShingleSpec::Kind::kItem, 1}};
  const std::vector<Passage> passages =
      SharedPassages(ListOf({"b\x80", "tea"}), ListOf({"tea"}), items);
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_begin, 3u);
  EXPECT_EQ(passages[0].a_end, 6u);
}

TEST(PassagesTest, RatedItemsAreSharedWithoutTheirRating) {
  FeatureSpec spec = {.shingle = {ShingleSpec::Kind::kItem, 1}, .bag = Bag::kMax};
  spec.ratings.how = Ratings::How::kStars;
  const std::string a = "up\x1F"
                        "3\x1Eheat\x1F"
                        "1\x1E",
                    b = "heat\x1F"
                        "2\x1Eup\x1F"
                        "1\x1E";
  const std::vector<Passage> passages = SharedPassages(a, b, spec);
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(Slice(a, passages[0].a_begin, passages[0].a_end), "up");
  EXPECT_EQ(Slice(a, passages[1].a_begin, passages[1].a_end), "heat");
}

// Places refer to the source, in code points, whatever lies between the words there.
TEST(Passages, OfPagesAreInTheirSource) {
  const std::string a = "<p>\u00fcber <b>one</b> t&#119;o<script>x x x</script> thr&eacute;e";
  const std::string b = "one two thr\u00e9e";
  const std::string a_part = "one</b> t&#119;o<script>x x x</script> thr&eacute;e";
  const auto units_a = ReadUnits(a, Words(3), TextKind::kHtml);
  const auto units_b = ReadUnits(b, Words(3), TextKind::kPlain);
  const std::vector<Passage> passages = SharedPassages(*units_a, *units_b, Words(3));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(passages[0].a_begin, 11u);
  EXPECT_EQ(passages[0].a_end, 11 + a_part.size());
  EXPECT_EQ(passages[0].b_begin, 0u);
  EXPECT_EQ(passages[0].b_end, 13u);
  const auto segments = SplitByPassages(a, passages, Side::kA);
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[1].text, a_part);
}

TEST(Passages, OfPagesWithInvalidUtf8) {
  const std::string a = "<p>\xFF\xFE</p>one two three";
  const auto units = ReadUnits(a, Words(3), TextKind::kHtml);
  ASSERT_EQ(units->units.size(), 3u);
  EXPECT_EQ(units->units[0].begin, 9u);
  EXPECT_EQ(units->units[2].end, 22u);
}

TEST(Passages, OfPagesByCharacters) {
  const auto units = ReadUnits("<p>a<p>&amp;b", Characters(2), TextKind::kHtml);
  ASSERT_EQ(units->units.size(), 4u);  // a, the line end, &, b
  EXPECT_EQ(units->units[0].begin, 3u);
  EXPECT_EQ(units->units[1].begin, 4u);
  EXPECT_LE(units->units[1].end, 12u);
  EXPECT_EQ(units->units[2].begin, 7u);
  EXPECT_EQ(units->units[2].end, 12u);
  EXPECT_EQ(units->units[3].end, 13u);
}

}  // namespace
}  // namespace lookalike
