#include "uses/crumbs/crumb_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace lookalike {
namespace {

using Pages = std::vector<CrumbPage>;

std::string RandomText(std::mt19937_64* random, std::string_view letters, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += letters[(*random)() % letters.size()];
  return text;
}

/// Returns ten pages, each fetched in all of eight visits; `url` makes an address from page and
/// crumb.
Pages Visits(const std::function<std::string(int page, const std::string& crumb)>& url,
             std::string_view letters = "0123456789abcdef", size_t size = 16) {
  std::mt19937_64 random(3);
  Pages pages;
  for (int visit = 0; visit < 8; ++visit) {
    const std::string crumb = RandomText(&random, letters, size);
    for (int page = 0; page < 10; ++page) {
      pages.push_back({url(page, crumb), static_cast<uint64_t>(page)});
    }
  }
  return pages;
}

/// Returns the rules proposed for the hosts of pages, as "host rule".
std::vector<std::string> Proposed(const Pages& pages) {
  std::vector<std::string> proposed;
  for (const CrumbRule& rule : FindCrumbRules(pages)) {
    if (!rule.objection.empty()) continue;
    std::string text = rule.host;
    for (const CrumbPosition& position : rule.positions) text += " " + position.ToString();
    proposed.push_back(text);
  }
  return proposed;
}

using Strings = std::vector<std::string>;

TEST(CrumbRules, AParameterOfTheQuery) {
  const Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://shop.example/item?id={}&sid={}", page, crumb);
  });
  const auto rules = FindCrumbRules(pages);
  ASSERT_EQ(Proposed(pages), Strings{"shop.example ?sid=*"});
  const CrumbRule& rule = rules.front();
  EXPECT_EQ(rule.support, 80u);
  EXPECT_EQ(rule.contents, 10u);
  EXPECT_EQ(rule.values, 8u);
  EXPECT_EQ(rule.counter_examples, 0u);
  EXPECT_EQ(rule.fetches_saved, 70u);
  EXPECT_NE(rule.example_a, rule.example_b);
}

TEST(CrumbRules, AParameterOfThePath) {
  EXPECT_EQ(Proposed(Visits([](int page, const std::string& crumb) {
              return fmt::format("http://a.example/p{}.jsp;jsessionid={}?x=1", page, crumb);
            })),
            Strings{"a.example ;jsessionid=*"});
}

// The pair of addresses in Broder's slides.
TEST(CrumbRules, ASegmentOfThePath) {
  const Pages pages = Visits(
      [](int page, const std::string& crumb) {
        return fmt::format("http://www.crutchfield.com/S-{}/page{}.html", crumb, page);
      },
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 11);
  ASSERT_EQ(Proposed(pages), Strings{"www.crutchfield.com /S-*/"});
  const CrumbRule rule = FindCrumbRules(pages).front();
  ASSERT_EQ(rule.positions.size(), 1u);
  EXPECT_EQ(rule.positions[0].segment, 1u);
  EXPECT_EQ(rule.positions[0].characters, CrumbPosition::Characters::kAlphanumeric);
  EXPECT_EQ(rule.positions[0].shortest, 11u);
  EXPECT_EQ(rule.positions[0].longest, 11u);
}

TEST(CrumbRules, SegmentsWithSignsAndNumbersAroundTheValue) {
  EXPECT_EQ(Proposed(Visits([](int page, const std::string& crumb) {
              return fmt::format("http://a.example/app/(S({}))/p{}.aspx", crumb, page);
            })),
            Strings{"a.example /(S(*))/"});
  EXPECT_EQ(Proposed(Visits(
                [](int page, const std::string& crumb) {
                  return fmt::format("http://a.example/visit{}/p{}", crumb, page);
                },
                "0123456789", 9)),
            Strings{"a.example /visit*/"});
}

// Numbers with equal first digits: the digits that they share by chance are not part of the rule.
TEST(CrumbRules, WhatValuesShareUpToASignIsAroundThem) {
  int page_number = 0;
  EXPECT_EQ(Proposed(Visits([&](int page, const std::string&) {
              return fmt::format("http://a.example/S-100{}/{}", page_number++ / 10, page);
            })),
            Strings{"a.example /S-*/"});
}

TEST(CrumbRules, SegmentsOfAnotherLengthOrOtherCharactersAreNotTheCrumb) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/S-{}/{}", crumb, page);
  });
  uint64_t group = 100;
  for (const char* name : {"fed", "0123456789abcdef01234567", "about-this-shop-"}) {
    for (int page = 0; page < 10; ++page) {
      pages.push_back({fmt::format("http://a.example/S-{}/{}", name, page), group++});
    }
  }
  EXPECT_EQ(Proposed(pages), Strings{"a.example /S-*/"});
}

TEST(CrumbRules, TwoPlacesThatVaryTogether) {
  EXPECT_EQ(Proposed(Visits([](int page, const std::string& crumb) {
              return fmt::format("http://a.example/{}?sid={}&t=9{}", page, crumb, crumb);
            })),
            Strings{"a.example ?sid=* ?t=*"});
}

