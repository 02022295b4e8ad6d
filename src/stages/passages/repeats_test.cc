#include "stages/passages/repeats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/splitmix.h"
#include "passages/sampled_texts.h"

namespace lookalike {
namespace {

using Texts = std::vector<std::vector<uint64_t>>;
/// A document and a word of it.
using At = std::pair<DocNumber, uint64_t>;
/// The words of a passage, and all its places.
using Passages = std::map<std::vector<uint64_t>, std::set<At>>;

/// All that RepeatFinder finds in some texts.
class Finding {
 public:
  Finding(Texts texts, uint32_t least, DocNumber reference = 0, size_t most_listed = SIZE_MAX)
      : texts_(std::move(texts)), least_(least), reference_(reference), most_listed_(most_listed) {
    const RunSampling sampling = RunSampling::ForRunsOf(least);
    sampled_ = std::make_unique<testing::SampledTexts>(texts_, sampling);
    RepeatFinder::Settings settings;
    settings.sampling = sampling;
    settings.most_listed = most_listed;
    settings.finds_redundant = true;
    for (const TextPart& part : sampled_->parts->parts()) {
      if (part.doc < reference) settings.reference_end = part.end() + 1;
    }
    RepeatFinder repeats(*sampled_->parts, settings);
    FoundRepeats found;
    for (const auto& [group, members] : sampled_->groups) {
      if (members.size() < 2) continue;
      repeats.Find(members, &found);
      Take(found);
    }
  }

  Passages passages;
  std::map<std::vector<uint64_t>, uint64_t> counts;          ///< The number of all places of each.
  std::set<std::tuple<DocNumber, uint64_t, uint64_t>> here;  ///< With its words.
  std::vector<std::tuple<At, uint64_t, At>> redundant;       ///< Place, words, earlier place.
  bool twice = false;  ///< A passage was found more than once.

 private:
  At PlaceOf(uint64_t position) const {
    const TextPart& part = sampled_->parts->At(position);
    return {part.doc, part.word + (position - part.first)};
  }

  std::vector<uint64_t> WordsAt(At place, uint64_t words) const {
    const auto& text = texts_[place.first];
    EXPECT_LE(place.second + words, text.size());
    const auto begin = text.begin() + static_cast<ptrdiff_t>(place.second);
    return {begin, begin + static_cast<ptrdiff_t>(words)};
  }

  void Take(const FoundRepeats& found) {
    for (const FoundPassage& passage : found.passages) {
      std::set<At> places;
      for (const uint64_t position : passage.listed) places.insert(PlaceOf(position));
      EXPECT_EQ(places.size(), std::min<uint64_t>(passage.places, most_listed_));
      EXPECT_TRUE(std::ranges::is_sorted(passage.listed, {}, [&](uint64_t position) {
        return std::pair(PlaceOf(position).first < reference_, position);
      }));
      const auto words = WordsAt(PlaceOf(passage.listed.front()), passage.words);
      for (const At& place : places) EXPECT_EQ(WordsAt(place, passage.words), words);
      twice |= !passages.emplace(words, places).second;
      counts[words] = passage.places;
    }
    for (const PassageHere& one : found.here) {
      const At place = PlaceOf(one.position);
      here.emplace(place.first, place.second, found.passages[one.passage].words);
    }
    for (const RedundantRun& run : found.redundant) {
      const At place = PlaceOf(run.position), earlier = PlaceOf(run.earlier);
      redundant.emplace_back(place, run.words, earlier);
      EXPECT_EQ(WordsAt(place, run.words), WordsAt(earlier, run.words));
      EXPECT_LT(earlier, place);
      if (earlier.first == place.first) {
        // Enough of it stays, since what goes is shorter than its distance from where it stays.
        EXPECT_GE(place.second - earlier.second, least_);
        EXPECT_GE(run.words, least_);
      }
    }
  }

