#include "stages/features/words.h"

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lookalike {
namespace {

using Words = std::vector<std::string>;

/// Returns the text followed by 64 hostile bytes: each of them would lengthen a word.
std::string Padded(std::string_view text) { return std::string(text) + std::string(64, 'w'); }

Words WordsOf(std::string_view text) {
  const std::string padded = Padded(text);
  std::vector<ByteSpan> spans(3, {7, 7});
  FindWords(std::string_view(padded).substr(0, text.size()), &spans);
  Words words;
  for (const ByteSpan& span : spans)
    words.push_back(padded.substr(span.begin, span.end - span.begin));
  return words;
}

TEST(FindWordsTest, EveryScript) {
  const struct {
    std::string_view text;
    Words expected;
  } cases[] = {
      {"", {}},
      {" !? ", {}},
      {"one", {"one"}},
      {"under_score x-y can't 3.14", {"under_score", "x", "y", "can", "t", "3", "14"}},
      {"@azAZ[`az{/09:^_^", {"azAZ", "az", "09", "_"}},
      {"café strasse", {"café", "strasse"}},
      {"«привет», мир!", {"привет", "мир"}},
      {"हिन्दी में", {"हिन्दी", "में"}},
      {"한국어 가", {"한국어", "가"}},
      {"中国abc東京 カタ", {"中", "国", "abc", "東", "京", "カ", "タ"}},
      {"カー々〇・", {"カ", "ー", "々", "〇"}},
      {"ไทย น้ำ", {"ไ", "ท", "ย", "น", "\u0E49", "\u0E33"}},
      {"ລາວ", {"ລ", "າ", "ວ"}},
      {"ខ្មែរ", {"ខ", "\u17D2", "ម", "\u17C2", "រ"}},
      {"မြန် ㄅㄆ", {"မ", "\u103C", "န", "\u103A", "ㄅ", "ㄆ"}},
      {"e\u0301x \u0301", {"e\u0301x", "\u0301"}},
      {"a\u0378b a\u2065b a\uE000b", {"a", "b", "a", "b", "a", "b"}},
      {"a😀b", {"a", "b"}},
      {"a‿b②", {"a‿b②"}},
      {"\U00020000\U0001D400x", {"\U00020000", "\U0001D400x"}},
  };
  for (const auto& c : cases) EXPECT_EQ(WordsOf(c.text), c.expected) << c.text;
}

enum class Kind { kNone, kWord, kUnspaced };

Kind KindByIcu(UChar32 code_point) {
  UVersionInfo age;
  u_charAge(code_point, age);
  const bool is_word =
      age[0] <= 14 &&
      (U_GET_GC_MASK(code_point) & (U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK | U_GC_PC_MASK)) != 0;
  if (!is_word) return Kind::kNone;
  UErrorCode code = U_ZERO_ERROR;
  switch (uscript_getScript(code_point, &code)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return Kind::kUnspaced;
    default:
      return Kind::kWord;
  }
}

std::string Utf8Of(UChar32 code_point) {
  char bytes[4];
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, code_point);
  return {bytes, static_cast<size_t>(length)};
}

std::vector<UChar32> ScalarValues() {
  std::vector<UChar32> code_points;
  for (UChar32 c = 0; c <= 0x10FFFF; ++c) {
    if (!U_IS_SURROGATE(c)) code_points.push_back(c);
  }
  return code_points;
}

std::string EachBetween(const std::vector<UChar32>& code_points, std::string_view before,
                        std::string_view after) {
  std::string text;
  for (const UChar32 c : code_points) text.append(before).append(Utf8Of(c)).append(after);
  return text;
}

TEST(FindWordsTest, TableAgreesWithIcu) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  if (version[0] > 15) GTEST_SKIP() << "this ICU may have changed properties of older code points";
  const std::vector<UChar32> code_points = ScalarValues();
  const std::string text = EachBetween(code_points, "a", "b ") + std::string(64, ' ');
  std::vector<ByteSpan> words;
  FindWords(text, &words);
  size_t word = 0, end = 0;
  for (const UChar32 c : code_points) {
    end += Utf8Of(c).size() + 3;
    const size_t first = word;
    while (word < words.size() && words[word].end < end) ++word;
    const Kind kind = word - first == 1   ? Kind::kWord
                      : word - first == 2 ? Kind::kNone
                                          : Kind::kUnspaced;
    ASSERT_EQ(kind, KindByIcu(c)) << "U+" << std::hex << c;
  }
}

