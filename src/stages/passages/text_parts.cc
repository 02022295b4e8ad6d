#include "stages/passages/text_parts.h"

#include <algorithm>
#include <utility>

namespace lookalike {
namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
/// The value at which the polynomial is taken; any number below the prime that has no pattern.
constexpr uint64_t kBase = 0x0E3779B97F4A7C15;

uint64_t Reduce(uint64_t value) {
  value = (value & kPrime) + (value >> 61);
  return value >= kPrime ? value - kPrime : value;
}

uint64_t Multiply(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return Reduce((static_cast<uint64_t>(product) & kPrime) + static_cast<uint64_t>(product >> 61));
}

uint64_t Subtract(uint64_t a, uint64_t b) { return a >= b ? a - b : a + kPrime - b; }

}  // namespace

uint64_t PartFinder::Add(DocNumber doc, uint32_t word) {
  const uint32_t begin = word - std::min(word, before_);
  const bool joins = !parts_.empty() && parts_.back().doc == doc &&
                     begin <= parts_.back().word + parts_.back().words;
  if (!joins) parts_.push_back({.doc = doc, .word = begin, .words = 0, .first = size()});
  TextPart& part = parts_.back();
  part.words = word + after_ - part.word;
  return part.first + (word - part.word);
}

TextParts::TextParts(std::vector<TextPart> parts, std::span<uint64_t> hashes)
    : parts_(std::move(parts)), hashes_(hashes) {
  SetFactors();
}

TextParts::TextParts(std::vector<TextPart> parts, HashBlocks* blocks, uint64_t cache_bytes)
    : parts_(std::move(parts)), blocks_(blocks) {
  SetFactors();
  const uint64_t count =
      std::max<uint64_t>(1, cache_bytes / ((HashBlocks::kBlock + 1) * sizeof(uint64_t)));
  cached_.resize(count * HashBlocks::kBlock);
  numbers_.resize(count);
}

void TextParts::SetFactors() {
  factors_[0] = kBase;
  for (size_t i = 1; i < factors_.size(); ++i) {
    factors_[i] = Multiply(factors_[i - 1], factors_[i - 1]);
  }
}

void TextParts::Fill(DocNumber doc, std::span<const uint64_t> words) {
  auto part = std::ranges::lower_bound(parts_, doc, {}, &TextPart::doc);
  for (; part != parts_.end() && part->doc == doc; ++part) {
    FillPart(&*part, words, hashes_.data() + part->first);
  }
}

void TextParts::AppendHashes(DocNumber doc, std::span<const uint64_t> words,
                             std::vector<uint64_t>* hashes) {
  auto part = std::ranges::lower_bound(parts_, doc, {}, &TextPart::doc);
  for (; part != parts_.end() && part->doc == doc; ++part) {
    const size_t begin = hashes->size();
    hashes->resize(begin + part->words + 1);  // before the part gets shorter
    FillPart(&*part, words, hashes->data() + begin);
  }
}

/// Sets the number of words of a part of a text, and the hashes of its positions.
void TextParts::FillPart(TextPart* part, std::span<const uint64_t> words, uint64_t* to) const {
  const size_t left = words.size() - std::min<size_t>(words.size(), part->word);
  part->words = static_cast<uint32_t>(std::min<size_t>(part->words, left));
  uint64_t hash = 0;
  *to = 0;
  for (const uint64_t word : words.subspan(words.size() - left, part->words)) {
    hash = Reduce(Multiply(hash, kBase) + Reduce(word));
    *++to = hash;
  }
}

uint64_t TextParts::ReadBefore(uint64_t position) const {
  const uint64_t block = position / HashBlocks::kBlock;
  const uint64_t place = block % numbers_.size();
  uint64_t* const hashes = cached_.data() + place * HashBlocks::kBlock;
  if (numbers_[place] != block + 1) {
    blocks_->Read(block, hashes);
    numbers_[place] = block + 1;
  }
  return hashes[position % HashBlocks::kBlock];
}

const TextPart& TextParts::At(uint64_t position) const {
  const auto after = std::ranges::upper_bound(parts_, position, {}, &TextPart::first);
  return *(after - 1);
}

uint64_t TextParts::Hash(uint64_t position, uint32_t level) const {
  return Subtract(Before(position + (uint64_t{1} << level)),
                  Multiply(Before(position), factors_[level]));
}

uint64_t TextParts::CountEqualAfter(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end) const {
  const uint64_t most = std::min(a_end - a, b_end - b);
  uint64_t equal = 0;
  uint32_t level = 0;
  const auto step = [&] {
    const uint64_t words = uint64_t{1} << level;
    if (equal + words > most || Hash(a + equal, level) != Hash(b + equal, level)) return false;
    equal += words;
    return true;
  };
  while (level + 1 < factors_.size() && step()) ++level;
  for (++level; level-- > 0;) {
    while (step()) {
    }
  }
  return equal;
}

uint64_t TextParts::CountEqualBefore(uint64_t a, uint64_t a_first, uint64_t b, uint64_t b_first,
                                     uint64_t most) const {
  most = std::min({most, a - a_first, b - b_first});
  uint64_t equal = 0;
  for (uint32_t level = 32 - static_cast<uint32_t>(__builtin_clz(static_cast<uint32_t>(most) | 1));
       level-- > 0;) {
    const uint64_t words = uint64_t{1} << level;
    if (equal + words > most) continue;
    const uint64_t back = equal + words;
    if (Hash(a - back, level) == Hash(b - back, level)) equal = back;
  }
  return equal;
}

}  // namespace lookalike
