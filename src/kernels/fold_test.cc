// The kernels of words on every instruction set of this machine, against plain re-implementations.
// Their results with the Unicode table are tested in src/fingerprint/unicode_fold_test.cc.
#include "kernels/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "isa/forced_isa.h"

namespace lookalike {
namespace {

// A table that must not be used: ASCII is folded without one.
class NoTable : public FoldTable {
 protected:
  [[nodiscard]] std::unique_ptr<FoldPage> Make(char32_t) const override {
    throw std::logic_error("a page was asked for");
  }
};

struct Folded {
  std::string text;
  std::vector<uint32_t> edges;
  bool operator==(const Folded&) const = default;
};

Folded PlainFold(const std::string& text) {
  Folded folded;
  bool inside = false;
  for (uint32_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    folded.text += static_cast<char>(std::tolower(c));
    const bool word = std::isalnum(c) != 0 || c == '_';
    if (word != inside) folded.edges.push_back(i);
    inside = word;
  }
  if (inside) folded.edges.push_back(static_cast<uint32_t>(text.size()));
  return folded;
}

Folded Fold(const std::string& text) {
  const NoTable table;
  const std::string padded = text + std::string(64, 'x');  // word bytes that must not count
  Folded folded;
  folded.text.resize(FoldRoom(text.size()));
  folded.edges.resize(FoldRoom(text.size()));
  const size_t words = FoldWords(std::string_view(padded).substr(0, text.size()), table,
                                 folded.text.data(), folded.edges.data());
  folded.text.resize(text.size());
  folded.edges.resize(2 * words);
  return folded;
}

TEST(FoldTest, FoldWordsOfAsciiBytesOfAllLengths) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(6);
    for (int i = 0; i < 600; ++i) {
      std::string text(i < 200 ? static_cast<size_t>(i) : random() % 700, ' ');
      for (char& c : text) {
        c = static_cast<char>(i % 3 == 0 ? random() % 128 : "aZ_9 .@[`{/:"[random() % 12]);
      }
      if (i % 7 == 0) std::fill(text.begin(), text.end(), 'Q');
      ASSERT_EQ(Fold(text), PlainFold(text)) << text;
    }
  }
}

// Ill-formed text is refused without using the table.
TEST(FoldTest, FoldWordsRefusesIllFormedText) {
  const NoTable table;
  const char* const wrong[] = {
      "\x80",         "\xC0\x80",         "\xC1\xBF",         "\xC3",
      "\xE2\x82",     "\xE0\x9F\xBF",     "\xED\xA0\x80",     "\xED\xBF\xBF",
      "\xF0\x9F\x98", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80",
      "\xFF"};
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    for (const char* bytes : wrong) {
      for (size_t before = 0; before < 140; ++before) {
        for (const size_t after : {0, 1, 2, 3, 70}) {
          const std::string text = std::string(before, 'a') + bytes + std::string(after, 'b');
          std::string out(FoldRoom(text.size()), ' ');
          std::vector<uint32_t> edges(FoldRoom(text.size()));
          ASSERT_EQ(FoldWords(text, table, out.data(), edges.data()), kNotFolded)
              << before << " and " << after;
        }
      }
    }
  }
}

uint64_t PlainHash(const std::string& word) {
  constexpr uint64_t kW0 = 0x2d358dccaa6c78a5ULL;
  if (word.size() > 16) return XXH3_64bits_withSeed(word.data(), word.size(), kW0);
  uint64_t halves[2] = {0, 0};
  std::memcpy(halves, word.data(), word.size());
  uint64_t x = (halves[0] ^ kW0 ^ word.size()) * 0x8bb84b93962eacc9ULL;
  x = ((x ^ (x >> 32)) + halves[1]) * 0x4b33a62ed433d4a3ULL;
  return x ^ (x >> 29);
}

TEST(FoldTest, HashWordsOfEveryLengthAndNumber) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(8);
    for (size_t words = 0; words < 120; ++words) {
      std::string text;
      std::vector<uint32_t> edges;
      std::vector<uint64_t> expected;
      for (size_t i = 0; i < words; ++i) {
        std::string word(1 + random() % (words % 3 == 0 ? 40 : 16), ' ');
        for (char& c : word) c = static_cast<char>(random());
        text += std::string(random() % 3, '\xFF');
        edges.push_back(static_cast<uint32_t>(text.size()));
        text += word;
        edges.push_back(static_cast<uint32_t>(text.size()));
        expected.push_back(PlainHash(word));
      }
      text += std::string(16, '\xEE');
      std::vector<uint64_t> hashes(words + 1, 12345);
      HashWords(text.data(), edges.data(), words, hashes.data());
      expected.push_back(12345);  // nothing is written past the end
      ASSERT_EQ(hashes, expected) << words;
    }
  }
}

// A table that makes pages of letters, each after a delay.
class SlowTable : public FoldTable {
 protected:
  [[nodiscard]] std::unique_ptr<FoldPage> Make(char32_t) const override {
    std::this_thread::yield();
    auto page = std::make_unique<FoldPage>();
    page->entries.fill(FoldEntry::Kept(WordClass::kWord, false));
    return page;
  }
};

TEST(FoldTest, ThreadsShareOneTable) {
  const SlowTable table;
  std::vector<std::vector<const FoldPage*>> seen(4);
  std::vector<std::thread> threads;
  for (auto& pages : seen) {
    threads.emplace_back([&table, &pages] {
      for (char32_t c = 0x80; c < 0x8000; c += 128) pages.push_back(&table.PageOf(c));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& pages : seen) EXPECT_EQ(pages, seen[0]);
}

}  // namespace
}  // namespace lookalike