  Texts texts_;
  uint32_t least_;
  DocNumber reference_;
  size_t most_listed_;
  std::unique_ptr<testing::SampledTexts> sampled_;
};

/// Returns the number of equal words from two places on.
uint64_t EqualWords(const Texts& texts, At a, At b) {
  uint64_t equal = 0;
  while (a.second + equal < texts[a.first].size() && b.second + equal < texts[b.first].size() &&
         texts[a.first][a.second + equal] == texts[b.first][b.second + equal]) {
    ++equal;
  }
  return equal;
}

std::vector<At> AllPlaces(const Texts& texts) {
  std::vector<At> places;
  for (DocNumber doc = 0; doc < texts.size(); ++doc) {
    for (uint64_t word = 0; word < texts[doc].size(); ++word) places.emplace_back(doc, word);
  }
  return places;
}

/// The passages by their definition, from all pairs of places.
struct Oracle {
  Oracle(const Texts& texts, uint32_t least, DocNumber reference = 0) {
    const std::vector<At> places = AllPlaces(texts);
    std::map<At, uint64_t> longest;
    for (const At& a : places) {
      for (const At& b : places) {
        if (a != b) longest[a] = std::max(longest[a], EqualWords(texts, a, b));
      }
    }
    for (const At& a : places) {
      const uint64_t words = longest[a];
      const bool inside = a.second > 0 && longest[{a.first, a.second - 1}] > words;
      if (words < least || inside) continue;
      const auto begin = texts[a.first].begin() + static_cast<ptrdiff_t>(a.second);
      std::set<At> all;
      for (const At& b : places) {
        if (a == b || EqualWords(texts, a, b) >= words) all.insert(b);
      }
      if (all.rbegin()->first < reference) continue;
      here.emplace(a.first, a.second, words);
      passages[{begin, begin + static_cast<ptrdiff_t>(words)}] = all;
    }
  }

  Passages passages;
  std::set<std::tuple<DocNumber, uint64_t, uint64_t>> here;
};

/// Texts of runs that come again, in part and with others around them, of few different words.
Texts RandomTexts(std::mt19937* random, uint64_t words, size_t runs) {
  const auto number = [&](uint64_t below) { return (*random)() % below; };
  const auto word = [&] { return Mix64(number(words)); };
  std::vector<std::vector<uint64_t>> pool(runs);
  for (auto& run : pool) {
    run.resize(3 + number(20));
    std::ranges::generate(run, word);
  }
  Texts texts(2 + number(6));
  for (auto& text : texts) {
    for (uint64_t parts = number(7); parts > 0; --parts) {
      const auto& run = pool[number(runs)];
      const size_t begin = number(3) == 0 ? number(run.size()) : 0;
      const size_t end = number(3) == 0 ? begin + number(run.size() - begin) : run.size();
      text.insert(text.end(), run.begin() + static_cast<ptrdiff_t>(begin),
                  run.begin() + static_cast<ptrdiff_t>(end));
      for (uint64_t more = number(5); more > 0; --more) text.push_back(word());
    }
  }
  return texts;
}

TEST(Repeats, AreThoseOfAllPairsOfPlaces) {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    const auto least = static_cast<uint32_t>(1 + random() % 12);
    const Texts texts = RandomTexts(&random, 2 + random() % 40, 1 + random() % 5);
    const DocNumber reference = round % 3 == 0 ? random() % texts.size() : 0;
    const Finding found(texts, least, reference);
    const Oracle oracle(texts, least, reference);
    ASSERT_EQ(found.passages, oracle.passages) << "round " << round << ", least " << least;
    ASSERT_EQ(found.here, oracle.here) << "round " << round;
    ASSERT_FALSE(found.twice);
  }
}

TEST(Repeats, RedundantRunsHaveAllThatAnEarlierDocumentHas) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const auto least = static_cast<uint32_t>(1 + random() % 8);
    const Texts texts = RandomTexts(&random, 2 + random() % 40, 1 + random() % 5);
    std::set<At> covered;
    for (const auto& [place, words, earlier] : Finding(texts, least).redundant) {
      for (uint64_t i = 0; i < words; ++i) covered.emplace(place.first, place.second + i);
    }
    for (const At& a : AllPlaces(texts)) {
      for (const At& b : AllPlaces(texts)) {
        if (b.first >= a.first || EqualWords(texts, a, b) < least) continue;
        for (uint64_t i = 0; i < least; ++i) {
          ASSERT_TRUE(covered.contains({a.first, a.second + i})) << "round " << round;
        }
      }
    }
  }
}

