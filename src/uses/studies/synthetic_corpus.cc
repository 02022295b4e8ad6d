#include "uses/studies/synthetic_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "kernels/splitmix.h"

namespace lookalike {
namespace {

constexpr uint32_t kVocabulary = 1 << 15;
constexpr uint32_t kDrawBits = 18;
constexpr uint32_t kStockSentences = 512;
constexpr uint32_t kNotices = 64;

// Lengths in words at the quantiles 0, 1/32, ..., 1 of a log-normal distribution (median 150, sigma
// .85), with its ends cut at .002 and .998.
constexpr std::array<uint32_t, 33> kLengths = {
    13,  31,  41,  49,  56,  64,  71,  78,  85,  92,  99,  107, 114, 123, 131, 140, 150,
    160, 171, 184, 197, 211, 227, 245, 266, 290, 319, 354, 399, 460, 553, 731, 1732};

// The purpose of a stream of random numbers; each purpose has its own stream.
enum class Purpose : uint64_t { kWord, kSource, kText, kEdit, kStock, kNotice };

// A random generator with its own distributions, because standard libraries implement theirs
// differently.
class Random : SplitMix64 {
 public:
  Random(uint64_t seed, Purpose purpose, uint64_t number)
      : SplitMix64(Mix64(Mix64(seed + kGolden * (1 + static_cast<uint64_t>(purpose))) + number)) {}

  // Returns a uniform number below `bound`, which is at most 2^32.
  uint64_t Below(uint64_t bound) { return ((Next() >> 32) * bound) >> 32; }
  bool OneIn(uint64_t n) { return Below(n) == 0; }
};

constexpr std::string_view kOnsets[] = {"b",  "c",  "d",  "f",  "g",  "h",  "j",  "l", "m",  "n",
                                        "p",  "r",  "s",  "t",  "v",  "w",  "",   "",  "ch", "sh",
                                        "th", "st", "pr", "tr", "br", "gr", "pl", "cl"};
constexpr std::string_view kVowels[] = {"a", "e", "i", "o", "u", "ai", "ea", "ou", "ie", "oo"};
constexpr std::string_view kAccented[] = {"é", "ü", "ö", "á", "í", "ø", "å", "ê"};
constexpr std::string_view kCodas[] = {"",  "",  "",  "n", "r",  "s",  "t",  "l",
                                       "m", "d", "k", "p", "nd", "st", "ng", "rt"};

template <size_t N>
std::string_view Pick(Random* random, const std::string_view (&from)[N]) {
  return from[random->Below(N)];
}

// Makes a pronounceable word; frequent words are short, and one in forty has an accent.
std::string MakeWord(uint32_t rank) {
  Random random(0, Purpose::kWord, rank);
  const uint64_t least = rank < 400 ? 1 : 2, spread = rank < 3000 ? 2 : 3;
  const uint64_t syllables = least + random.Below(spread);
  const uint64_t accented = random.OneIn(40) ? random.Below(syllables) : syllables;
  std::string word;
  for (uint64_t i = 0; i < syllables; ++i) {
    word += Pick(&random, kOnsets);
    word += i == accented ? Pick(&random, kAccented) : Pick(&random, kVowels);
    if (i + 1 == syllables || random.OneIn(3)) word += Pick(&random, kCodas);
  }
  return word;
}

// Makes the table of draws, in which word r has weight 1 / (r + 3).
std::vector<uint16_t> MakeDraws() {
  constexpr uint64_t kScale = 1'000'000'000;
  uint64_t total = 0;
  for (uint64_t rank = 0; rank < kVocabulary; ++rank) total += kScale / (rank + 3);
  std::vector<uint16_t> draws(uint64_t{1} << kDrawBits);
  uint64_t rank = 0, reached = kScale / 3;
  for (uint64_t draw = 0; draw < draws.size(); ++draw) {
    while (reached <= (draw * total) >> kDrawBits) reached += kScale / (++rank + 3);
    draws[draw] = static_cast<uint16_t>(rank);
  }
  return draws;
}

struct Token {
  uint32_t word = 0;  // From kVocabulary on: the number word - kVocabulary.
  bool capital = false;
  char punctuation = 0;  // After the word; 0: none.
  char separator = ' ';  // After that; '\n' ends a line.
};

enum class Style : uint64_t { kPlain, kCapitals, kBare, kSpaced, kCount };

struct Draft {
  std::vector<Token> tokens;
  Style style = Style::kPlain;
};

// A writer and editor of drafts that uses one stream of random numbers.
class Writer {
 public:
  Writer(uint64_t seed, const std::vector<uint16_t>& draws, Random random)
      : seed_(seed), draws_(draws), random_(random) {}

