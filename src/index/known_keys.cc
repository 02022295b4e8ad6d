#include "index/known_keys.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <optional>

namespace lookalike {
namespace {

constexpr uint64_t kSmallestLayer = uint64_t{1} << 21;  // keys
constexpr int kGrowthBits = 2;                          // each layer is four times as large
constexpr uint64_t kKeysOfBlock = 26;
constexpr int kProbes = 6;
constexpr uint64_t kBitsOfBlock = 320;
constexpr int kBitsOfProbe = 10;  // of the hash

std::optional<std::string_view> BeginOf(std::string_view key, size_t bytes) {
  if (key.size() < bytes) return std::nullopt;
  return key.substr(0, bytes);
}

/// Returns the part of a key that is searched for; nothing if keys of the family are not known.
std::optional<std::string_view> SearchedPart(Family family, std::string_view key) {
  switch (family) {
    case Family::kIds:
      return key;
    case Family::kClasses:
      return BeginOf(key, 2 * sizeof(uint64_t));
    case Family::kPostings:
      return BeginOf(key, kPostingPrefix);
    default:
      return std::nullopt;
  }
}

uint64_t HashOf(Family family, std::string_view part) {
  return XXH3_64bits_withSeed(part.data(), part.size(), static_cast<XXH64_hash_t>(family));
}

/// Returns a number below `count`, from the high bits of a hash.
size_t PlaceOf(uint64_t hash, size_t count) {
  return static_cast<size_t>((static_cast<unsigned __int128>(hash) * count) >> 64U);
}

/// Calls `visit` with the word and the bit of each probe of a key.
template <class Visit>
void ForEachProbe(uint64_t hash, const Visit& visit) {
  // The block follows from the high bits, so that its probes need bits of their own.
  uint64_t bits = hash * 0x9E3779B97F4A7C15U;
  for (int i = 0; i < kProbes; ++i) {
    const uint64_t place = (bits % (uint64_t{1} << kBitsOfProbe)) * kBitsOfBlock >> kBitsOfProbe;
    visit(place / 64, uint64_t{1} << (place % 64));
    bits >>= kBitsOfProbe;
  }
}

/// A counter in a block: so many bits from the lowest one of a word.
struct Counter {
  size_t word;
  uint64_t shift;
};

std::array<Counter, 2> CountersOf(uint64_t hash) {
  constexpr uint64_t kCounters = 48, kOfWord = 16, kBits = 4, kFirstWord = kBitsOfBlock / 64;
  const uint64_t bits = hash * 0xC2B2AE3D27D4EB4FU;
  const auto counter = [](uint64_t number) {
    return Counter{kFirstWord + number / kOfWord, number % kOfWord * kBits};
  };
  return {counter((bits & 0xFFFFU) * kCounters >> 16U), counter((bits >> 48U) * kCounters >> 16U)};
}

/// One that is at its end stays there.
void Increment(const Counter& counter, std::array<uint64_t, 8>* block) {
  uint64_t& word = (*block)[counter.word];
  if ((word >> counter.shift & KnownKeys::kMany) < KnownKeys::kMany) {
    word += uint64_t{1} << counter.shift;
  }
}

}  // namespace

void KnownKeys::Add(Family family, std::string_view key) {
  const auto part = SearchedPart(family, key);
  if (!part) return;
  if (layers_.empty() || layers_.back().room == 0) {
    const uint64_t keys = kSmallestLayer << (kGrowthBits * layers_.size());
    layers_.push_back({std::vector<Block>(keys / kKeysOfBlock), keys});
  }
  Layer& layer = layers_.back();
  const uint64_t hash = HashOf(family, *part);
  Block& block = layer.blocks[PlaceOf(hash, layer.blocks.size())];
  if (family == Family::kPostings) {
    // A profile stands for very many postings, which may be gone while the key is still hot.
    const bool is_profile =
        key.size() > kPostingPrefix && key.find_first_not_of('\0', kPostingPrefix) == key.npos;
    for (uint64_t left = is_profile ? kMany : 1; left > 0; --left) {
      for (const Counter& counter : CountersOf(hash)) Increment(counter, &block);
    }
  }
  if (MayHaveHash(hash)) return;
  --layer.room;
  ForEachProbe(hash, [&](size_t word, uint64_t bit) { block[word] |= bit; });
}

void KnownKeys::Prefetch(std::span<const std::string> postings) const {
  for (const std::string& posting : postings) {
    const auto part = SearchedPart(Family::kPostings, posting);
    if (!part) continue;
    const uint64_t hash = HashOf(Family::kPostings, *part);
    for (const Layer& layer : layers_) {
      __builtin_prefetch(layer.blocks[PlaceOf(hash, layer.blocks.size())].data());
    }
  }
}

bool KnownKeys::MayHaveMany(std::string_view prefix) const {
  const auto part = SearchedPart(Family::kPostings, prefix);
  if (!part) return true;
  const uint64_t hash = HashOf(Family::kPostings, *part);
  uint64_t most = 0;
  for (const Layer& layer : layers_) {
    const Block& block = layer.blocks[PlaceOf(hash, layer.blocks.size())];
    uint64_t least = kMany;
    for (const Counter& counter : CountersOf(hash)) {
      least = std::min(least, block[counter.word] >> counter.shift & kMany);
    }
    most += least;
  }
  return most >= kMany;
}

bool KnownKeys::MayHave(Family family, std::string_view prefix) const {
  const auto part = SearchedPart(family, prefix);
  return !part || MayHaveHash(HashOf(family, *part));
}

bool KnownKeys::MayHaveHash(uint64_t hash) const {
  return std::any_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
    const Block& block = layer.blocks[PlaceOf(hash, layer.blocks.size())];
    bool all = true;
    ForEachProbe(hash, [&](size_t word, uint64_t bit) { all = all && (block[word] & bit) != 0; });
    return all;
  });
}

}  // namespace lookalike