TEST(Repeats, ARowOfRepetitionsLeavesTheShortestThatIsLongEnough) {
  for (const uint64_t period : {2, 3, 4}) {
    for (const uint32_t least : {4, 5, 6, 7, 8}) {
      const uint64_t row = (least + period - 1) / period * period;
      for (uint64_t words = row; words < 4 * row; ++words) {
        std::vector<uint64_t> text;
        for (uint64_t i = 0; i < words; ++i) text.push_back(Mix64(i % period));
        std::set<uint64_t> gone;
        for (const auto& [place, length, earlier] : Finding({text}, least).redundant) {
          for (uint64_t i = 0; i < length; ++i) gone.insert(place.second + i);
          EXPECT_LT(earlier.second, row);
        }
        const bool is_long = words >= row + least;
        ASSERT_EQ(gone.size(), is_long ? words - row : 0) << words << " words, least " << least;
        if (is_long) {
          EXPECT_EQ(*gone.begin(), row);
        }
      }
    }
  }
}

/// Returns the redundant runs of a text that repeats `period` words over and over: where each
/// begins and how many words it has. Each place of the first two rows removes what is later by rows
/// of its own distance from the front: the first such place to the end, and the others for six
/// rows.
std::set<std::pair<uint64_t, uint64_t>> RunsOfRow(uint64_t period, uint64_t least, uint64_t words) {
  const auto row_of = [&](uint64_t distance) {
    return (least + distance - 1) / distance * distance;
  };
  std::set<std::pair<uint64_t, uint64_t>> runs;
  for (uint64_t distance = period; distance < 2 * row_of(period); distance += period) {
    const uint64_t row = row_of(distance);
    const uint64_t end =
        distance == period ? words : std::min(words, distance + 6 * row_of(period));
    if (row + least > end) continue;
    runs.emplace(row, end - row);
  }
  return runs;
}

TEST(Repeats, ARowHasTheRedundantRunsOfItsFirstPlaces) {
  for (const uint64_t period : {1, 2, 3, 5}) {
    for (const uint32_t least : {4, 5, 6, 7, 8}) {
      for (uint64_t words = least; words < 130; ++words) {
        std::vector<uint64_t> text;
        for (uint64_t i = 0; i < words; ++i) text.push_back(Mix64(i % period));
        std::set<std::pair<uint64_t, uint64_t>> found;
        for (const auto& [place, length, earlier] : Finding({text}, least).redundant) {
          found.emplace(place.second, length);
        }
        ASSERT_EQ(found, RunsOfRow(period, least, words))
            << "period " << period << ", least " << least << ", " << words << " words";
      }
    }
  }
}

/// Texts of rows that repeat few words over and over, some of them twice, some cut short.
Texts TextsOfRows(std::mt19937* random) {
  const auto number = [&](uint64_t below) { return (*random)() % below; };
  uint64_t fresh = 1000;
  Texts texts(1 + number(3));
  for (auto& text : texts) {
    for (uint64_t rows = 1 + number(4); rows > 0; --rows) {
      const uint64_t first = number(3), period = 1 + number(4), words = 2 + number(60);
      for (uint64_t i = 0; i < words; ++i) text.push_back(Mix64(first + i % period));
      for (uint64_t i = number(4); i > 0; --i) text.push_back(Mix64(fresh++));
    }
  }
  return texts;
}

