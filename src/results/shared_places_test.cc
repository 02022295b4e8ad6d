#include "results/shared_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "results/passages.h"

namespace lookalike {
namespace {

FeatureSpec SpecOf(const char* shingle) { return {.shingle = *ParseShingle(shingle)}; }

// Returns what each passage covers, as "part of a | part of b". ASCII only, so offsets are bytes.
std::vector<std::string> Shared(const std::string& a, const std::string& b, const char* shingle) {
  std::vector<std::string> shown;
  for (const Passage& p : SharedPassages(a, b, SpecOf(shingle))) {
    shown.push_back(a.substr(p.a_begin, p.a_end - p.a_begin) + " | " +
                    b.substr(p.b_begin, p.b_end - p.b_begin));
  }
  return shown;
}

using Lines = std::vector<std::string>;

TEST(SharedPlacesTest, PointsThatAreNear) {
  EXPECT_EQ(Shared("[[1, 2], [50, 60]]", "100 100; 51 60", "point:5,1"), (Lines{"50, 60 | 51 60"}));
  EXPECT_EQ(Shared("1 2", "100 100", "point:5,1"), Lines{});
  EXPECT_EQ(Shared("1 2;1 2", "1 2", "point:5,1"), (Lines{"1 2 | 1 2", "1 2 | 1 2"}))
      << "each place that shares a feature";
  EXPECT_EQ(Shared("", "1 2", "point:5,1"), Lines{});
}

TEST(SharedPlacesTest, AStretchOfASeriesIsOnePassage) {
  EXPECT_EQ(Shared("900 800 1 2 3 4 5 700", "1 2 3 4 5 600 500", "series:3,1,4"),
            (Lines{"1 2 3 4 5 | 1 2 3 4 5"}));
  EXPECT_EQ(Shared("1 2", "1 2", "series:3,1,4"), (Lines{"1 2 | 1 2"})) << "shorter than a window";
}

TEST(SharedPlacesTest, StretchesInAnotherOrderAreAPassageEach) {
  EXPECT_EQ(Shared("1 2 3 4 5 900 10 20 30 40 50", "10 20 30 40 50 700 1 2 3 4 5", "series:3,1,4"),
            (Lines{"1 2 3 4 5 | 1 2 3 4 5", "10 20 30 40 50 | 10 20 30 40 50"}));
}

// Arguments are compared in the order of their names, and shown at their own places.
TEST(SharedPlacesTest, ArgumentsOfUrlsInAnotherOrder) {
  EXPECT_EQ(Shared("http://h/x?b=2&a=1", "http://h/y?a=1&b=2", "url:2"),
            (Lines{"b=2&a=1 | a=1&b=2"}));
  EXPECT_EQ(Shared("http://h/x?b=2&a=1", "http://k/y?b=2", "url:1"), (Lines{"b=2 | b=2"}));
}

TEST(SharedPlacesTest, TokensOfUrls) {
  EXPECT_EQ(Shared("http://Shop.de/S-abc/item/7?b=2&a=1", "https://shop.de/S-xyz/item/7?a=1&c=3",
                   "url:1"),
            (Lines{"Shop.de | shop.de", "item | item", "7 | 7", "a=1 | a=1"}));
  EXPECT_EQ(Shared("http://a/b/c", "http://a/b/d", "url:2"), (Lines{"a/b | a/b"}));
}

TEST(SharedPlacesTest, OffsetsCountCodePointsOfTheRepairedText) {
  const std::string a = "http://\xc3\xbc\xff/x", b = "http://h/x";
  const std::vector<Passage> passages = SharedPassages(a, b, SpecOf("url:1"));
  ASSERT_EQ(passages.size(), 1u);
  EXPECT_EQ(std::tuple(passages[0].a_begin, passages[0].a_end), std::tuple(10U, 11U));
  EXPECT_EQ(std::tuple(passages[0].b_begin, passages[0].b_end), std::tuple(9U, 10U));
}

// Each shared feature is in both places of a pair; each place with a shared feature is in a pair.
TEST(SharedPlacesTest, NoSharedFeatureIsOutside) {
  std::mt19937_64 random(15);
  for (int round = 0; round < 200; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      for (size_t i = random() % 12; i-- > 0;) {
        text += std::to_string(random() % 30) + " " + std::to_string(random() % 30) + ";";
      }
    }
    const FeatureSpec spec = SpecOf(round % 2 == 0 ? "point:4,1" : "cells:9,20");
    const auto a = ReadUnits(texts[0], spec), b = ReadUnits(texts[1], spec);
    std::set<std::pair<uint64_t, uint32_t>> in_a, in_b;
    for (size_t i = 0; i < a->features.size(); ++i) {
      in_a.emplace(a->features[i], a->units[a->first[i]].begin);
    }
    for (size_t i = 0; i < b->features.size(); ++i) {
      in_b.emplace(b->features[i], b->units[b->first[i]].begin);
    }
    const auto passages = SharedPassages(*a, *b, spec);
    const auto check = [&](const auto& mine, const auto& other, bool is_a) {
      for (const auto& [feature, begin] : mine) {
        const auto same = other.lower_bound({feature, 0});
        if (same == other.end() || same->first != feature) continue;
        EXPECT_TRUE(std::ranges::any_of(
            passages,
            [&, at = begin](const Passage& p) { return (is_a ? p.a_begin : p.b_begin) == at; }))
            << texts[0] << " | " << texts[1];
        EXPECT_TRUE(std::ranges::any_of(passages, [&, f = feature](const Passage& p) {
          return in_a.contains({f, static_cast<uint32_t>(p.a_begin)}) &&
                 in_b.contains({f, static_cast<uint32_t>(p.b_begin)});
        }));
      }
    };
    check(in_a, in_b, true);
    check(in_b, in_a, false);
  }
}

}  // namespace
}  // namespace lookalike
