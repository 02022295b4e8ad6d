// Folding code point by code point against the normaliser and the search for words after it.
#include "fingerprint/unicode_fold.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "isa/forced_isa.h"
#include "stages/features/words.h"
#include "stages/normalize/normalizer.h"

namespace lookalike {
namespace {

std::string Utf8Of(char32_t code_point) {
  char bytes[4];
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(code_point));
  return {bytes, static_cast<size_t>(length)};
}

/// A comparison of both paths on one text, word by word.
class TwoWays {
 public:
  /// True if the fast path took the text. Its result is then compared.
  bool Folds(std::string_view text) {
    const size_t room = FoldRoom(text.size());
    if (out_.size() < room) out_.resize(room), edges_.resize(room);
    const size_t words = FoldWords(text, UnicodeFold(), out_.data(), edges_.data());
    if (words == kNotFolded) return false;
    const std::string_view normalized = normalizer_.Run(text);
    EXPECT_FALSE(normalizer_.replaced_invalid()) << text;
    FindWords(normalized, &expected_);
    EXPECT_EQ(std::string_view(out_.data(), normalized.size()), normalized) << text;
    EXPECT_EQ(words, expected_.size()) << text;
    for (size_t i = 0; i < std::min(words, expected_.size()); ++i) {
      EXPECT_EQ(edges_[2 * i], expected_[i].begin) << i << " of " << text;
      EXPECT_EQ(edges_[2 * i + 1], expected_[i].end) << i << " of " << text;
    }
    return true;
  }

 private:
  Normalizer normalizer_;
  std::string out_;
  std::vector<uint32_t> edges_;
  std::vector<ByteSpan> expected_;
};

/// Returns all assigned code points, and some of the others.
std::vector<char32_t> CodePoints() {
  std::vector<char32_t> code_points;
  for (UChar32 c = 0x80; c <= 0x10FFFF; ++c) {
    const int8_t type = u_charType(c);
    if (type == U_SURROGATE) continue;
    const bool dull = type == U_UNASSIGNED || type == U_PRIVATE_USE_CHAR;
    if (!dull || c % 61 == 0) code_points.push_back(static_cast<char32_t>(c));
  }
  return code_points;
}

TEST(UnicodeFoldTest, EveryCodePointAloneAndAmongOthers) {
  TwoWays ways;
  size_t alone = 0;
  const std::vector<char32_t> code_points = CodePoints();
  const std::string far(61, 'x');
  for (const char32_t c : code_points) {
    const std::string utf8 = Utf8Of(c);
    alone += ways.Folds(utf8);
    ways.Folds("a" + utf8 + "B");
    ways.Folds(utf8 + utf8);
    ways.Folds("中" + utf8 + "ก" + utf8);
    ways.Folds(utf8 + "\u0323\u0301");       // marks out of order only after one that ends in 230
    ways.Folds("\u0915" + utf8 + "\u094D");  // between code points that nothing composes with
    ways.Folds(far + utf8 + "Z");            // at the edge of a block
    ways.Folds("éяàяé中" + utf8 + utf8 + "яèяê");  // among enough others that ranges are tried
    if (::testing::Test::HasFailure()) FAIL() << "U+" << std::hex << static_cast<uint32_t>(c);
  }
  EXPECT_EQ(alone, code_points.size()) << "by itself, each is in normal form";
}

// The ranges that are not looked up must hold nothing that the table would change.
TEST(UnicodeFoldTest, UniformRangesAreWhatTheTableSays) {
  const UniformRanges& uniform = UnicodeFold().uniform();
  size_t in_ranges = 0;
  for (char32_t c = 0x80; c < 0x10000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string utf8 = Utf8Of(c);
    const auto lead = static_cast<size_t>(static_cast<uint8_t>(utf8[0])) - 0xC0;
    const unsigned range = static_cast<uint8_t>(utf8[1]) >> 3 & 7;
    const bool alone = lead >= 0x20 && (uniform.alone[lead - 0x20] >> range & 1) != 0;
    if ((uniform.kept[lead] >> range & 1) == 0) {
      EXPECT_FALSE(alone) << "U+" << std::hex << static_cast<uint32_t>(c);
      continue;
    }
    const FoldEntry entry = UnicodeFold().PageOf(c).entries[c % FoldPage::kSize];
    EXPECT_EQ(entry.kind(), FoldKind::kKept) << "U+" << std::hex << static_cast<uint32_t>(c);
    EXPECT_EQ(entry.word(), alone ? WordClass::kAlone : WordClass::kWord)
        << "U+" << std::hex << static_cast<uint32_t>(c);
    ++in_ranges;
  }
  EXPECT_GT(in_ranges, 35000u);
}

/// Returns code points whose neighbours matter, by kind, and some whose neighbours do not.
std::vector<std::vector<char32_t>> Pools() {
  std::vector<std::vector<char32_t>> pools(8);
  for (const char32_t c : CodePoints()) {
    const FoldEntry entry = UnicodeFold().PageOf(c).entries[c % FoldPage::kSize];
    const auto kind = static_cast<size_t>(entry.kind());
    pools[kind].push_back(c);
    if (entry.open()) pools[4].push_back(c);
    if (entry.kind() == FoldKind::kMark && entry.composes()) pools[5].push_back(c);
  }
  for (char32_t c = 0; c < 0x80; ++c) pools[6].push_back(c);
  for (const char32_t c :
       U" éÉßİΣςﬁǅ½\u00A0…—\u200D\u200C\uFE0F\u00AD한국\u1100\u1161\u11A8がｶﾞ中กำเ") {
    if (c != 0) pools[7].push_back(c);
  }
  return pools;
}

std::string RandomText(const std::vector<std::vector<char32_t>>& pools, size_t length,
                       std::mt19937_64* random) {
  std::string text;
  const uint64_t chosen = (*random)() | (*random)();  // which pools this text draws from
  for (size_t i = 0; i < length; ++i) {
    size_t pool = (*random)() % pools.size();
    if ((chosen >> pool & 1) == 0) pool = 6 + (*random)() % 2;
    text += Utf8Of(pools[pool][(*random)() % pools[pool].size()]);
  }
  return text;
}

TEST(UnicodeFoldTest, RandomTextOnEveryInstructionSet) {
  const auto pools = Pools();
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    TwoWays ways;
    size_t folded = 0;
    for (int i = 0; i < 20000; ++i) {
      const size_t length = i % 10 == 0 ? random() % 200 : random() % 12;
      folded += ways.Folds(RandomText(pools, length, &random));
      if (::testing::Test::HasFailure()) FAIL() << "text " << i;
    }
    EXPECT_GT(folded, 5000u) << "else this tests nothing";
    EXPECT_LT(folded, 19000u);
  }
}