TEST(Repeats, RowsLoseEachRunThatIsEarlierWithoutOverlap) {
  std::mt19937 random(29);
  for (int round = 0; round < 600; ++round) {
    const auto least = static_cast<uint32_t>(2 + random() % 8);
    const Texts texts = TextsOfRows(&random);
    std::set<At> gone;
    for (const auto& [place, words, earlier] : Finding(texts, least).redundant) {
      for (uint64_t i = 0; i < words; ++i) gone.emplace(place.first, place.second + i);
    }
    for (const At& a : AllPlaces(texts)) {
      for (const At& b : AllPlaces(texts)) {
        const bool is_earlier =
            b.first < a.first || (b.first == a.first && b.second + least <= a.second);
        if (!is_earlier || EqualWords(texts, a, b) < least) continue;
        for (uint64_t i = 0; i < least; ++i) {
          ASSERT_TRUE(gone.contains({a.first, a.second + i}))
              << "round " << round << ", least " << least << ", text " << a.first << ", word "
              << a.second;
        }
      }
    }
  }
}

TEST(Repeats, ALongRowHasFewRedundantRuns) {
  for (const uint64_t period : {1, 3}) {
    constexpr uint64_t kWords = 3000;
    constexpr uint32_t kLeast = 30;
    std::vector<uint64_t> text;
    for (uint64_t i = 0; i < kWords; ++i) text.push_back(Mix64(i % period));
    const auto redundant = Finding({text}, kLeast).redundant;
    std::set<uint64_t> gone;
    for (const auto& [place, length, earlier] : redundant) {
      for (uint64_t i = 0; i < length; ++i) gone.insert(place.second + i);
    }
    EXPECT_EQ(gone.size(), kWords - kLeast);
    EXPECT_LE(redundant.size(), period * kWords / 2);
  }
}

TEST(Repeats, ATextLosesAllThatItHasEarlier) {
  Texts texts(1);
  const auto add = [&](std::initializer_list<uint64_t> runs) {
    for (const uint64_t run : runs) {
      for (uint64_t word = 0; word < 10; ++word) texts[0].push_back(Mix64(100 * run + word));
    }
    texts[0].push_back(Mix64(1000 + texts[0].size()));
  };
  add({1});
  add({1, 2});  // the first run goes
  add({1, 2});  // both go
  std::set<uint64_t> gone, wanted;
  for (const auto& [place, words, earlier] : Finding(texts, 10).redundant) {
    for (uint64_t i = 0; i < words; ++i) gone.insert(place.second + i);
  }
  for (uint64_t word = 11; word < 21; ++word) wanted.insert(word);
  for (uint64_t word = 32; word < 52; ++word) wanted.insert(word);
  EXPECT_EQ(gone, wanted);
}

TEST(Repeats, TheFirstPlacesAreListed) {
  std::mt19937 random(17);
  for (int round = 0; round < 150; ++round) {
    const auto least = static_cast<uint32_t>(1 + random() % 8);
    const size_t most = 1 + random() % 5;
    const Texts texts = RandomTexts(&random, 2 + random() % 40, 1 + random() % 3);
    const DocNumber reference = random() % texts.size();
    const Finding found(texts, least, reference, most);
    const Oracle oracle(texts, least, reference);
    ASSERT_EQ(found.passages.size(), oracle.passages.size());
    for (const auto& [words, all] : oracle.passages) {
      std::vector<At> places(all.begin(), all.end());
      std::ranges::sort(places, {}, [&](At at) { return std::pair(at.first < reference, at); });
      places.resize(std::min(most, places.size()));
      ASSERT_EQ(found.passages.at(words), std::set<At>(places.begin(), places.end()))
          << "round " << round << ", most " << most;
      ASSERT_EQ(found.counts.at(words), all.size());
    }
  }
}

