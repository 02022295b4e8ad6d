#include "stages/features/urls.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Tokens = std::vector<std::string>;

Tokens TokensOf(std::string_view url) {
  UrlTokens found;
  FindUrlTokens(url, &found);
  EXPECT_EQ(found.tokens.size(), found.spans.size());
  EXPECT_GE(found.text.size(), (found.tokens.empty() ? 0 : found.tokens.back().end) + 16)
      << "hashing reads on";
  Tokens tokens;
  for (const auto [begin, end] : found.tokens)
    tokens.push_back(found.text.substr(begin, end - begin));
  return tokens;
}

// Returns the parts of the URL that its tokens come from.
Tokens PartsOf(std::string_view url) {
  UrlTokens found;
  FindUrlTokens(url, &found);
  Tokens parts;
  for (const auto [begin, end] : found.spans) parts.emplace_back(url.substr(begin, end - begin));
  return parts;
}

TEST(UrlTokensTest, HostPathAndQuery) {
  EXPECT_EQ(TokensOf("http://user:pw@WWW.Example.com:8080/a/b;v=1/c.html?x=1&y=2#part"),
            (Tokens{"//www.example.com:8080", "/a", "/b", ";v=1", "/c.html", "?x=1", "?y=2"}));
  EXPECT_EQ(TokensOf("http://www.crutchfield.com/S-fXyiE5bZS43/"),
            (Tokens{"//www.crutchfield.com", "/S-fXyiE5bZS43"}));
  EXPECT_EQ(TokensOf("http://h/a-b._~/!$'()*+,:@"), (Tokens{"//h", "/a-b._~", "/!$'()*+,:@"}));
  EXPECT_EQ(PartsOf("http://user@Host:80/a%7e;v?y=2&x#f"),
            (Tokens{"Host", "a%7e", "v", "x", "y=2"}));
}

TEST(UrlTokensTest, WhatIsEqual) {
  const std::vector<std::vector<std::string>> classes = {
      // Scheme, default port, user information, fragment, empty segments and parameters.
      {"http://example.com/a/b?x=1", "https://example.com/a/b?x=1", "HTTP://EXAMPLE.COM:80/a/b?x=1",
       "http://example.com:80/a/b?x=1", "https://example.com:443/a/b?x=1",
       "http://example.com:/a/b?x=1", "//example.com/a/b?x=1", "http://me@example.com/a/b?x=1",
       "http://a:b@c@example.com/a/b?x=1", "http://example.com/a/b?x=1#top",
       "http://example.com/a/b/?x=1", "http://example.com//a///b?x=1",
       "http://example.com/a/b?x=1&", "http://example.com/a/b?&x=1",
       "  http://example.com/a/b?x=1\r\n", "x-own.scheme+1://example.com/a/b?x=1"},
      // RFC 3986, 6.2.2.1 and 6.2.2.2: case of escapes, escapes of unreserved characters.
      {"http://example.com/~a/b%3Ac", "http://example.com/%7Ea/b%3ac",
       "http://ex%61mple.com/%7ea/%62%3Ac"},
      // 6.2.2.3: dot segments.
      {"http://example.com/a/b", "http://example.com/./a/b", "http://example.com/a/x/../b",
       "http://example.com/../a/b/.", "http://example.com/x/%2e%2E/a/b",
       "http://example.com/a/b/c/.."},
      // The order of parameters.
      {"http://example.com/?a=1&b=2", "http://example.com/?b=2&a=1", "http://example.com/?b=2;a=1",
       "http://example.com?a=1&b=2"},
      // Characters that a URL must not have are escaped.
      {"http://example.com/caf\xc3\xa9 1|2", "http://example.com/caf%C3%A9%201%7C2",
       "http://example.com/caf%c3%a9%201%7c2"},
      {"http://[::1]/", "http://[::1]:80/", "http://[::1]:/"},
      {"http://example.com/100%", "http://example.com/100%25"},
      {"http://example.com/%zz%1", "http://example.com/%25zz%251"},
      {"mailto:a@b.c", "a@b.c", "/a@b.c"},
      {"", " ", "http:", "http://", "http:///", "//", "/", "?", "#", "http://?#x", "?&;&",
       "/./../"},
  };
  for (const auto& urls : classes) {
    for (const std::string& url : urls) {
      EXPECT_EQ(TokensOf(url), TokensOf(urls[0])) << url;
    }
  }
}