TEST(UnicodeFoldTest, PairsOfMarksAndWhatTheyFollow) {
  const auto pools = Pools();
  std::mt19937_64 random(2);
  TwoWays ways;
  size_t folded = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto draw = [&](size_t pool) {
      return Utf8Of(pools[pool][random() % pools[pool].size()]);
    };
    const auto& starter = draw(std::vector<size_t>{0, 0, 1, 3, 4, 6}[random() % 6]);
    std::string text = starter + draw(random() % 3 == 0 ? 5 : 2);
    if (i % 2 == 0) text += draw(2);
    if (i % 4 == 0) text += draw(5);
    folded += ways.Folds(text);
    if (::testing::Test::HasFailure()) FAIL() << "text " << i << ": " << text;
  }
  EXPECT_GT(folded, 50000u);
}

// Words, code points and changes of length at every position of a block.
TEST(UnicodeFoldTest, EveryPositionOfABlock) {
  const char* const pieces[] = {"é",      "É",          "İ",          "½",       "中",
                                "中国",   "\U0001F600", "\u00AD",     "ก\u0E48", "ß",
                                "\u0130", "\u200D",     "\U00020000x"};
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    TwoWays ways;
    for (const char* piece : pieces) {
      for (size_t before = 0; before < 140; ++before) {
        for (const char* fill : {"a", " ", "я", "中", "İ"}) {
          std::string text;
          while (text.size() < before) text += fill;
          ASSERT_TRUE(ways.Folds(text + piece));
          ASSERT_TRUE(ways.Folds(text + piece + piece + text));
          ASSERT_FALSE(::testing::Test::HasFailure()) << before << fill << piece;
        }
      }
    }
  }
}