TEST(CrumbRules, ACrumbBesideAnother) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?sid={}", page, crumb);
  });
  int fetch = 0;
  for (CrumbPage& page : pages) page.url += fmt::format("&t={}", fetch++ % 7);
  EXPECT_EQ(Proposed(pages), (Strings{"a.example ?sid=*", "a.example ?t=*"}));
}

TEST(CrumbRules, TheFirstVisitMayHaveNone) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?sid={}", page, crumb);
  });
  for (int page = 0; page < 10; ++page) {
    pages[static_cast<size_t>(page)].url = fmt::format("http://a.example/{}", page);
  }
  EXPECT_EQ(Proposed(pages), Strings{"a.example ?sid=*"});
}

// ?page=2 has different content: pages that differ only there are not alike.
TEST(CrumbRules, ContentIsNoCrumb) {
  Pages pages;
  for (int section = 0; section < 10; ++section) {
    for (int page = 0; page < 8; ++page) {
      pages.push_back({fmt::format("http://a.example/s{}?page={}", section, page),
                       static_cast<uint64_t>(100 * section + page)});
    }
  }
  EXPECT_EQ(Proposed(pages), Strings{});
  pages[1].group = pages[0].group;  // two of them are copies: now it is suggested, and refused
  pages[9].group = pages[8].group;
  const auto rules = FindCrumbRules(pages);
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].counter_examples, 68u);
  EXPECT_EQ(rules[0].objection, "it would merge pages that are not alike");
  EXPECT_NE(rules[0].example_a, rules[0].example_b);
}

TEST(CrumbRules, OneUnlikePageIsEnoughToRefuse) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?sid={}", page, crumb);
  });
  EXPECT_EQ(Proposed(pages).size(), 1u);
  pages[37].group = 999;
  EXPECT_EQ(Proposed(pages), Strings{});
  EXPECT_EQ(FindCrumbRules(pages)[0].counter_examples, 1u);
}

// The same address with another page means another time, not another value.
TEST(CrumbRules, APageThatChangedIsNoCounterExample) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?sid={}", page, crumb);
  });
  pages.push_back({pages[37].url, 999});
  EXPECT_EQ(Proposed(pages), Strings{"a.example ?sid=*"});
}

TEST(CrumbRules, OneContentUnderManyValuesSaysLittle) {
  Pages pages;
  for (int item = 0; item < 20; ++item) {
    pages.push_back({fmt::format("http://a.example/sold-out?item={}", item), 0});
  }
  EXPECT_EQ(Proposed(pages), Strings{});
  EXPECT_EQ(FindCrumbRules(pages)[0].objection,
            "several of its values were seen for only one page");
}

TEST(CrumbRules, TwoValuesAreNotOneAVisit) {
  Pages pages;
  for (int page = 0; page < 10; ++page) {
    for (const char* form : {"html", "print"}) {
      pages.push_back(
          {fmt::format("http://a.example/{}?form={}", page, form), static_cast<uint64_t>(page)});
    }
  }
  EXPECT_EQ(Proposed(pages), Strings{});
  EXPECT_EQ(FindCrumbRules(pages)[0].objection, "it has too few values to change with every visit");
}

TEST(CrumbRules, HostsAreApart) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?id={}", page, crumb);
  });
  for (int page = 0; page < 10; ++page) {  // there the same name selects content
    pages.push_back({fmt::format("http://b.example/x?id={}", page), 1000U + page % 9U});
  }
  EXPECT_EQ(Proposed(pages), Strings{"a.example ?id=*"});
}

TEST(CrumbRules, OddUrlsAreHarmless) {
  Pages pages = {{"", 0}, {"", 0}, {"?", 0}, {"/", 0}, {"http://", 0}, {"a b\n\x01", 0}};
  for (int i = 0; i < 50; ++i) pages.push_back({fmt::format("//h/?&;={}=;;{}", i, i % 3), 0});
  for (const CrumbRule& rule : FindCrumbRules(pages)) EXPECT_FALSE(rule.objection.empty());
}

/// A page as the oracle sees it: the parts of its address, and the group of its duplicates.
struct Visit {
  uint64_t crumb, page, parameter, group;
  [[nodiscard]] std::string Url() const {
    return fmt::format("http://a.example/v-{}/{}?b={}", crumb, page, parameter);
  }
};

/// True if all addresses that rules merge have a page in common. A page may change over time, so an
/// address may have several.
bool MergesOnlyCopies(const std::vector<Visit>& visits, bool drops_crumb, bool drops_parameter) {
  std::map<std::string, std::set<uint64_t>> groups;
  for (const Visit& visit : visits) groups[visit.Url()].insert(visit.group);
  for (const Visit& x : visits) {
    for (const Visit& y : visits) {
      if (x.page != y.page) continue;
      if (!drops_crumb && x.crumb != y.crumb) continue;
      if (!drops_parameter && x.parameter != y.parameter) continue;
      const auto& a = groups[x.Url()];
      const auto& b = groups[y.Url()];
      const bool common =
          std::any_of(a.begin(), a.end(), [&](uint64_t g) { return b.contains(g); });
      if (!common) return false;
    }
  }
  return true;
}

