#include "stages/normalize/normalizer.h"

#include <gtest/gtest.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "text/utf8.h"

namespace lookalike {
namespace {

using namespace std::string_literals;

std::string Normalize(std::string_view text) { return std::string(Normalizer().Run(text)); }

/// Returns NFKC_Casefold of the whole text in one call of ICU, without any path of our own.
std::string NormalizeByIcu(const std::string& text) {
  UErrorCode code = U_ZERO_ERROR;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  icu::Normalizer2::getNFKCCasefoldInstance(code)->normalizeUTF8(0, text, sink, nullptr, code);
  EXPECT_TRUE(U_SUCCESS(code));
  return out;
}

struct Case {
  std::string_view text, expected;
};

TEST(NormalizerTest, FoldsEveryScript) {
  const Case cases[] = {
      {"", ""},
      {"MIT License, (C) 2024 @[`{", "mit license, (c) 2024 @[`{"},
      {"café CAFÉ cafe\u0301", "café café café"},
      {"Straße STRASSE ẞ", "strasse strasse ss"},
      {"ﬁne ﬅ ǆ", "fine st dž"},
      {"İI\u0130ı", "i\u0307ii\u0307ı"},
      {"ΑΣ ας ΌΣΟΣ", "ασ ασ όσοσ"},
      {"Привет МИР", "привет мир"},
      {"ＡＢｃ１２！\u3000ｶﾞ", "abc12! ガ"},
      {"\u1112\u1161\u11AB \u1100\u1161", "한 가"},
      {"ภาษาไทย น้ำ", "ภาษาไทย น\u0E49\u0E4Dา"},
      {"\u0958 हिन्दी", "\u0915\u093C हिन्दी"},
      {"中国 ㍻ Ⅷ ① ½ ﷺ", "中国 平成 viii 1 1⁄2 صلى الله عليه وسلم"},
      {"a\u0345\u0301 \u1FB3", "a\u03AF αι"},
      {"q\u0307\u0323", "q\u0323\u0307"},
  };
  for (const Case& c : cases) EXPECT_EQ(Normalize(c.text), c.expected) << c.text;
}

TEST(NormalizerTest, RemovesDefaultIgnorables) {
  EXPECT_EQ(Normalize("a\u00ADb x\u200Dy o\u034Fo v\uFE0Fw \u2060q\uFEFF \U000E0041z"),
            "ab xy oo vw q z");
  EXPECT_EQ(Normalize("\u200B\u200B"), "");
  EXPECT_EQ(Normalize("e\u00AD\u0301"), "é");
  EXPECT_EQ(Normalize("\u1100\u200B\u1161"), "가");
}

TEST(NormalizerTest, LeavesWhatUnicode14DoesNotAssign) {
  // Default-ignorable, but unassigned.
  EXPECT_EQ(Normalize("A\u2065B \uFFF0 \U000E0FFF"), "a\u2065b \uFFF0 \U000E0FFF");
  // Nothing combines or is reordered across such a code point; both sides are normalised
  // separately.
  EXPECT_EQ(Normalize("CAFE\u0378\u0301E\u0301 q\u0307\u2065\u0323Ａ"),
            "cafe\u0378\u0301é q\u0307\u2065\u0323a");
  // Assigned in 15.0, so ICU 72 knows it: a modifier letter that folds to U+0432.
  EXPECT_EQ(Normalize("X\U0001E030Y é"), "x\U0001E030y é");
  EXPECT_NE(NormalizeByIcu("\U0001E030"), "\U0001E030");
  // Private use and noncharacters.
  EXPECT_EQ(Normalize("\uE000A\uFFFE\U0010FFFF"), "\uE000a\uFFFE\U0010FFFF");
}

TEST(NormalizerTest, ReplacesMaximalSubparts) {
  const std::string r = "\uFFFD";
  const struct {
    std::string text, expected;
  } cases[] = {
      {"a\x80z", "a" + r + "z"},
      {"\xC0\x80", r + r},
      {"\xC1\xBF", r + r},
      {"\xC3", r},
      {"\xC3(", r + "("},
      {"\xE2\x82", r},
      {"\xE2\x82(", r + "("},
      {"\xE2(\xA1", r + "(" + r},
      {"\xE0\x80\x80", r + r + r},
      {"\xE0\x9F\xBF", r + r + r},
      {"\xED\xA0\x80", r + r + r},
      {"\xED\xA0\xBD\xED\xB8\x80", r + r + r + r + r + r},
      {"\xF0\x80\x80\x80", r + r + r + r},
      {"\xF0\x8F\xBF\xBF", r + r + r + r},
      {"\xF0\x9F\x98", r},
      {"\xF0\x9F\x98Z", r + "z"},
      {"\xF0\x9F", r},
      {"\xF4\x90\x80\x80", r + r + r + r},
      {"\xF5\x80", r + r},
      {"\xFF\xFE", r + r},
      // The example in section 3.9 of the standard.
      {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
       "a" + r + r + r + "b" + r + "c" + r + r + "d"},
      {"E\xFF\u0301", "e" + r + "\u0301"},
      {std::string(100, 'A') + "\xE4\xB8" + std::string(100, 'B'),
       std::string(100, 'a') + r + std::string(100, 'b')},
  };
  Normalizer normalizer;
  for (const auto& c : cases) {
    EXPECT_EQ(normalizer.Run(c.text), c.expected) << testing::PrintToString(c.text);
    EXPECT_TRUE(normalizer.replaced_invalid()) << testing::PrintToString(c.text);
  }
  for (const auto& valid :
       {"", "plain", "\uFFFD", "\uD7FF\uE000\U00010000\U0010FFFF\u0800\u0080"}) {
    normalizer.Run(valid);
    EXPECT_FALSE(normalizer.replaced_invalid()) << valid;
  }
}

TEST(NormalizerTest, AsciiPathEqualsIcu) {
  std::mt19937 random(7);
  Normalizer normalizer;
  for (size_t length = 0; length < 600; ++length) {
    std::string text(length, ' ');
    for (char& byte : text) byte = static_cast<char>(random() % 128);
    ASSERT_EQ(normalizer.Run(text), NormalizeByIcu(text)) << length;
  }
}

// ASCII runs of every length around the one that bypasses ICU, between code points that combine
// with what is before them, vanish, or change.
TEST(NormalizerTest, MixedTextEqualsIcu) {
  const std::string_view others[] = {"\u0301", "\u00AD",       "\u00AD\u0301", "É", "ﬁ", "中",
                                     "\u0345", "\u1161\u11AB", "\U0001F600",   "ß", "Ω", "\u200D"};
  std::mt19937 random(11);
  Normalizer normalizer;
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (size_t piece = random() % 6; piece > 0; --piece) {
      for (size_t n = random() % 140; n > 0; --n) text += static_cast<char>(32 + random() % 95);
      for (size_t n = random() % 4; n > 0; --n) text += others[random() % std::size(others)];
    }
    ASSERT_EQ(normalizer.Run(text), NormalizeByIcu(text)) << text;
  }
}

TEST(NormalizerTest, PadsWithZeros) {
  const std::string zeros(64, '\0');
  Normalizer normalizer;
  for (const std::string& text : {"x"s, std::string(1000, 'y'), "short"s, ""s, "é"s, "\xFF"s,
                                  std::string(300, 'z'), "ü\u00AD"s, ""s}) {
    const std::string_view result = normalizer.Run(text);
    EXPECT_EQ(std::string_view(result.data() + result.size(), 64), zeros) << text;
  }
}

// Under AddressSanitizer: no byte outside the text is read, wherever a sequence is cut.
TEST(NormalizerTest, ReadsNothingBehindTheText) {
  const std::string whole =
      std::string(70, 'a') + "é中\U0001F600" + std::string(70, 'b') + "\U0001F600";
  Normalizer normalizer;
  for (size_t size = 1; size <= whole.size(); ++size) {
    const auto exact = std::make_unique<char[]>(size);
    std::memcpy(exact.get(), whole.data(), size);
    const std::string_view text(exact.get(), size);
    normalizer.Run(text);
    EXPECT_EQ(normalizer.replaced_invalid(), CountValidPrefix(text) < size) << size;
  }
}

TEST(NormalizerTest, ThreadsAgree) {
  const std::string text =
      "Café \uFF21\u2065 \u1112\u1161\u11AB" + std::string(100, 'Q') + "\u0301";
  const std::string expected = Normalize(text);
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::string& result : results) {
    threads.emplace_back([&text, &result] { result = Normalize(text); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, expected);
}

static_assert(kLargestText * kMostRepairedBytes < uint64_t{1} << 31);
static_assert(kLargestText * kMostNormalizedBytes < uint64_t{1} << 32);
static_assert(kLargestTextWithSpans * kMostNormalizedBytes < uint64_t{1} << 31);

TEST(NormalizerTest, NoCodePointGrowsBeyondTheFactor) {
  Normalizer normalizer;
  uint64_t most = 0;
  for (UChar32 code_point = 1; code_point <= 0x10FFFF; ++code_point) {
    if (code_point >= 0xD800 && code_point < 0xE000) continue;
    std::string text;
    icu::UnicodeString(code_point).toUTF8String(text);
    const size_t size = normalizer.Run(text).size();
    ASSERT_LE(size, kMostNormalizedBytes * text.size()) << code_point;
    most = std::max<uint64_t>(most, (size + text.size() - 1) / text.size());
  }
  EXPECT_EQ(most, kMostNormalizedBytes);
  normalizer.Run("\x80");
  EXPECT_EQ(normalizer.Run("\x80").size(), kMostRepairedBytes);
}

// The memory is never touched, so it takes no space.
TEST(NormalizerTest, RefusesWhat32BitsCannotCount) {
  const size_t size = size_t{1} << 31;
  const std::unique_ptr<char, decltype(&std::free)> bytes(static_cast<char*>(std::calloc(size, 1)),
                                                          &std::free);
  ASSERT_NE(bytes, nullptr);
  const std::string_view text(bytes.get(), size);
  EXPECT_THROW(Normalizer().Run(text), std::length_error);
  EXPECT_THROW(NormalizeWithSpans(text), std::length_error);
}

using Span = std::vector<uint32_t>;

std::vector<Span> SpansOf(const NormalizedText& result) {
  std::vector<Span> spans;
  for (const NormalizedSpan& s : result.spans) {
    spans.push_back({s.normalized_begin, s.normalized_end, s.original_begin, s.original_end});
  }
  return spans;
}

TEST(NormalizeWithSpansTest, MapsBytesToOriginalCodePoints) {
  const NormalizedText result = NormalizeWithSpans("aÉ中\u00ADﬁe\u0301\x80z");
  EXPECT_EQ(result.text, "aé中fié\uFFFDz");
  EXPECT_TRUE(result.replaced_invalid);
  EXPECT_EQ(SpansOf(result), (std::vector<Span>{{0, 1, 0, 1},
                                                {1, 3, 1, 2},
                                                {3, 6, 2, 3},
                                                {6, 6, 3, 4},
                                                {6, 8, 4, 5},
                                                {8, 10, 5, 7},
                                                {10, 13, 7, 8},
                                                {13, 14, 8, 9}}));
}

TEST(NormalizeWithSpansTest, KeepsUnassignedCodePoints) {
  const NormalizedText result = NormalizeWithSpans("A\u2065\u0378b");
  EXPECT_FALSE(result.replaced_invalid);
  EXPECT_EQ(SpansOf(result),
            (std::vector<Span>{{0, 1, 0, 1}, {1, 4, 1, 2}, {4, 6, 2, 3}, {6, 7, 3, 4}}));
}

TEST(NormalizeWithSpansTest, CoversEverythingAndEqualsRun) {
  const std::string_view pieces[] = {"Aa",   "\u0301", "\u00AD",   "ＡＢ", "中文", "\u2065",
                                     "\x80", "ﷺ",      "\xE2\x82", " ",    "İ",    "\u1112\u1161"};
  std::mt19937 random(5);
  Normalizer normalizer;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t n = random() % 30; n > 0; --n) text += pieces[random() % std::size(pieces)];
    const NormalizedText result = NormalizeWithSpans(text);
    ASSERT_EQ(result.text, normalizer.Run(text));
    ASSERT_EQ(result.replaced_invalid, normalizer.replaced_invalid());
    std::string repaired;
    RepairUtf8(text, 0, &repaired);
    uint32_t byte = 0, code_point = 0;
    for (const NormalizedSpan& span : result.spans) {
      ASSERT_EQ(span.normalized_begin, byte);
      ASSERT_EQ(span.original_begin, code_point);
      byte = span.normalized_end;
      code_point = span.original_end;
    }
    ASSERT_EQ(byte, result.text.size());
    ASSERT_EQ(code_point, CountCodePoints(repaired));
  }
}

