#include "fingerprint/feature_extractor.h"

#include <algorithm>
#include <charconv>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fingerprint/unicode_fold.h"
#include "kernels/fold.h"
#include "kernels/kernels.h"
#include "kernels/long_word.h"

namespace lookalike {
namespace {

constexpr uint32_t kMaxShingleLength = 64;  // rotations of HashWindows repeat beyond 64

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

std::string ToString(const ShingleSpec& spec) {
  const bool words = spec.unit == ShingleSpec::Unit::kWord;
  return (words ? "word:" : "char:") + std::to_string(spec.length);
}

Status CheckLength(std::string_view text) {
  if (text.size() <= kLargestText) return {};
  return Fail("a text of " + std::to_string(text.size()) + " bytes is too long; the limit is " +
              std::to_string(kLargestText) + ", cut it or leave it out");
}

// Nearly all text needs no more than its code points one by one.
bool FeatureExtractor::HashFolded(std::string_view text) {
  const size_t room = FoldRoom(text.size());
  if (folded_.size() < room) {
    folded_.resize(room);
    edges_.resize(room);
  }
  const size_t words = FoldWords(text, UnicodeFold(), folded_.data(), edges_.data());
  if (words == kNotFolded) return false;
  unit_hashes_.resize(words);
  HashWords(folded_.data(), edges_.data(), words, unit_hashes_.data());
  return true;
}

std::span<const uint64_t> FeatureExtractor::HashShingles() {
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

std::span<const uint64_t> FeatureExtractor::Features(std::string_view text) {
  if (spec_.unit == ShingleSpec::Unit::kWord && HashFolded(text)) {
    replaced_invalid_ = false;
    return HashShingles();
  }
  const std::string_view normalized = normalizer_.Run(text);
  replaced_invalid_ = normalizer_.replaced_invalid();
  return FeaturesOfNormalized(normalized);
}

std::span<const uint64_t> FeatureExtractor::FeaturesOfNormalized(std::string_view normalized) {
  if (spec_.unit == ShingleSpec::Unit::kWord) {
    FindWords(normalized, &units_);
    unit_hashes_.resize(units_.size());
    static_assert(sizeof(ByteSpan) == 2 * sizeof(uint32_t));
    HashWords(normalized.data(), reinterpret_cast<const uint32_t*>(units_.data()), units_.size(),
              unit_hashes_.data());
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
  set->clear();
  AppendFeatureSet(features, set);
}

size_t AppendFeatureSet(std::span<const uint64_t> features, std::vector<uint64_t>* sets) {
  const auto begin = sets->insert(sets->end(), features.begin(), features.end());
  SortValues(sets->data() + (begin - sets->begin()), features.size());
  const auto end = std::unique(begin, sets->end());
  const auto size = static_cast<size_t>(end - begin);
  sets->erase(end, sets->end());
  return size;
}

}  // namespace lookalike
