#include "stages/sketch/hash_families.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/permutations.h"
#include "stages/sketch/byte_tables.h"
#include "stages/sketch/random_words.h"

namespace lookalike {

namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

/// Returns x modulo the prime for x below twice the prime.
constexpr uint64_t Below(uint64_t x) { return x >= kPrime ? x - kPrime : x; }

/// Reduces x modulo the prime, where 2^61 is 1, to below the prime.
constexpr uint64_t Reduce(uint64_t x) { return Below((x & kPrime) + (x >> 61)); }

class Congruence {
 public:
  explicit Congruence(RandomWords words)
      : factor_(1 + words.Next() % (kPrime - 1)), addend_(words.Next() % kPrime) {}
  /// REQUIRES: x < kPrime.
  uint64_t operator()(uint64_t x) const {
    const auto value = static_cast<unsigned __int128>(factor_) * x + addend_;
    return Below((static_cast<uint64_t>(value) & kPrime) + static_cast<uint64_t>(value >> 61));
  }

 private:
  uint64_t factor_, addend_;
};

/// Keeps 32 of the 61 bits.
template <SketchKind kind, int shift>
class CongruenceBits {
 public:
  static constexpr SketchKind kKind = kind;
  explicit CongruenceBits(RandomWords words) : congruence_(words) {}
  uint32_t operator()(uint64_t x) const { return static_cast<uint32_t>(congruence_(x) >> shift); }

 private:
  Congruence congruence_;
};

using Linear = CongruenceBits<SketchKind::kLinearPermutations, 29>;
using Universal = CongruenceBits<SketchKind::kUniversalPermutations, 0>;

class Matrix {
 public:
  static constexpr SketchKind kKind = SketchKind::kMatrixPermutations;
  explicit Matrix(RandomWords words) {
    std::array<uint32_t, 64> columns;
    for (uint32_t& column : columns) column = words.NextHalf();
    FillAffine<uint32_t>(columns, words.NextHalf(), &tables_);
  }
  uint32_t operator()(uint64_t x) const { return LookUp(tables_, x); }

 private:
  ByteTables<uint32_t, 8> tables_;
};

class Tabulation {
 public:
  static constexpr SketchKind kKind = SketchKind::kTabulationPermutations;
  explicit Tabulation(RandomWords words) {
    for (auto& table : tables_) {
      for (uint32_t& entry : table) entry = words.NextHalf();
    }
  }
  uint32_t operator()(uint64_t x) const { return LookUp(tables_, x); }

 private:
  ByteTables<uint32_t, 8> tables_;
};

class MixedTabulation {
 public:
  static constexpr SketchKind kKind = SketchKind::kMixedTabulationPermutations;
  explicit MixedTabulation(RandomWords words) {
    for (auto& table : tables_) {
      for (uint64_t& entry : table) entry = words.Next();
    }
    for (auto& table : derived_) {
      for (uint32_t& entry : table) entry = words.NextHalf();
    }
  }
  uint32_t operator()(uint64_t x) const {
    const uint64_t both = LookUp(tables_, x);  // the hash below, the derived characters above
    return static_cast<uint32_t>(both) ^ LookUp(derived_, static_cast<uint32_t>(both >> 32));
  }

 private:
  ByteTables<uint64_t, 8> tables_;
  ByteTables<uint32_t, 4> derived_;
};

// Finishes one coordinate before the next, so that its tables stay in the cache.
template <class Function>
SketchFunction MakeMinima(uint32_t coordinates) {
  auto functions = std::make_shared<std::vector<Function>>();
  functions->reserve(coordinates);
  for (uint32_t b = 0; b < coordinates; ++b) {
    functions->emplace_back(RandomWords(Function::kKind, b));
  }
  return [functions = std::shared_ptr<const std::vector<Function>>(std::move(functions))](
             std::span<const uint64_t> features, std::span<uint32_t> out) {
    for (size_t b = 0; b < out.size(); ++b) {
      const Function& function = (*functions)[b];
      uint32_t least = UINT32_MAX;
      for (const uint64_t feature : features) least = std::min(least, function(feature));
      out[b] = least;
    }
  };
}

/// Reduces features modulo the prime, once for all functions.
SketchFunction OfReduced(SketchFunction minima) {
  return [minima = std::move(minima), reduced = std::vector<uint64_t>()](
             std::span<const uint64_t> features, std::span<uint32_t> out) mutable {
    reduced.resize(features.size());
    std::transform(features.begin(), features.end(), reduced.begin(), Reduce);
    minima(reduced, out);
  };
}

}  // namespace

SketchFunction MakeMixer(uint32_t coordinates) {
  auto words = std::make_shared<std::vector<uint64_t>>();
  for (uint32_t b = 0; b < coordinates; ++b) {
    words->push_back(RandomWords(SketchKind::kMixerPermutations, b).Next());
  }
  return [words = std::shared_ptr<const std::vector<uint64_t>>(std::move(words))](
             std::span<const uint64_t> features, std::span<uint32_t> out) {
    SketchMixer(features.data(), features.size(), words->data(), out.size(), out.data());
  };
}

SketchFunction MakeLinear(uint32_t coordinates) {
  return OfReduced(MakeMinima<Linear>(coordinates));
}

SketchFunction MakeUniversal(uint32_t coordinates) {
  return OfReduced(MakeMinima<Universal>(coordinates));
}

SketchFunction MakeMatrix(uint32_t coordinates) { return MakeMinima<Matrix>(coordinates); }

SketchFunction MakeTabulation(uint32_t coordinates) { return MakeMinima<Tabulation>(coordinates); }

SketchFunction MakeMixedTabulation(uint32_t coordinates) {
  return MakeMinima<MixedTabulation>(coordinates);
}

}  // namespace lookalike