std::vector<char32_t> Range(char32_t first, char32_t last) {
  std::vector<char32_t> range;
  for (char32_t c = first; c <= last; ++c) range.push_back(c);
  return range;
}

// Enough code points of one page that they are looked up together; the position of `c` in a block
// and its neighbours vary with it.
TEST(UnicodeFoldTest, EveryCodePointAmongItsPage) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    TwoWays ways;
    std::string plain;  // a code point of the page
    size_t folded = 0;
    for (const char32_t c : Range(0x800, 0xFFFF)) {
      if (c >= 0xD800 && c < 0xE000) continue;
      const FoldPage& page = UnicodeFold().PageOf(c);
      for (char32_t i = 0; c % FoldPage::kSize == 0 && i < FoldPage::kSize; ++i) {
        const FoldEntry entry = page.entries[i];
        if (entry.kind() == FoldKind::kKept && !entry.open()) plain = Utf8Of(c + i);
      }
      const std::string utf8 = Utf8Of(c), three = plain + plain + plain;
      const std::string before = std::string(c % 61, 'x') + three;
      folded += ways.Folds(before + utf8 + three + utf8);
      ways.Folds(before + "一" + utf8 + utf8 + three + utf8 + "я" + utf8 + "Q" + utf8);
      ways.Folds(before + plain + utf8 + "\u0E48" + three + "\u094D" + utf8 + "\u0E38" + utf8);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "U+" << std::hex << static_cast<uint32_t>(c);
    }
    EXPECT_GT(folded, 60000u);
  }
}

/// Returns blocks of scripts with three bytes per code point, and characters written among them.
const std::vector<std::vector<char32_t>>& ScriptPools() {
  static const auto& pools = *new std::vector<std::vector<char32_t>>{
      Range(0x0905, 0x0939),                 // Devanagari letters
      Range(0x0900, 0x097F),                 // the whole block
      Range(0x0E01, 0x0E4E),                 // Thai
      Range(0x3001, 0x3096),                 // Kana and punctuation
      Range(0x30A1, 0x30FF),                 // Kana
      Range(0x4E00, 0x9FFF),                 // Han
      Range(0xFF01, 0xFF9F),                 // full and half width
      {0x0E38, 0x0E48, 0x094D, 0x0E33},      // marks, and one that becomes two code points
      {0x20000, 0x1F600, 0x2F800, 0x1D400},  // four bytes
      {'a', 'Z', '7', ' ', ',', 0xE9, 0xC9, 0x44F, 0x5D0, 0xAC00, 0x2019},
  };
  return pools;
}

// Cut at any byte; incomplete sequences are refused.
TEST(UnicodeFoldTest, RandomTextOfScriptsOfThreeBytes) {
  const auto& pools = ScriptPools();
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(3);
    size_t folded = 0;
    for (int i = 0; i < 20000; ++i) {
      std::string text(random() % 64, random() % 2 == 0 ? 'x' : ' ');
      const uint64_t some[3] = {random() % 7, random() % pools.size(), random() % pools.size()};
      const size_t size = text.size() + random() % 400;
      const uint64_t seldom = 1 + random() % 30;
      while (text.size() < size) {
        const auto& pool = pools[some[random() % seldom < 2 ? random() % 3 : 0]];
        text += Utf8Of(pool[random() % pool.size()]);
      }
      TwoWays ways;
      folded += ways.Folds(text);
      ways.Folds(std::string_view(text).substr(0, text.empty() ? 0 : random() % text.size()));
      ASSERT_FALSE(::testing::Test::HasFailure()) << "text " << i;
    }
    EXPECT_GT(folded, 5000u) << "else this tests nothing";
  }
}

// Code points that become longer, until the room is used up.
TEST(UnicodeFoldTest, FormsThatOutgrowTheirRoom) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    size_t refused = 0;
    for (const char* grows : {"\u0E33", "ก\u0E33", "\uFDFA", "中中\uFDFA"}) {
      for (size_t size = 3; size < 900; size += 7) {
        std::string text;
        while (text.size() < size) text += grows;
        TwoWays ways;  // with no more room than it asks for
        refused += !ways.Folds(text);
        refused += !ways.Folds(std::string(size % 61, 'x') + text + "中");
        ASSERT_FALSE(::testing::Test::HasFailure()) << size << " of " << grows;
      }
    }
    EXPECT_GT(refused, 100u);
  }
}

