#include "fingerprint/fingerprinter.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "kernels/kernels.h"

namespace lookalike {
namespace {

constexpr uint32_t kMaxShingleLength = 64;  // rotations of HashWindows repeat beyond 64

// Odd 64-bit constants without structure (from the digits of sqrt(2) and sqrt(3), made odd).
constexpr uint64_t kWord0 = 0x2d358dccaa6c78a5ULL;
constexpr uint64_t kWord1 = 0x8bb84b93962eacc9ULL;
constexpr uint64_t kWord2 = 0x4b33a62ed433d4a3ULL;

uint64_t Load(const char* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// The low `bytes` bytes of v; bytes <= 8.
uint64_t Low(uint64_t v, size_t bytes) {
  return bytes >= 8 ? v : v & ((uint64_t{1} << (8 * bytes)) - 1);
}

// REQUIRES: 16 readable bytes at p.
uint64_t HashShortWord(const char* p, size_t length) {
  const uint64_t a = Low(Load(p), length);
  const uint64_t b = length <= 8 ? 0 : Low(Load(p + 8), length - 8);
  uint64_t x = (a ^ kWord0 ^ length) * kWord1;
  x ^= x >> 32;
  x = (x + b) * kWord2;
  return x ^ (x >> 29);
}

uint64_t HashWord(const char* p, size_t length) {
  if (length <= 16) return HashShortWord(p, length);
  return XXH3_64bits_withSeed(p, length, kWord0);
}

uint64_t HashCharacter(char32_t c) {
  uint64_t x = (static_cast<uint64_t>(c) ^ kWord2) * kWord1;
  x ^= x >> 32;
  x *= kWord2;
  return x ^ (x >> 29);
}

}  // namespace

Result<ShingleSpec> ParseShingle(std::string_view text) {
  const auto wrong = [&] {
    return Fail("--shingle '" + std::string(text) +
                "' is not understood; give word:N or char:N with N from 1 to 64");
  };
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return wrong();
  ShingleSpec spec;
  const std::string_view unit = text.substr(0, colon);
  if (unit == "char") {
    spec.unit = ShingleSpec::Unit::kChar;
  } else if (unit != "word") {
    return wrong();
  }
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), spec.length);
  if (error != std::errc() || end != digits.data() + digits.size()) return wrong();
  if (spec.length < 1 || spec.length > kMaxShingleLength) return wrong();
  return spec;
}

// ASCII text, which is most text, needs neither the normaliser nor the Unicode tables.
bool Fingerprinter::FoldAscii(std::string_view text) {
  if (folded_.size() < text.size() + 64) {
    folded_.resize(text.size() + 64);
    edges_.resize(text.size() + 64);
  }
  const size_t words = FoldAsciiWords(text.data(), text.size(), folded_.data(), edges_.data());
  if (words == kNotAscii) return false;
  units_.resize(words);
  if (words != 0) std::memcpy(units_.data(), edges_.data(), words * sizeof(ByteSpan));
  return true;
}

void Fingerprinter::HashWords(const char* normalized) {
  unit_hashes_.resize(units_.size());
  for (size_t i = 0; i < units_.size(); ++i) {
    const ByteSpan word = units_[i];
    unit_hashes_[i] = HashWord(normalized + word.begin, word.end - word.begin);
  }
}

std::span<const uint64_t> Fingerprinter::HashShingles() {
  const size_t count = unit_hashes_.size();
  if (count == 0) return {};
  uint64_t mask = seed_ * kWord0;
  const size_t window = spec_.length;
  if (count < window) {  // one shingle of all units, apart from every full-length one
    mask ^= count * kWord2;
    unit_hashes_.resize(window, 0);
  }
  const size_t shingles = unit_hashes_.size() - window + 1;
  if (features_.size() < shingles + 8) features_.resize(shingles + 8);
  HashWindows(unit_hashes_.data(), unit_hashes_.size(), window, mask, features_.data());
  return {features_.data(), shingles};
}

std::span<const uint64_t> Fingerprinter::Features(std::string_view text) {
  if (spec_.unit == ShingleSpec::Unit::kWord && FoldAscii(text)) {
    replaced_invalid_ = false;
    HashWords(folded_.data());
    return HashShingles();
  }
  const std::string_view normalized = normalizer_.Run(text);
  replaced_invalid_ = normalizer_.replaced_invalid();
  return FeaturesOfNormalized(normalized);
}

std::span<const uint64_t> Fingerprinter::FeaturesOfNormalized(std::string_view normalized) {
  if (spec_.unit == ShingleSpec::Unit::kWord) {
    FindWords(normalized, &units_);
    HashWords(normalized.data());
  } else {
    FindCharacters(normalized, &characters_, &units_);
    unit_hashes_.clear();
    for (const char32_t c : characters_) unit_hashes_.push_back(HashCharacter(c));
  }
  return HashShingles();
}

StreamHash HashStream(std::span<const uint64_t> features) {
  const XXH128_hash_t hash = XXH3_128bits(features.data(), features.size_bytes());
  return {hash.low64, hash.high64};
}

void MakeFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* set) {
  set->assign(features.begin(), features.end());
  SortValues(set->data(), set->size());
  set->erase(std::unique(set->begin(), set->end()), set->end());
}

}  // namespace lookalike