/// Returns where each code point of a well-formed text begins, and its end.
std::vector<size_t> CodePointEnds(std::string_view text) {
  std::vector<size_t> ends = {0};
  while (ends.back() < text.size()) {
    ends.push_back(ends.back() + ReadValidCodePoint(text.data() + ends.back()).length);
  }
  return ends;
}

/// True for marks, and for parts of Hangul syllables, which combine with what is before them in the
/// texts of these tests.
bool JoinsWhatIsBefore(char32_t point) {
  return u_getCombiningClass(static_cast<UChar32>(point)) != 0 ||
         (point >= 0x1161 && point < 0x1200);
}

/// Returns the spans of a text by their definition, slowly: a character and all that combines with
/// it is one span if the forms of Unicode change it, and otherwise a span for each code point.
std::vector<Span> SpansByCharacters(std::string_view text, const NormalForm& form) {
  constexpr auto kOfUnicode =
      static_cast<uint8_t>(NormalStep::kNfkc) | static_cast<uint8_t>(NormalStep::kCasefold);
  Normalizer of_unicode(NormalForm{static_cast<uint8_t>(form.steps & kOfUnicode)}), whole(form);
  const bool joins = form.Has(NormalStep::kNfkc);
  const std::vector<size_t> ends = CodePointEnds(text);
  std::vector<Span> spans;
  uint32_t byte = 0;
  const auto add = [&](size_t from, size_t to) {
    const std::string_view part = text.substr(ends[from], ends[to] - ends[from]);
    const auto end = byte + static_cast<uint32_t>(whole.Run(part).size());
    spans.push_back({byte, end, static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
    byte = end;
  };
  for (size_t from = 0, to = 1; to < ends.size(); from = to++) {
    while (joins && to + 1 < ends.size() &&
           JoinsWhatIsBefore(ReadValidCodePoint(text.data() + ends[to]).value)) {
      ++to;
    }
    const std::string_view character = text.substr(ends[from], ends[to] - ends[from]);
    if (of_unicode.Run(character) != character) {
      add(from, to);
    } else {
      for (size_t one = from; one < to; ++one) add(one, one + 1);
    }
  }
  return spans;
}

/// Returns the spans of a result, with one for each byte where they are bytewise.
std::vector<Span> SingleSpansOf(const NormalizedText& result) {
  std::vector<Span> spans;
  for (const NormalizedSpan& span : result.spans) {
    const uint32_t end = span.is_bytewise ? span.normalized_end : span.normalized_begin + 1;
    for (uint32_t at = span.normalized_begin; at < end; ++at) {
      const NormalizedSpan one = span.At(at);
      spans.push_back(
          {one.normalized_begin, one.normalized_end, one.original_begin, one.original_end});
    }
  }
  return spans;
}

NormalForm FormOfSteps(std::string_view steps) {
  const auto form = ParseNormalForm(steps);
  EXPECT_TRUE(form.has_value()) << steps;
  return *form;
}

// ASCII runs of all lengths stand beside characters of two to four bytes, characters that become
// several, and characters that combine with what is before them.
TEST(NormalizeWithSpansTest, EachCharacterHasItsExactPlace) {
  const std::string_view pieces[] = {"a",       "B",
                                     "Cd ef",   "GHIJKLMNOPQRSTUVWXYZ",
                                     "e",       "\u00c9",
                                     "\u4e2d",  "\U0001d504",
                                     "\ufb01",  "\ufb03",
                                     "\u0130",  "e\u0327\u0301",
                                     "I\u0307", "\u00df",
                                     "E\u0301", "x\u0301",
                                     "\uff21",  "\u1112\u1161\u11ab.",
                                     "\u2460"};
  std::mt19937 random(11);
  for (const char* steps : {"nfkc,casefold", "nfkc", "casefold", "none"}) {
    const NormalForm form = FormOfSteps(steps);
    for (int round = 0; round < 1500; ++round) {
      std::string text;
      for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
      const NormalizedText result = NormalizeWithSpans(text, form);
      ASSERT_EQ(result.text, Normalizer(form).Run(text));
      ASSERT_EQ(SingleSpansOf(result), SpansByCharacters(text, form)) << steps << ": " << text;
    }
  }
}

TEST(NormalizeWithSpansTest, FurtherStepsKeepThePlaces) {
  const std::string_view pieces[] = {"a",      "Bc",     " ",       "  \t",      "7",
                                     "\u0665", "\u00c9", "e\u0301", "\u4e2d",    "\ufb01",
                                     "\u0130", ",",      "\u2019",  "\U0001d504"};
  std::mt19937 random(13);
  for (const char* steps :
       {"nfkc,casefold,diacritics,digits,punctuation", "digits", "punctuation,no-whitespace"}) {
    const NormalForm form = FormOfSteps(steps);
    for (int round = 0; round < 1000; ++round) {
      std::string text;
      for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
      const NormalizedText result = NormalizeWithSpans(text, form);
      ASSERT_EQ(result.text, Normalizer(form).Run(text));
      ASSERT_EQ(SingleSpansOf(result), SpansByCharacters(text, form)) << steps << ": " << text;
    }
  }
}

TEST(NormalizeWithSpansTest, PadsWhileMoved) {
  const NormalizedText result = NormalizeWithSpans("É");
  EXPECT_GE(result.text.capacity(), result.text.size() + 64);
}

}  // namespace
}  // namespace lookalike