/// Finds words one code point at a time, with ICU's properties.
std::vector<ByteSpan> WordsOneByOne(std::string_view text) {
  std::vector<ByteSpan> words;
  bool inside = false;
  for (int32_t at = 0; at < static_cast<int32_t>(text.size());) {
    const auto begin = static_cast<uint32_t>(at);
    UChar32 c;
    U8_NEXT_UNSAFE(text.data(), at, c);
    const Kind kind = KindByIcu(c);
    const auto end = static_cast<uint32_t>(at);
    if (inside && kind == Kind::kWord) {
      words.back().end = end;
    } else if (kind != Kind::kNone) {
      words.push_back({begin, end});
    }
    inside = kind == Kind::kWord;
  }
  return words;
}

// Blocks of 64 bytes: words across their ends, sequences cut by them, texts of every length.
TEST(FindWordsTest, BlocksJoin) {
  const std::string_view others[] = {"é", "中", "\U00020000", "\U0001D400", "ไ", "😀", "—", "я"};
  std::mt19937 random(3);
  std::vector<ByteSpan> words;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const size_t size = random() % 300, rare = 1 + random() % 100;
    while (text.size() < size) {
      if (random() % rare == 0) {
        text += others[random() % std::size(others)];
      } else {
        text += "abcdefgHIJ_90 .\n\x7F"[random() % 17];
      }
    }
    const std::string padded = Padded(text);
    FindWords(std::string_view(padded).substr(0, text.size()), &words);
    const std::vector<ByteSpan> expected = WordsOneByOne(text);
    ASSERT_EQ(words.size(), expected.size()) << text;
    const size_t bytes = words.size() * sizeof(ByteSpan);
    ASSERT_TRUE(bytes == 0 || std::memcmp(words.data(), expected.data(), bytes) == 0) << text;
  }
}

TEST(FindWordsTest, ManyShortWords) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += i % 3 == 0 ? "中中中" : "a b ";
  const std::string padded = Padded(text);
  std::vector<ByteSpan> words;
  FindWords(std::string_view(padded).substr(0, text.size()), &words);
  EXPECT_EQ(words.size(), 1667 * 3 + 3333 * 2);
  EXPECT_EQ(words.back().end, text.size() - 1);
}

struct Unit {
  char32_t value;
  uint32_t begin, end;
  bool operator==(const Unit&) const = default;
};

std::vector<Unit> UnitsOf(std::string_view text) {
  std::vector<char32_t> values(2, U'?');
  std::vector<ByteSpan> spans;
  FindCharacters(text, &values, &spans);
  EXPECT_EQ(values.size(), spans.size());
  std::vector<Unit> units;
  for (size_t i = 0; i < values.size(); ++i) {
    units.push_back({values[i], spans[i].begin, spans[i].end});
  }
  return units;
}

TEST(FindCharactersTest, FoldsAndTrimsBlanks) {
  using Units = std::vector<Unit>;
  EXPECT_EQ(UnitsOf(""), Units{});
  EXPECT_EQ(UnitsOf(" \t\u2028 "), Units{});
  EXPECT_EQ(UnitsOf("a"), (Units{{U'a', 0, 1}}));
  EXPECT_EQ(UnitsOf("  a \n\u2029 中 "), (Units{{U'a', 2, 3}, {U' ', 3, 9}, {U'中', 9, 12}}));
  EXPECT_EQ(UnitsOf("é\t\U0001F600"), (Units{{U'é', 0, 2}, {U' ', 2, 3}, {U'😀', 3, 7}}));
  EXPECT_EQ(UnitsOf("a\u0085\u1680b"), (Units{{U'a', 0, 1}, {U' ', 1, 6}, {U'b', 6, 7}}));
}

// U+001C to U+001F are not white space, but are trimmed, even where they alternate with it.
TEST(FindCharactersTest, TrimsInformationSeparatorsAtTheEndsOnly) {
  using Units = std::vector<Unit>;
  EXPECT_EQ(UnitsOf("\x1C \x1F"), Units{});
  EXPECT_EQ(UnitsOf("\x1C x\x1D \x1Ey \x1F "),
            (Units{{U'x', 2, 3}, {U'\x1D', 3, 4}, {U' ', 4, 5}, {U'\x1E', 5, 6}, {U'y', 6, 7}}));
}

TEST(FindCharactersTest, WhiteSpaceIsTheProperty) {
  const std::vector<UChar32> code_points = ScalarValues();
  const std::vector<Unit> units = UnitsOf(EachBetween(code_points, "a", "b"));
  ASSERT_EQ(units.size(), 3 * code_points.size());
  for (size_t i = 0; i < code_points.size(); ++i) {
    const UChar32 c = code_points[i];
    const char32_t expected = u_isUWhiteSpace(c) ? U' ' : static_cast<char32_t>(c);
    ASSERT_EQ(units[3 * i + 1].value, expected) << "U+" << std::hex << c;
  }
}

}  // namespace
}  // namespace lookalike