// The oracle compares all pages with each other.
TEST(CrumbRules, NoProposalMergesPagesThatAreNotAlike) {
  std::mt19937_64 random(17);
  int proposed = 0, refused = 0;
  for (int run = 0; run < 400; ++run) {
    const uint64_t contents = 1 + random() % 3, odd = random() % 2;
    std::vector<Visit> visits;
    Pages pages;
    for (int i = 0; i < 60; ++i) {
      Visit visit{random() % 5, random() % 6, random() % 5, 0};
      visit.group = random() % 60 < odd ? 1000 : visit.page * 10 + visit.parameter % contents;
      visits.push_back(visit);
      pages.push_back({visit.Url(), visit.group});
    }
    bool crumb = false, parameter = false;
    for (const CrumbRule& rule : FindCrumbRules(pages)) {
      refused += rule.counter_examples > 0;
      if (!rule.objection.empty()) continue;
      for (const CrumbPosition& position : rule.positions) {
        crumb |= position.kind == CrumbPosition::Kind::kSegment && position.segment == 1;
        parameter |= position.kind == CrumbPosition::Kind::kQuery;
      }
      ++proposed;
    }
    EXPECT_TRUE(MergesOnlyCopies(visits, crumb, parameter)) << run;
  }
  EXPECT_GT(proposed, 100);
  EXPECT_GT(refused, 100);
}

TEST(CrumbRules, SessionsInHostNames) {
  const Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://s-{}.shop.example/item/{}", crumb, page);
  });
  EXPECT_EQ(Proposed(pages), (std::vector<std::string>{"shop.example //s-*."}));
  const CrumbRule rule = FindCrumbRules(pages).front();
  EXPECT_EQ(rule.values, 8u);
  EXPECT_EQ(rule.contents, 10u);
  EXPECT_EQ(rule.fetches_saved, 70u);
  EXPECT_EQ(rule.positions[0].shortest, 16u);
  EXPECT_EQ(rule.positions[0].characters, CrumbPosition::Characters::kHex);
}

// Each user has a host, with different pages at the same addresses. A few pages are copies.
TEST(CrumbRules, HostsWithOtherPagesAreNoSessions) {
  Pages pages;
  for (uint64_t user = 0; user < 20; ++user) {
    for (uint64_t page = 0; page < 10; ++page) {
      const uint64_t group = page < 2 && user < 4 ? page : 100 + user * 10 + page;
      pages.push_back({fmt::format("http://user{}.blog.example/{}", user, page), group});
    }
  }
  EXPECT_EQ(Proposed(pages), std::vector<std::string>());
  const auto rules = FindCrumbRules(pages);
  ASSERT_FALSE(rules.empty());
  EXPECT_TRUE(std::all_of(rules.begin(), rules.end(),
                          [](const CrumbRule& rule) { return rule.counter_examples > 0; }));
}

/// Returns two hosts with so many pages; from `differ` on, their pages are different.
Pages TwoHosts(uint64_t pages, uint64_t differ) {
  Pages all;
  for (uint64_t page = 0; page < pages; ++page) {
    all.push_back({fmt::format("http://www.news.example/{}", page), page});
    all.push_back(
        {fmt::format("http://news.example/{}", page), page < differ ? page : 1000 + page});
  }
  return all;
}

TEST(CrumbRules, TwoNamesOfOneHostAgreeOnTheirPages) {
  EXPECT_EQ(Proposed(TwoHosts(30, 30)),
            (std::vector<std::string>{"news.example //www.news.example/"}));
  const CrumbRule rule = FindCrumbRules(TwoHosts(30, 30)).front();
  EXPECT_EQ(rule.contents, 30u);
  EXPECT_EQ(rule.fetches_saved, 30u);
  EXPECT_EQ(rule.support, 60u);
  EXPECT_EQ(rule.example_a, "http://news.example/0");
  EXPECT_EQ(rule.example_b, "http://www.news.example/0");

  const auto differing = FindCrumbRules(TwoHosts(30, 29));
  ASSERT_EQ(differing.size(), 1u);
  EXPECT_EQ(differing[0].counter_examples, 1u);
  EXPECT_EQ(differing[0].objection, "the two names have different pages at the same address");
  const auto few = FindCrumbRules(TwoHosts(3, 3));
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].objection, "the two names agree on too few pages");
}

// The names of a host are compared without the parts that vary from visit to visit.
TEST(CrumbRules, NamesOfAHostWhosePathsHaveSessions) {
  Pages pages = Visits([](int page, const std::string& crumb) {
    return fmt::format("http://a.example/{}?sid={}", page, crumb);
  });
  for (const CrumbPage& page : Visits([](int page, const std::string& crumb) {
         return fmt::format("http://b.example/{}?sid=1{}", page, crumb);
       })) {
    pages.push_back(page);
  }
  EXPECT_EQ(Proposed(pages), (std::vector<std::string>{"a.example ?sid=*", "b.example ?sid=*",
                                                       "a.example //b.example/"}));
}

}  // namespace
}  // namespace lookalike