// Text that people write must not take the slow path.
TEST(UnicodeFoldTest, TextOfCommonScriptsIsFolded) {
  TwoWays ways;
  for (const char* text : {
           "Le cœur déçu mais l'âme plutôt naïve, Louÿs rêva de crapaüter en canoë « au delà »…",
           "Съешь же ещё этих мягких французских булок, да выпей чаю. ПРИВЕТ",
           "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ΌΣΟΣ ας",
           "Do bạch kim rất quý nên sẽ dùng để lắp vô xương. TIẾNG VIỆT",
           "天地玄黃，宇宙洪荒。日月盈昃，「辰宿列張」。",
           "いろはにほへと ちりぬるを ガギグゲゴ、カタカナー。",
           "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.",
           "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า น้ำ",
           "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा, लड़का बड़ा",
           "আমি কাঁচ খেতে পারি, তাতে আমার কোনো ক্ষতি হয় না।",
           "நான் கண்ணாடி சாப்பிடுவேன், அதனால் எனக்கு ஒரு கேடும் வராது",
           "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت",
           "יכול לאכול זכוכית שָׁלוֹם",
           "می‌خواهم بدون احساس درد شيشه بخورم",
           "Pijamalı hasta yağız şoföre çabucak güvendi. İSTANBUL",
           "\u10D2\u10D4\u10DB\u10E0\u10D8\u10D4\u10DA\u10D8 Ես կարող եմ",
           "emoji 😀 ❤️ 👩‍👩‍👧 flags 🇫🇷",
           "soft\u00ADhyphen 1\u00A0000 “quotes” — ½ ™",
       }) {
    EXPECT_TRUE(ways.Folds(text)) << text;
  }
}

/// Returns twelve letters from the mark's page of 128 code points; empty if it has no letter.
std::string LettersBeside(char32_t mark) {
  const auto page = static_cast<UChar32>(mark & ~0x7FU);
  for (UChar32 c = page; c < page + 0x80; ++c) {
    if (u_charType(c) != U_OTHER_LETTER) continue;
    std::string letters;
    for (int i = 0; i < 12; ++i) letters += Utf8Of(static_cast<char32_t>(c));
    return letters;
  }
  return {};
}

// Marks of one page are taken without looking at the code point before; a mark that follows one
// must still be reordered, after it or before it.
TEST(UnicodeFoldTest, EveryMarkBeforeOneOfEachClass) {
  TwoWays ways;
  std::map<uint8_t, char32_t> of_class;
  for (UChar32 c = 0x300; c < 0x11000; ++c) {
    if (u_getCombiningClass(c) != 0) of_class.emplace(u_getCombiningClass(c), c);
  }
  size_t taken = 0;
  for (UChar32 mark = 0x800; mark < 0x10000; ++mark) {
    if (u_charType(mark) != U_NON_SPACING_MARK) continue;
    const std::string letters = LettersBeside(static_cast<char32_t>(mark));
    if (letters.empty()) continue;
    const std::string first = letters + Utf8Of(static_cast<char32_t>(mark));
    for (const auto& [combining_class, second] : of_class) {
      taken += ways.Folds(first + Utf8Of(second) + letters);
    }
    taken += ways.Folds(first + letters);
  }
  EXPECT_GT(taken, 1000u);
}

TEST(UnicodeFoldTest, WhatComposesOrIsOutOfOrderIsLeftToTheNormaliser) {
  TwoWays ways;
  for (const char* text :
       {"e\u0301", "é\u0323", "\u1100\u1161", "가\u11A8", "か\u3099", "ｶﾞ", "\u0928\u093C",
        "x\u0301\u0323", "e\u00AD\u0301", "a\u200D\u0308", "\u09C7\u09BE", "Α\u0301",
        "ﬁ\u0323\u0301", "કકકકકカカカカカ\u0ABC\u3099"}) {
    EXPECT_FALSE(ways.Folds(text)) << text;
  }
}

}  // namespace
}  // namespace lookalike