TEST(UrlTokensTest, WhatIsNotEqual) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"http://a.com/x", "http://a.com/X"},
      {"http://a.com/a/b", "http://a.com/b/a"},
      {"http://a.com:8080/", "http://a.com/"},
      {"http://a.com:443/", "http://a.com/"},
      {"http://a.com:80/", "https://a.com:80/"},
      {"http://a.com/x", "http://a.com/?x"},
      {"http://a.com/x", "http://x/a.com"},
      {"http://a.com/b", "http://a.com/b%2F"},
      {"http://a.com/?a", "http://a.com/?a="},
      {"http://a.com/a+b", "http://a.com/a%20b"},
      {"http://a.com/a;b", "http://a.com/a/b"},
      {"http://a.com/a%3Bb", "http://a.com/a;b"},
      {"a.com/b", "http://a.com/b"},
      {"http://a.com./", "http://a.com/"},
      {"http://a.com/a...b", "http://a.com/ab"},
      {"http://[::1]:81/", "http://[::1]/"},
      {"http://a.com/?a=1&a=1", "http://a.com/?a=1"},
  };
  for (const auto& [a, b] : rows) EXPECT_NE(TokensOf(a), TokensOf(b)) << a << " " << b;
}

TEST(UrlTokensTest, HostsOfOddForms) {
  EXPECT_EQ(TokensOf("http://[2001:DB8::1]:8080/"), (Tokens{"//[2001:db8::1]:8080"}));
  EXPECT_EQ(TokensOf("http://[::1]/"), (Tokens{"//[::1]"}));
  EXPECT_EQ(TokensOf("http://host:port/"), (Tokens{"//host:port"})) << "no number";
  EXPECT_EQ(TokensOf("http://:80/"), Tokens{}) << "no host";
  EXPECT_EQ(TokensOf("http://B\xc3\xbc"
                     "cher.DE/"),
            (Tokens{"//b%C3%BCcher.de"}));
  EXPECT_EQ(TokensOf("http://%41%2FB/"), (Tokens{"//a%2Fb"})) << "digits of escapes stay upper";
  EXPECT_EQ(TokensOf("file:///etc/passwd"), (Tokens{"/etc", "/passwd"}));
  EXPECT_EQ(TokensOf("http://a.com?q"), (Tokens{"//a.com", "?q"}));
  EXPECT_EQ(TokensOf("1http://a.com/"), (Tokens{"/1http:", "/a.com"})) << "no scheme";
}

TEST(UrlTokensTest, DotSegmentsDoNotLeaveThePath) {
  EXPECT_EQ(TokensOf("http://a/../../b"), (Tokens{"//a", "/b"}));
  EXPECT_EQ(TokensOf("http://a/b;v/../c"), (Tokens{"//a", "/c"})) << "a segment goes whole";
  EXPECT_EQ(TokensOf("http://a/b/..;v/c"), (Tokens{"//a", "/b", "/..", ";v", "/c"}));
}

// Any bytes are a URL: every token consists of characters that a URL may have.
TEST(UrlTokensTest, AnyTextHasTokens) {
  std::mt19937_64 random(3986);
  for (int i = 0; i < 20'000; ++i) {
    std::string url(random() % 40, ' ');
    for (char& c : url) {
      c = random() % 3 == 0 ? static_cast<char>(random()) : "ha:/?#[]@%;&=.2eE"[random() % 17];
    }
    for (const std::string& token : TokensOf(url)) {
      ASSERT_GE(token.size(), 2u);
      for (const char c : token) ASSERT_TRUE(c > ' ' && c < 0x7f) << url;
    }
    for (const std::string& part : PartsOf(url)) ASSERT_FALSE(part.empty()) << url;
  }
}

// Normalisation is idempotent.
TEST(UrlTokensTest, TokensAreTheirOwnNormalForm) {
  const Tokens tokens = TokensOf("http://A.b/%7e/c d;x=%2f?z=\xff&a=%");
  std::string again;
  for (const std::string& token : tokens)
    again += token[0] == '?' && again.find('?') != again.npos ? "&" + token.substr(1) : token;
  EXPECT_EQ(TokensOf(again), tokens) << again;
}

}  // namespace
}  // namespace lookalike