TEST(Repeats, RedundantRunsNameTheFirstPlace) {
  for (const uint64_t words : {10, 11, 14}) {
    Texts texts;
    for (uint64_t i = 0; i < 40; ++i) {
      texts.push_back({Mix64(1000 + i)});
      for (uint64_t word = 0; word < words; ++word) texts.back().push_back(Mix64(word));
      texts.back().push_back(Mix64(2000 + i));
    }
    const Finding found(texts, 10);
    EXPECT_EQ(found.redundant.size(), 39);
    for (const auto& [place, length, earlier] : found.redundant) {
      EXPECT_EQ(earlier, At(0, 1));
      EXPECT_EQ(length, words);
    }
  }
}

TEST(Repeats, OfTwoPlacesThatHaveAsMuchTheEarlierIsNamed) {
  Texts texts(4);
  for (uint64_t word = 0; word < 14; ++word) {
    for (size_t i = word < 10 ? 0 : 1; i < 4; ++i) texts[i].push_back(Mix64(word));
  }
  texts[1].push_back(1);  // before and after the last text, by the next words
  texts[2].push_back(3);
  texts[3].push_back(2);
  const std::tuple<At, uint64_t, At> wanted = {{3, 0}, 14, {1, 0}};
  const Finding found(texts, 10);
  EXPECT_EQ(std::ranges::count(found.redundant, wanted), 1);
  // The very first place has less of it, but is never cut itself.
  const std::tuple<At, uint64_t, At> first = {{3, 0}, 10, {0, 0}};
  EXPECT_EQ(std::ranges::count(found.redundant, first), 1);
}

TEST(Repeats, ARunIsRedundantOnceForTheLongestThatIsEarlier) {
  for (uint64_t seed = 0; seed < 2000; seed += 100) {
    Texts texts;
    for (const uint64_t before : {50, 50, 51}) {
      texts.push_back({Mix64(seed + before)});
      for (uint64_t word = 0; word < 10; ++word) texts.back().push_back(Mix64(seed + word));
      texts.back().push_back(Mix64(seed + 60 + texts.size()));
    }
    const Finding found(texts, 10);
    ASSERT_EQ(found.redundant.size(), 2) << "seed " << seed;
    const std::set<std::tuple<At, uint64_t, At>> runs(found.redundant.begin(),
                                                      found.redundant.end());
    EXPECT_TRUE(runs.contains({{1, 0}, 11, {0, 0}}));
    EXPECT_TRUE(runs.contains({{2, 1}, 10, {0, 1}}));
  }
}

TEST(Repeats, WhatIsInTheReferenceIsNotRedundant) {
  std::mt19937 random(19);
  for (int round = 0; round < 300; ++round) {
    const Texts texts = RandomTexts(&random, 2 + random() % 40, 1 + random() % 3);
    const DocNumber reference = random() % texts.size();
    const Finding found(texts, static_cast<uint32_t>(1 + random() % 8), reference);
    for (const auto& [place, words, earlier] : found.redundant) {
      ASSERT_GE(place.first, reference);
    }
  }
}

TEST(Repeats, ManyPlacesOfOneRunAreOnePassage) {
  Texts texts;
  std::vector<uint64_t> run;
  for (uint64_t i = 0; i < 60; ++i) run.push_back(Mix64(i));
  for (uint64_t i = 0; i < 20000; ++i) {
    texts.push_back({Mix64(1000 + 2 * i)});
    texts.back().insert(texts.back().end(), run.begin(), run.end());
    texts.back().push_back(Mix64(1001 + 2 * i));
  }
  const Finding found(texts, 50);
  ASSERT_EQ(found.passages.size(), 1);
  EXPECT_EQ(found.passages.begin()->second.size(), 20000);
  EXPECT_EQ(found.redundant.size(), 19999);
}

