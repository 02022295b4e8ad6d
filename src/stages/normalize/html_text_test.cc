#include "stages/normalize/html_text.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>
#include <random>

#include "text/utf8.h"

namespace lookalike {
namespace {

std::string Visible(std::string_view page) {
  HtmlText html(HtmlMode::kVisible);
  return std::string(html.Run(page));
}

std::string AltaVista(std::string_view page) {
  HtmlText html(HtmlMode::kAltaVista);
  return std::string(html.Run(page));
}

std::string Repeat(std::string_view piece, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// Returns the pieces, as "text<-source" each.
std::string Pieces(std::string_view page, HtmlMode mode = HtmlMode::kVisible) {
  HtmlText html(mode);
  std::vector<HtmlPiece> pieces;
  const std::string_view text = html.Run(page, &pieces);
  std::string list;
  for (const HtmlPiece& piece : pieces) {
    list += std::string(text.substr(piece.text_begin, piece.text_end - piece.text_begin)) + "<-" +
            std::string(page.substr(piece.source_begin, piece.source_end - piece.source_begin)) +
            "|";
  }
  return list;
}

TEST(HtmlText, ReadsAsAReaderSees) {
  EXPECT_EQ(Visible("<!DOCTYPE html><title>A &amp; B</title><h1>Head</h1><p>One\n two<p>three"),
            "A & B\nHead\nOne two\nthree");
  EXPECT_EQ(Visible("plain  text\t\nonly"), "plain text only");
  EXPECT_EQ(Visible(""), "");
}

TEST(HtmlText, LeavesOutWhatIsNotShown) {
  EXPECT_EQ(Visible("a<script>if (1 < 2) '<p>'</script>b<style>p{}</style>c<!-- d -->e"), "abce");
  EXPECT_EQ(Visible("a<noscript><p>b</noscript><template>c</template><iframe>d</iframe>e"), "a\ne");
  EXPECT_EQ(Visible("<head><meta content=no><title>T</title><style>s</style></head>x"), "T\nx");
  EXPECT_EQ(Visible("<audio>no sound</audio><canvas>no</canvas><datalist><option>o</datalist>x"),
            "x");
  EXPECT_EQ(Visible("<svg><title>tip</title><desc>d</desc><text>seen</text></svg>"), "seen");
}

TEST(HtmlText, HiddenElementsEndWhereTheStandardEndsThem) {
  EXPECT_EQ(Visible("<p hidden>a<p>b"), "b");
  EXPECT_EQ(Visible("<p HIDDEN=''>a<b>b</b></p>c"), "c");
  EXPECT_EQ(Visible("<ul><li hidden>a<li>b</ul>c"), "b\nc");
  EXPECT_EQ(Visible("<div><div hidden>a</div>b</div>"), "b");
  EXPECT_EQ(Visible("<table><tr hidden><td>a<tr><td>b</table>"), "b");
  EXPECT_EQ(Visible("<div hidden><span>a</div>b"), "b");
  EXPECT_EQ(Visible("<head hidden><title>a</title>b"), "b");  // text ends the head
  EXPECT_EQ(Visible("<br hidden>a<img hidden alt=x>b"), "a\nb");
}

// The tree builder does not get formatting elements, except a hidden one.
TEST(HtmlText, HiddenFormattingElementsEndWithTheirOwnTag) {
  EXPECT_EQ(Visible("x<b hidden>a<b>b</b>c</b>d"), "xd");
  EXPECT_EQ(Visible("<a hidden>a<i>b</a>c</i>d"), "cd");
  // By the standard it would be reopened after the block; here it ends with the block.
  EXPECT_EQ(Visible("<div><b hidden>a</div>b</b>c"), "bc");
  EXPECT_EQ(Visible("<p><em hidden>a</em>b<em>c</em><em hidden>d</em>e"), "bce");
}

TEST(HtmlText, BlocksSeparateWordsAndInlineElementsDoNot) {
  EXPECT_EQ(Visible("h<b>el</b>l<span>o</span>"), "hello");
  EXPECT_EQ(Visible("co<wbr>op"), "coop");
  EXPECT_EQ(Visible("a<custom-tag>b</custom-tag>c"), "abc");
  EXPECT_EQ(Visible("a<br>b<div>c</div>d<hr>e<li>f"), "a\nb\nc\nd\ne\nf");
  EXPECT_EQ(Visible("<td>a<td>b"), "a\nb");  // no table: these tags are ignored, but end words
  EXPECT_EQ(Visible("<table><td>a<td>b</table>"), "a\nb");
  EXPECT_EQ(Visible("a <b> b </b> c"), "a b c");
}

TEST(HtmlText, AltTextOfImagesCounts) {
  EXPECT_EQ(Visible("a<img src=i.png alt='two  words &amp; more'>b"), "a\ntwo words & more\nb");
  EXPECT_EQ(Visible("<image alt=x><input alt=no><area alt=no>"), "x");
  EXPECT_EQ(Visible("<img alt=first alt=second>"), "first");
}

TEST(HtmlText, ReadsCharacterReferences) {
  EXPECT_EQ(Visible("caf&eacute; &#233;&#xE9; &notit; &lt;b&gt; &#0; &#x80; &bogus; &"),
            "caf\u00e9 \u00e9\u00e9 \u00acit; <b> \ufffd \u20ac &bogus; &");
  EXPECT_EQ(Visible(std::string("a\0b\r\nc", 6)), "ab c");
  EXPECT_EQ(Visible("<textarea>&amp;<p></textarea>"), "&<p>");
}

TEST(HtmlText, ReadsMalformedPages) {
  EXPECT_EQ(Visible("<p>a<div>b</p>c</div></body></html>d"), "a\nb\nc\nd");
  EXPECT_EQ(Visible("<b><p>a</b>b</p>c"), "ab\nc");
  EXPECT_EQ(Visible("a<p"), "a");
  EXPECT_EQ(Visible("a<!-- never closed"), "a");
  EXPECT_EQ(Visible("a<script>never closed"), "a");
  EXPECT_EQ(Visible("a</div></p>b"), "a\nb");
  EXPECT_EQ(Visible("1 < 2 && 3 > 2"), "1 < 2 && 3 > 2");
  EXPECT_EQ(Visible("<table>x<tr>y<td>z</table>"), "x\ny\nz");
  EXPECT_EQ(Visible("<table hidden>x<tr>y<td>z</table>"), "x\ny");  // both come before the table
  EXPECT_EQ(Visible("<svg><p>out</svg>in"), "out\nin");
}

TEST(HtmlText, AltaVistaKeepsAddressesInPlace) {
  EXPECT_EQ(AltaVista("see <a href=' http://x.org/?a=1&amp;b=2 '>this</a> "
                      "<img src=i.png alt=no>now"),
            "see http_3a_2f_2fx_2eorg_2f_3fa_3d1_26b_3d2 this\ni_2epng now");
  EXPECT_EQ(AltaVista("<link href=s.css><script src=j.js>code</script><frame src=f>"), "s_2ecss");
  EXPECT_EQ(AltaVista("a<a href=''>b</a>"), "a b");
}

TEST(HtmlText, AltaVistaDropsMarkupOnly) {
  EXPECT_EQ(AltaVista("a<div hidden>b</div><noscript><p>c</noscript><template>d</template>e"),
            "a\nb\nc\nd\ne");
  EXPECT_EQ(AltaVista("a<style>b</style><!--c-->d"), "a\nd");
}

TEST(HtmlText, AddressesOfOneWordEach) {
  const auto word = [](std::string_view url) {
    std::string text;
    AppendUrlWord(url, &text);
    return text;
  };
  EXPECT_EQ(word("a-b_c"), "a_2db_5fc");
  EXPECT_EQ(word("\u00e9"), "_c3_a9");
  EXPECT_NE(word("/a/b"), word("/a-b"));
  EXPECT_NE(word("_2d"), word("-"));
}

TEST(HtmlText, PiecesSayWhereTextCameFrom) {
  EXPECT_EQ(Pieces("<p>a <b>b</b>&amp;c</p>"), "a<-a|b<-b|&<-&amp;|c<-c|");
  EXPECT_EQ(Pieces("caf&eacute;s &notit;"),
            "caf<-caf|\u00e9<-&eacute;|s<-s|\u00ac<-&not|it;<-it;|");
  EXPECT_EQ(Pieces("&semi;&semi;&#65b"), ";<-&semi;|;<-&semi;|A<-&#65|b<-b|");
  EXPECT_EQ(Pieces("a\r\nb"), "a<-a|b<-b|");
  EXPECT_EQ(Pieces("<img alt='x&amp;y&copy=1'>"), "x<-x|&<-&amp;|y&copy=1<-y&copy=1|");
  EXPECT_EQ(Pieces("<img src=s href=h>", HtmlMode::kAltaVista), "s<-s|h<-h|");
  // A tag without a name does not end text; raw text has no references.
  EXPECT_EQ(Pieces("a</>b &lt;</>"), "a<-a|b<-b|<<-&lt;|");
  EXPECT_EQ(Pieces("<svg><desc/><![CDATA[a &amp;amp; b]]></svg>", HtmlMode::kAltaVista),
            "a<-a|&amp;amp;<-&amp;amp;|b<-b|");
  EXPECT_EQ(Pieces("<a href=u&amp;v>w</a>", HtmlMode::kAltaVista), "u_26v<-u&amp;v|w<-w|");
}

// Gaps between pieces have at most one byte; a piece as long as its source equals it.
TEST(HtmlText, PiecesAreInOrderAndTrue) {
  const std::string_view parts[] = {
      "<p>",     "</p>", "word ",      "&amp;", "&eacute;",  "<b>",       "</b>",
      "\r\n",    "<br>", "<i hidden>", "</i>",  "\xC3\xA9",  "&#xfc;",    "<td>",
      "<table>", "&",    "<",          "\0",    "<script>",  "</script>", "<img alt='a&lt;b'>",
      "<!--",    "-->",  "<svg>",      "</>",   "<![CDATA[", "]]>",       "<xmp>"};
  std::mt19937_64 random(5);
  HtmlText html(HtmlMode::kVisible);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::string page;
    for (int i = 0; i < 30; ++i) page += parts[random() % std::size(parts)];
    std::vector<HtmlPiece> pieces;
    const std::string text(html.Run(page, &pieces));
    ASSERT_EQ(text, html.Run(page)) << page;
    uint32_t text_end = 0, source_end = 0;
    for (const HtmlPiece& piece : pieces) {
      ASSERT_GE(piece.text_begin, text_end) << page;
      ASSERT_LE(piece.text_begin - text_end, 1u) << page;
      ASSERT_GE(piece.source_begin, source_end) << page;
      ASSERT_LT(piece.source_begin, piece.source_end) << page;
      ASSERT_LE(piece.source_end, page.size()) << page;
      text_end = piece.text_end;
      source_end = piece.source_end;
      const std::string_view source =
          std::string_view(page).substr(piece.source_begin, piece.source_end - piece.source_begin);
      const std::string shown = text.substr(piece.text_begin, text_end - piece.text_begin);
      if (source.size() == shown.size()) {
        ASSERT_EQ(source, shown) << page;
      }
    }
    ASSERT_EQ(text_end, text.size()) << page;
  }
}

TEST(HtmlText, EveryFrontOfAPageIsAPage) {
  const std::string page =
      "<!DOCTYPE html><html><head><title>T &amp; U</title><script>x<!--<script></script>-->y"
      "</script></head><body class='a b' hidden=no><p "
      "hidden>h<p>caf&eacute;<table><tr><td>c</table>"
      "<svg><![CDATA[d]]></svg><textarea>\n e</textarea><img alt=\"f &lt; g\" src='h'><a href=i>j";
  for (const HtmlMode mode : {HtmlMode::kVisible, HtmlMode::kAltaVista}) {
    HtmlText html(mode);
    for (size_t size = 0; size <= page.size(); ++size) {
      const std::string front = page.substr(0, size);
      std::vector<HtmlPiece> pieces;
      const std::string with_pieces(html.Run(front, &pieces));
      EXPECT_EQ(html.Run(front), with_pieces) << front;
      EXPECT_LE(with_pieces.size(), 3 * front.size());
      EXPECT_EQ(CountValidPrefix(with_pieces), with_pieces.size()) << front;
    }
  }
}

TEST(HtmlText, InvalidUtf8StaysAsItIs) {
  EXPECT_EQ(Visible("a\xFF\xC3<b>b</b>"),
            "a\xFF\xC3"
            "b");
}

// Quadratic time would take minutes, and recursion would overflow the stack.
TEST(HtmlText, HostilePagesTakeLinearTime) {
  constexpr size_t kMany = 100'000;
  std::string names, attributes = "<p ";
  for (size_t i = 0; i < kMany; ++i) {
    names += "<t" + std::to_string(i) + ">";
    attributes += "a" + std::to_string(i) + " ";
  }
  std::string formatting;
  for (size_t i = 0; i < 2000; ++i) formatting += "<b a" + std::to_string(i) + ">";
  const std::string pages[] = {Repeat("<div>", kMany) + "x" + Repeat("</div>", kMany),
                               Repeat("<div>", 511) + Repeat("<p>x", kMany),
                               formatting + Repeat("<p>x", kMany),
                               Repeat("<a href=u>", kMany) + "x",
                               Repeat("<table>", kMany) + "x",
                               Repeat("<table>x", kMany),
                               Repeat("<svg>", kMany) + "x" + Repeat("<title>", kMany),
                               Repeat("<template>", kMany) + "x",
                               Repeat("<span hidden>", 500) + Repeat("<i>x", kMany),
                               Repeat("</p></br>", kMany) + "x",
                               Repeat("<select><option>x", kMany),
                               Repeat("&amp;", kMany) + std::string(kMany, '\0') + "x",
                               names + "x",
                               attributes + ">x"};
  const std::clock_t begin = std::clock();
  for (const HtmlMode mode : {HtmlMode::kVisible, HtmlMode::kAltaVista}) {
    HtmlText html(mode);
    std::vector<HtmlPiece> pieces;
    for (const std::string& page : pages) html.Run(page, &pieces);
  }
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 60);
}

// By the standard, each paragraph would reopen some forty elements.
TEST(HtmlText, BlocksAmongFormattingElementsTakeLittleMemory) {
  std::string page;
  for (const char* name : {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small",
                           "strike", "strong", "tt", "u"}) {
    page += Repeat("<" + std::string(name) + ">", 3);
  }
  page = "<div>" + page + "</div>" + Repeat("<p>x", kMostTagsOfPart - 100);
  const auto peak_kilobytes = [] {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const auto before = peak_kilobytes();
  Visible(page);
  EXPECT_LT(peak_kilobytes() - before, 300'000);
}

TEST(HtmlText, DeepElementsCountAsPartOfThoseAbove) {
  const std::string deep = Repeat("<div>", kMostOpenElements + 100);
  EXPECT_EQ(Visible(deep + "a<div>b</div>c" + Repeat("</div>", kMostOpenElements + 100) + "d"),
            "a\nb\nc\nd");
  EXPECT_EQ(Visible("<div hidden>" + deep + "a" + Repeat("</div>", kMostOpenElements + 101) + "b"),
            "b");
  const std::string closed = Repeat("</div>", kMostOpenElements + 100);
  EXPECT_EQ(Visible("<div hidden>" + deep + closed + "still</div>b"), "b");
  EXPECT_EQ(Visible(deep + "<script>a</script>b"), "b");
}

// The text around the cuts shows whether the parts are cut at the right places.
TEST(HtmlText, LongPagesAreReadInParts) {
  const size_t count = 2 * kMostTagsOfPart + 10;
  std::string page, text;
  for (size_t i = 0; i < count; ++i) {
    page += "<br>w" + std::to_string(i);
    text += (i == 0 ? "w" : "\nw") + std::to_string(i);
  }
  EXPECT_EQ(Visible(page), text);
  EXPECT_EQ(Visible("<div hidden>" + page.substr(0, 100) + "</div>x"), "x");
  // Elements open at a cut are closed there.
  const size_t most = kMostTagsOfPart;
  EXPECT_EQ(Visible("<div hidden>" + Repeat("<br>w", most - 1)), "");
  EXPECT_EQ(Visible("<div hidden>" + Repeat("<br>w", most + 1)), "w\nw");
}

}  // namespace
}  // namespace lookalike