  Draft WriteNew() {
    Draft draft;
    const uint64_t length = DrawLength();
    while (draft.tokens.size() < length) AppendSentence(&draft.tokens);
    draft.tokens.resize(length);
    draft.tokens.back().punctuation = '.';
    return draft;
  }

  // Writes new sentences, for stock sentences and notices.
  std::vector<Token> WriteSentences(uint64_t count) {
    std::vector<Token> tokens;
    for (uint64_t i = 0; i < count; ++i) AppendOwnSentence(&tokens);
    return tokens;
  }

  void Change(Draft* draft) {
    const uint64_t kind = random_.Below(100);
    if (kind < 12) return;
    if (kind < 24) {
      const auto styles = static_cast<uint64_t>(Style::kCount);
      const uint64_t step = 1 + random_.Below(styles - 1);
      draft->style = static_cast<Style>((static_cast<uint64_t>(draft->style) + step) % styles);
    } else if (kind < 68) {
      EditWords(&draft->tokens);
    } else if (kind < 84) {
      EditBlock(&draft->tokens);
    } else {
      Wrap(&draft->tokens);
    }
  }

 private:
  using Tokens = std::vector<Token>;

  uint64_t DrawLength() {
    const uint64_t at = random_.Below(32 << 11), step = at >> 11, part = at & 2047;
    const uint64_t low = kLengths[step], high = kLengths[step + 1];
    return low + (((high - low) * part) >> 11);
  }

  Token DrawWord() {
    if (random_.OneIn(50)) {
      return {.word = kVocabulary + static_cast<uint32_t>(random_.Below(100000))};
    }
    return {.word = draws_[random_.Below(uint64_t{1} << kDrawBits)]};
  }

  void AppendOwnSentence(Tokens* tokens) {
    const uint64_t length = 4 + random_.Below(18);
    const size_t first = tokens->size();
    for (uint64_t i = 0; i < length; ++i) {
      tokens->push_back(DrawWord());
      if (random_.OneIn(12)) tokens->back().punctuation = ',';
    }
    (*tokens)[first].capital = true;
    Token& last = tokens->back();
    last.punctuation = random_.OneIn(12) ? '?' : random_.OneIn(20) ? '!' : '.';
    if (random_.OneIn(6)) last.separator = '\n';
  }

  // Appends a sentence; some sentences are shared by many documents, as in a crawl.
  void AppendSentence(Tokens* tokens) {
    if (!random_.OneIn(40)) return AppendOwnSentence(tokens);
    const Random stock(seed_, Purpose::kStock, random_.Below(kStockSentences));
    const Tokens sentence = Writer(seed_, draws_, stock).WriteSentences(1);
    tokens->insert(tokens->end(), sentence.begin(), sentence.end());
  }

  // Draws a resemblance to aim at, in thousandths, uniform over [.5, 1).
  uint64_t DrawTarget() { return 500 + random_.Below(500); }

  // Edits single words. One changed word spoils five shingles on both sides, so resemblance r
  // leaves room for (1 - r) / (1 + r) of the shingles.
  void EditWords(Tokens* tokens) {
    const uint64_t target = DrawTarget();
    const uint64_t spoiled = tokens->size() * (1000 - target) / (1000 + target);
    for (uint64_t edit = 0; edit < std::max<uint64_t>(1, (spoiled + 2) / 5); ++edit) {
      const auto at = tokens->begin() + static_cast<ptrdiff_t>(random_.Below(tokens->size()));
      const uint64_t kind = random_.Below(5);
      if (kind == 0) {
        tokens->insert(at, DrawWord());
      } else if (kind == 1 && tokens->size() > 1) {
        tokens->erase(at);
      } else {
        at->word = DrawWord().word;
      }
    }
  }