TEST(TextParts, PartsReachAroundTheirSamples) {
  PartFinder finder(3, 5);
  EXPECT_EQ(finder.size(), 0);
  EXPECT_EQ(finder.Add(0, 1), 1);    // from word 0, as there are no words before it
  EXPECT_EQ(finder.Add(0, 9), 9);    // from word 6, to which the first one reaches
  EXPECT_EQ(finder.Add(0, 18), 18);  // from word 15; position 14 is that after the last word
  EXPECT_EQ(finder.Add(1, 10), 27);
  EXPECT_EQ(finder.size(), 33);
  ASSERT_EQ(finder.parts().size(), 3);
  EXPECT_EQ(finder.parts()[0].words, 14);
  EXPECT_EQ(finder.parts()[1].word, 15);
  EXPECT_EQ(finder.parts()[1].words, 8);
  EXPECT_EQ(finder.parts()[2].word, 7);
  EXPECT_EQ(finder.parts()[2].first, 24);
}

TEST(TextParts, CountEqualWordsWithinParts) {
  std::mt19937 random(23);
  for (int round = 0; round < 40; ++round) {
    const Texts texts = RandomTexts(&random, 1 + random() % 3, 2);
    PartFinder finder(static_cast<uint32_t>(1 + random() % 5),
                      static_cast<uint32_t>(1 + random() % 20));
    for (DocNumber doc = 0; doc < texts.size(); ++doc) {
      for (uint32_t word = 0; word < texts[doc].size();
           word += static_cast<uint32_t>(1 + random() % 20)) {
        finder.Add(doc, word);
      }
    }
    std::vector<uint64_t> hashes(finder.size());
    TextParts parts(finder.parts(), hashes);
    for (DocNumber doc = 0; doc < texts.size(); ++doc) parts.Fill(doc, texts[doc]);
    std::vector<std::pair<const TextPart*, uint64_t>> places;  // from the front to the end
    for (const TextPart& bound : finder.parts()) {
      const TextPart& part = parts.At(bound.first);
      EXPECT_EQ(part.words, std::min<uint64_t>(bound.words, texts[part.doc].size() - part.word));
      for (uint64_t i = 0; i <= part.words; ++i) places.emplace_back(&part, i);
    }
    const auto word_of = [&](const TextPart& part, uint64_t i) {
      return texts[part.doc][part.word + i];
    };
    for (const auto& [a, i] : places) {
      const auto& [b, j] = places[random() % places.size()];
      uint64_t after = 0, before = 0;
      while (i + after < a->words && j + after < b->words &&
             word_of(*a, i + after) == word_of(*b, j + after)) {
        ++after;
      }
      ASSERT_EQ(parts.CountEqualAfter(a->first + i, a->end(), b->first + j, b->end()), after);
      const uint64_t most = random() % 20;
      while (before < std::min({most, i, j}) &&
             word_of(*a, i - before - 1) == word_of(*b, j - before - 1)) {
        ++before;
      }
      ASSERT_EQ(parts.CountEqualBefore(a->first + i, a->first, b->first + j, b->first, most),
                before);
    }
  }
}

TEST(TextParts, AWordWhoseHashIsThePrimeIsLikeAnyOther) {
  const std::vector<uint64_t> text = {(uint64_t{1} << 61) - 1, 7, (uint64_t{1} << 61) - 1, 9};
  PartFinder finder(0, 4);
  finder.Add(0, 0);
  std::vector<uint64_t> hashes(finder.size());
  TextParts parts(finder.parts(), hashes);
  parts.Fill(0, text);
  EXPECT_EQ(parts.CountEqualAfter(0, 4, 2, 4), 1);
  EXPECT_EQ(parts.CountEqualBefore(1, 0, 3, 0, 4), 1);
}

