#include "stages/features/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "text/utf8.h"

namespace lookalike {
namespace {

constexpr auto kNoWord = static_cast<uint8_t>(WordClass::kNone);
constexpr auto kWord = static_cast<uint8_t>(WordClass::kWord);
constexpr auto kUnspacedWord = static_cast<uint8_t>(WordClass::kAlone);

struct WordRange {
  uint32_t first, last;
  bool unspaced;
};

constexpr WordRange kWordRanges[] = {
#include "stages/features/word_table.inc"
};

constexpr uint32_t kCodePoints = 0x110000;
constexpr uint32_t kPageBits = 7;
constexpr uint32_t kPageSize = 1U << kPageBits;
constexpr size_t kBlock = 64;

/// The class of every code point: a page number for each 128 of them, equal pages stored once.
class WordTable {
 public:
  WordTable() {
    std::vector<uint8_t> flat(kCodePoints, kNoWord);
    for (const WordRange& range : kWordRanges) {
      std::fill(flat.begin() + range.first, flat.begin() + range.last + 1,
                range.unspaced ? kUnspacedWord : kWord);
    }
    for (uint32_t page = 0; page < page_of_.size(); ++page) AddPage(page, &flat[page * kPageSize]);
  }

  [[nodiscard]] uint8_t ClassOf(char32_t code_point) const {
    return classes_[page_of_[code_point >> kPageBits] * kPageSize + code_point % kPageSize];
  }

 private:
  void AddPage(uint32_t page, const uint8_t* classes) {
    for (size_t known = 0; known < classes_.size(); known += kPageSize) {
      if (std::equal(classes, classes + kPageSize, &classes_[known])) {
        page_of_[page] = static_cast<uint16_t>(known / kPageSize);
        return;
      }
    }
    page_of_[page] = static_cast<uint16_t>(classes_.size() / kPageSize);
    classes_.insert(classes_.end(), classes, classes + kPageSize);
  }

  std::array<uint16_t, kCodePoints / kPageSize> page_of_{};
  std::vector<uint8_t> classes_;
};

const WordTable& Table() {
  static const WordTable& table = *new WordTable;
  return table;
}

constexpr uint64_t Repeat(uint64_t byte) { return byte * 0x0101010101010101; }

uint64_t LoadEight(const char* bytes) {
  uint64_t eight;
  std::memcpy(&eight, bytes, sizeof eight);
  return eight;
}

bool IsAsciiBlock(const char* bytes) {
  uint64_t all = 0;
  for (size_t i = 0; i < kBlock; i += 8) all |= LoadEight(bytes + i);
  return (all & Repeat(0x80)) == 0;
}

/// Sets bit i if byte i of the 64 at `bytes`, all ASCII, is one of [0-9A-Za-z_]. Works on eight
/// bytes at a time and keeps each answer in the highest bit of its byte: x + (0x80 - low) has it
/// set if x >= low, and no sum carries into the next byte.
uint64_t AsciiWordBits(const char* bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < kBlock; i += 8) {
    const uint64_t x = LoadEight(bytes + i);
    const uint64_t folded = x | Repeat(0x20);
    const uint64_t letter = (folded + Repeat(0x80 - 'a')) & ~(folded + Repeat(0x80 - 'z' - 1));
    const uint64_t digit = (x + Repeat(0x80 - '0')) & ~(x + Repeat(0x80 - '9' - 1));
    const uint64_t underscore = Repeat(0x80) - (x ^ Repeat('_'));
    const uint64_t word = (letter | digit | underscore) & Repeat(0x80);
    bits |= ((word >> 7) * 0x0102040810204080 >> 56) << i;
  }
  return bits;
}

/// Collects words block by block. Begins and ends are found and stored independently of one
/// another: the n-th begin and the n-th end make a word, and between blocks at most one end is
/// still missing.
class WordFinder {
 public:
  WordFinder(std::string_view text, std::vector<ByteSpan>* words)
      : text_(text), table_(Table()), words_(words) {}

  void Run() {
    const auto size = static_cast<uint32_t>(text_.size());
    words_->resize(size / 8 + kBlock);  // English has about one word per seven bytes.
    for (uint32_t at = 0; at < size;) {
      const uint32_t end = size - at < kBlock ? size : at + kBlock;
      at = IsAsciiBlock(text_.data() + at) ? ReadAsciiBlock(at, end) : ReadCodePoints(at, end);
    }
    words_->resize(begins_);
    if (ends_ < begins_) words_->back().end = size;
  }