  // Removes a block, inserts a new one, or moves one.
  void EditBlock(Tokens* tokens) {
    const uint64_t target = DrawTarget(), size = tokens->size();
    const uint64_t kind = random_.Below(3);
    if (kind == 0) {
      Tokens fresh;
      while (fresh.size() * target < size * (1000 - target)) AppendOwnSentence(&fresh);
      tokens->insert(tokens->begin() + static_cast<ptrdiff_t>(random_.Below(size + 1)),
                     fresh.begin(), fresh.end());
      return;
    }
    const uint64_t length =
        std::max<uint64_t>(1, kind == 1 ? size * (1000 - target) / 1000 : size / 4);
    if (length >= size) return;
    const auto first = tokens->begin() + static_cast<ptrdiff_t>(random_.Below(size - length + 1));
    const Tokens block(first, first + static_cast<ptrdiff_t>(length));
    tokens->erase(first, first + static_cast<ptrdiff_t>(length));
    if (kind == 1) return;
    tokens->insert(tokens->begin() + static_cast<ptrdiff_t>(random_.Below(tokens->size() + 1)),
                   block.begin(), block.end());
  }

  // Adds a notice, which other documents may share, before the text, after it, or both.
  void Wrap(Tokens* tokens) {
    const uint64_t target = DrawTarget();
    const uint64_t room = std::max<uint64_t>(3, tokens->size() * (1000 - target) / target);
    const uint64_t sides = 1 + random_.Below(3);
    const Random stock(seed_, Purpose::kNotice, random_.Below(kNotices));
    Tokens notice = Writer(seed_, draws_, stock).WriteSentences(room / 8 + 1);
    notice.resize(std::min<size_t>(notice.size(), sides == 3 ? (room + 1) / 2 : room));
    notice.back().separator = '\n';
    if (sides & 1) tokens->insert(tokens->begin(), notice.begin(), notice.end());
    if (sides & 2) tokens->insert(tokens->end(), notice.begin(), notice.end());
  }

  uint64_t seed_;
  const std::vector<uint16_t>& draws_;
  Random random_;
};

char UpperAscii(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// Appends a token. Style never changes what counts as a word.
void AppendToken(const Token& token, std::string_view word, Style style, std::string* text) {
  const size_t begin = text->size();
  text->append(word);
  if (style == Style::kCapitals) {
    std::transform(text->begin() + static_cast<ptrdiff_t>(begin), text->end(),
                   text->begin() + static_cast<ptrdiff_t>(begin), UpperAscii);
  } else if (token.capital && style != Style::kBare) {
    (*text)[begin] = UpperAscii((*text)[begin]);
  }
  if (style == Style::kBare) {
    text->push_back(' ');
    return;
  }
  if (token.punctuation != 0) text->push_back(token.punctuation);
  text->append(style == Style::kSpaced ? 2 : 1, token.separator);
}

}  // namespace

SyntheticCorpus::SyntheticCorpus(uint64_t seed, double duplicates)
    : seed_(seed),
      duplicates_(static_cast<uint64_t>(std::ldexp(std::clamp(duplicates, 0.0, 1.0), 32))),
      word_of_draw_(MakeDraws()) {
  words_.reserve(kVocabulary);
  for (uint32_t rank = 0; rank < kVocabulary; ++rank) words_.push_back(MakeWord(rank));
}

uint64_t SyntheticCorpus::SourceOf(uint64_t number) const {
  Random random(seed_, Purpose::kSource, number);
  const bool is_made = random.Below(uint64_t{1} << 32) < duplicates_;
  return number > 0 && is_made ? random.Below(number) : number;
}

std::string SyntheticCorpus::Text(uint64_t number) const {
  std::vector<uint64_t> line = {number};
  while (SourceOf(line.back()) != line.back()) line.push_back(SourceOf(line.back()));
  Draft draft = Writer(seed_, word_of_draw_, Random(seed_, Purpose::kText, line.back())).WriteNew();
  for (line.pop_back(); !line.empty(); line.pop_back()) {
    Writer(seed_, word_of_draw_, Random(seed_, Purpose::kEdit, line.back())).Change(&draft);
  }
  std::string text;
  for (const Token& token : draft.tokens) {
    if (token.word < kVocabulary) {
      AppendToken(token, words_[token.word], draft.style, &text);
    } else {
      AppendToken(token, fmt::format_int(token.word - kVocabulary).c_str(), draft.style, &text);
    }
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::string SyntheticId(uint64_t number) { return fmt::format("d{:06}", number + 1); }

}  // namespace lookalike