TEST(RunSamples, AHashIsOfAllWordsInTheirOrder) {
  RunSampler sampler({.length = 80, .window = 1});
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i < 80; ++i) words.push_back(Mix64(i));
  std::set<uint64_t> hashes = {sampler.Sample(words).front().hash};
  for (size_t i = 0; i < words.size(); ++i) {
    auto other = words;
    other[i] = Mix64(1000 + i);
    EXPECT_TRUE(hashes.insert(sampler.Sample(other).front().hash).second) << i;
    if (i == 0) continue;
    other = words;
    std::swap(other[i - 1], other[i]);
    EXPECT_TRUE(hashes.insert(sampler.Sample(other).front().hash).second) << i;
  }
}

TEST(RunSamples, AWindowGivesTheSameWhateverIsAround) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> run(40);
  std::ranges::generate(run, [&] { return Mix64(random() % 9); });
  const RunSampling sampling = RunSampling::ForRunsOf(40);
  std::set<uint64_t> common;
  for (int round = 0; round < 50; ++round) {
    std::vector<uint64_t> text(round);
    std::ranges::generate(text, [&] { return Mix64(random() % 9); });
    text.insert(text.end(), run.begin(), run.end());
    for (int i = 0; i < 30; ++i) text.push_back(Mix64(random() % 9));
    RunSampler sampler(sampling);
    std::set<uint64_t> hashes;
    for (const RunSample& sample : sampler.Sample(text)) {
      if (sample.word >= static_cast<uint32_t>(round)) hashes.insert(sample.hash);
    }
    if (round == 0) common = hashes;
    std::erase_if(common, [&](uint64_t hash) { return !hashes.contains(hash); });
  }
  EXPECT_FALSE(common.empty());
}

/// Blocks of hashes in memory.
class FewBlocks : public HashBlocks {
 public:
  void Read(uint64_t number, uint64_t* to) override {
    ++reads;
    const uint64_t begin = number * kBlock;
    const uint64_t end = std::min<uint64_t>(begin + kBlock, hashes.size());
    std::copy(hashes.begin() + static_cast<ptrdiff_t>(begin),
              hashes.begin() + static_cast<ptrdiff_t>(end), to);
  }

  std::vector<uint64_t> hashes;
  uint64_t reads = 0;
};

TEST(TextParts, HashesInBlocksAreAsThoseInMemory) {
  std::mt19937 draw(3);
  PartFinder finder(5, 9);
  std::vector<std::vector<uint64_t>> texts;
  for (DocNumber doc = 0; doc < 40; ++doc) {
    auto& words = texts.emplace_back(10 + draw() % 60);
    for (uint64_t& word : words) word = draw() % 2;
    // The last part may reach further than its text.
    finder.Add(doc, 3);
    finder.Add(doc, static_cast<uint32_t>(words.size()) - 2);
  }
  std::vector<uint64_t> memory(finder.size());
  TextParts whole(finder.parts(), memory);
  FewBlocks blocks;
  TextParts paged(finder.parts(), &blocks, 3 * 8 * (HashBlocks::kBlock + 1));
  for (DocNumber doc = 0; doc < texts.size(); ++doc) {
    whole.Fill(doc, texts[doc]);
    paged.AppendHashes(doc, texts[doc], &blocks.hashes);
  }
  ASSERT_EQ(blocks.hashes.size(), finder.size());
  for (int i = 0; i < 2000; ++i) {
    const uint64_t a = draw() % finder.size(), b = draw() % finder.size();
    const TextPart &part_a = whole.At(a), &part_b = whole.At(b);
    ASSERT_EQ(paged.At(a).words, part_a.words);
    if (a > part_a.end() || b > part_b.end()) continue;
    EXPECT_EQ(whole.CountEqualAfter(a, part_a.end(), b, part_b.end()),
              paged.CountEqualAfter(a, part_a.end(), b, part_b.end()));
    EXPECT_EQ(whole.CountEqualBefore(a, part_a.first, b, part_b.first, 4),
              paged.CountEqualBefore(a, part_a.first, b, part_b.first, 4));
  }
  EXPECT_GT(blocks.reads, 10);
}

}  // namespace
}  // namespace lookalike
