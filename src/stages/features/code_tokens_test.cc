#include "stages/features/code_tokens.h"

#include <gtest/gtest.h>

#include <string>

#include "stages/features/segments.h"

namespace lookalike {
namespace {

using Find = void (*)(std::string_view, std::vector<ByteSpan>*);

std::vector<std::string> Cut(Find find, std::string text) {
  const size_t size = text.size();
  text.append(64, '\0');
  std::vector<ByteSpan> spans;
  find(std::string_view(text).substr(0, size), &spans);
  std::vector<std::string> parts;
  for (const auto& [begin, end] : spans) parts.push_back(text.substr(begin, end - begin));
  return parts;
}

using Parts = std::vector<std::string>;

TEST(CodeTokensTest, SymbolsAreTokens) {
  EXPECT_EQ(Cut(FindCodeTokens, "if (a_1+b2)\n\treturn x->y;"),
            (Parts{"if", "(", "a_1", "+", "b2", ")", "return", "x", "-", ">", "y", ";"}));
  EXPECT_EQ(Cut(FindCodeTokens, "  "), Parts{});
  EXPECT_EQ(Cut(FindCodeTokens, "==\u3000→\u00a0é"), (Parts{"=", "=", "→", "é"}));
}

TEST(CodeTokensTest, OneSymbolTellsTextsApart) {
  EXPECT_NE(Cut(FindCodeTokens, "a+b"), Cut(FindCodeTokens, "a-b"));
  EXPECT_EQ(Cut(FindCodeTokens, "a + b"), Cut(FindCodeTokens, "a+b"));
}

TEST(SegmentsTest, DictionariesFindWords) {
  EXPECT_EQ(Cut(FindSegments, "the quick, brown fox 42!"),
            (Parts{"the", "quick", "brown", "fox", "42"}));
  EXPECT_EQ(Cut(FindSegments, "我们喜欢北京"), (Parts{"我们", "喜欢", "北京"}));
  EXPECT_EQ(Cut(FindSegments, "สวัสดีครับ"), (Parts{"สวัสดี", "ครับ"}));
  EXPECT_EQ(Cut(FindSegments, " .,"), Parts{});
  EXPECT_EQ(Cut(FindSegments, ""), Parts{});
  EXPECT_TRUE(SegmenterVersion().starts_with("icu-")) << SegmenterVersion();
}

}  // namespace
}  // namespace lookalike