 private:
  uint32_t ReadAsciiBlock(uint32_t at, uint32_t end) {
    const uint64_t in_text = ~uint64_t{0} >> (kBlock - (end - at));
    const uint64_t bits = AsciiWordBits(text_.data() + at) & in_text;
    const uint64_t before = bits << 1 | (last_ == kWord ? 1 : 0);
    const uint64_t ends = (~bits & before) | (last_ == kUnspacedWord ? 1 : 0);
    Store(at, bits & ~before, ends & in_text);
    last_ = (bits >> (end - at - 1) & 1) != 0 ? kWord : kNoWord;
    return end;
  }

  /// Reads code points, up to the first code point that begins at or after `end`.
  uint32_t ReadCodePoints(uint32_t at, uint32_t end) {
    const uint32_t first = at;
    uint64_t begins = 0, ends = 0;
    unsigned last = last_;
    while (at < end) {
      const CodePoint code_point = ReadValidCodePoint(text_.data() + at);
      const unsigned now = table_.ClassOf(code_point.value);
      const bool inside = now == kWord && last == kWord;
      begins |= uint64_t{now != kNoWord && !inside} << (at - first);
      ends |= uint64_t{last != kNoWord && !inside} << (at - first);
      last = now;
      at += code_point.length;
    }
    last_ = last;
    Store(first, begins, ends);
    return at;
  }

  /// Stores words. Bit i of `begins` and `ends`: a word begins, or has ended, before byte `at` + i.
  void Store(uint32_t at, uint64_t begins, uint64_t ends) {
    if (words_->size() < begins_ + kBlock) words_->resize(words_->size() * 2);
    ByteSpan* const words = words_->data();
    size_t next = begins_;
    for (; begins != 0; begins &= begins - 1) {
      words[next++].begin = at + static_cast<uint32_t>(std::countr_zero(begins));
    }
    begins_ = next;
    next = ends_;
    for (; ends != 0; ends &= ends - 1) {
      words[next++].end = at + static_cast<uint32_t>(std::countr_zero(ends));
    }
    ends_ = next;
  }

  std::string_view text_;
  const WordTable& table_;
  std::vector<ByteSpan>* words_;
  size_t begins_ = 0, ends_ = 0;
  unsigned last_ = kNoWord;  ///< Class of the code point before the next block.
};

/// True for the characters that are cut off at the ends: white space and the information
/// separators.
bool IsTrimmed(char32_t c) { return IsWhiteSpace(c) || (c >= 0x1C && c <= 0x1F); }

}  // namespace

bool IsWhiteSpace(char32_t c) {
  if (c < 0x85) return c == ' ' || (c >= '\t' && c <= '\r');
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

WordClass WordClassOf(char32_t code_point) {
  return static_cast<WordClass>(Table().ClassOf(code_point));
}

void FindWords(std::string_view normalized, std::vector<ByteSpan>* words) {
  WordFinder(normalized, words).Run();
}

void FindCharacters(std::string_view normalized, std::vector<char32_t>* values,
                    std::vector<ByteSpan>* spans) {
  const size_t code_points = CountCodePoints(normalized);
  values->resize(code_points);
  spans->resize(code_points);
  char32_t* const value = values->data();
  ByteSpan* const span = spans->data();
  size_t units = 0, kept = 0;  // `kept`: units up to the last that is not trimmed.
  const auto size = static_cast<uint32_t>(normalized.size());
  for (uint32_t at = 0; at < size;) {
    const CodePoint code_point = ReadValidCodePoint(normalized.data() + at);
    const uint32_t end = at + code_point.length;
    if (!IsTrimmed(code_point.value)) {
      value[units] = code_point.value;
      span[units++] = {at, end};
      kept = units;
    } else if (kept > 0) {
      const bool blank = IsWhiteSpace(code_point.value);
      if (blank && value[units - 1] == U' ') {
        span[units - 1].end = end;
      } else {
        value[units] = blank ? U' ' : code_point.value;
        span[units++] = {at, end};
      }
    }
    at = end;
  }
  values->resize(kept);
  spans->resize(kept);
}

}  // namespace lookalike
