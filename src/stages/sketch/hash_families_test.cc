#include "stages/sketch/hash_families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "stages/sketch/random_words.h"
#include "stages/sketch/sketch.h"

// The functions implemented a second time, from docs/format/sketch-kinds-v1.md: by long division,
// column by column, entry by entry.
namespace lookalike {
namespace {

using Hash = std::function<uint32_t(uint64_t feature, uint32_t coordinate)>;
using Wide = unsigned __int128;

std::vector<uint64_t> Words(SketchKind kind, uint64_t function, size_t count) {
  uint64_t state = Mix64(static_cast<uint64_t>(kind) * (uint64_t{1} << 32) + function);
  std::vector<uint64_t> words(count);
  for (uint64_t& word : words) word = Mix64(state += 0x9e3779b97f4a7c15U);
  return words;
}

uint64_t Congruence(SketchKind kind, uint64_t x, uint32_t b) {
  constexpr Wide kPrime = (Wide{1} << 61) - 1;
  const std::vector<uint64_t> words = Words(kind, b, 2);
  const Wide factor = words[0] % (kPrime - 1) + 1, addend = words[1] % kPrime;
  return static_cast<uint64_t>((factor * (x % kPrime) + addend) % kPrime);
}

uint32_t MixerHash(uint64_t x, uint32_t b) {
  return static_cast<uint32_t>(Mix64(x ^ Words(SketchKind::kMixerPermutations, b, 1)[0]) >> 32);
}

uint32_t LinearHash(uint64_t x, uint32_t b) {
  return static_cast<uint32_t>(Congruence(SketchKind::kLinearPermutations, x, b) >> 29);
}

uint32_t UniversalHash(uint64_t x, uint32_t b) {
  return static_cast<uint32_t>(Congruence(SketchKind::kUniversalPermutations, x, b));
}

uint32_t MatrixHash(uint64_t x, uint32_t b) {
  const std::vector<uint64_t> words = Words(SketchKind::kMatrixPermutations, b, 65);
  uint64_t sum = words[64];
  for (size_t bit = 0; bit < 64; ++bit) sum ^= (x >> bit & 1) * words[bit];
  return static_cast<uint32_t>(sum >> 32);
}

uint32_t TabulationHash(uint64_t x, uint32_t b) {
  const std::vector<uint64_t> words = Words(SketchKind::kTabulationPermutations, b, 2048);
  uint64_t sum = 0;
  for (size_t i = 0; i < 8; ++i) sum ^= words[256 * i + (x >> 8 * i & 255)];
  return static_cast<uint32_t>(sum >> 32);
}

uint32_t MixedTabulationHash(uint64_t x, uint32_t b) {
  const std::vector<uint64_t> words = Words(SketchKind::kMixedTabulationPermutations, b, 3072);
  uint64_t sum = 0, derived = 0;
  for (size_t i = 0; i < 8; ++i) sum ^= words[256 * i + (x >> 8 * i & 255)];
  for (size_t i = 0; i < 4; ++i) derived ^= words[2048 + 256 * i + (sum >> (32 + 8 * i) & 255)];
  return static_cast<uint32_t>(sum ^ derived >> 32);
}

struct Family {
  const char* name;
  Hash hash;
  uint32_t first;  // the hash of 1 in coordinate 0
};

const Family kFamilies[] = {{"mixer", MixerHash, 3761129275},
                            {"linear", LinearHash, 2387930037},
                            {"universal", UniversalHash, 502664772},
                            {"matrix", MatrixHash, 449060677},
                            {"tabulation", TabulationHash, 3035715709},
                            {"mixed-tabulation", MixedTabulationHash, 1836802411}};

class HashFamilyTest : public ::testing::TestWithParam<Family> {
 protected:
  static std::vector<uint32_t> SketchOf(const std::vector<uint64_t>& features, uint32_t k) {
    Sketcher sketcher(*ParseSketch("permutations:" + std::to_string(k) + ":" + GetParam().name));
    const auto sketch = sketcher.Run(features);
    return {sketch.begin(), sketch.end()};
  }
};

TEST_P(HashFamilyTest, CoordinatesAreTheLeastHashes) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> features = {0, 1, (uint64_t{1} << 61) - 1, UINT64_MAX};
  for (int i = 0; i < 20; ++i) features.push_back(random());
  for (const uint64_t feature : features) {
    const std::vector<uint32_t> sketch = SketchOf({feature}, 16);
    for (uint32_t b = 0; b < 16; ++b) ASSERT_EQ(sketch[b], GetParam().hash(feature, b)) << b;
  }
  const std::vector<uint32_t> sketch = SketchOf(features, 16);
  for (uint32_t b = 0; b < 16; ++b) {
    uint32_t least = UINT32_MAX;
    for (const uint64_t feature : features) least = std::min(least, GetParam().hash(feature, b));
    ASSERT_EQ(sketch[b], least) << b;
  }
}

// Values at which a x + b is a multiple of the prime must give 0, not the prime itself.
TEST(CongruenceTest, MultiplesOfThePrimeAreZero) {
  constexpr Wide kPrime = (Wide{1} << 61) - 1;
  for (const SketchKind kind :
       {SketchKind::kLinearPermutations, SketchKind::kUniversalPermutations}) {
    Sketcher sketcher({16, kind});
    for (uint32_t b = 0; b < 16; ++b) {
      const std::vector<uint64_t> words = Words(kind, b, 2);
      Wide power = words[0] % (kPrime - 1) + 1, x = kPrime - words[1] % kPrime;
      for (Wide exponent = kPrime - 2; exponent > 0; exponent /= 2) {  // x / a, by Fermat
        if (exponent % 2 == 1) x = x * power % kPrime;
        power = power * power % kPrime;
      }
      const uint64_t features[] = {static_cast<uint64_t>(x)};
      EXPECT_EQ(sketcher.Run(features)[b], 0u) << b;
    }
  }
}

// Stored sketches depend on every bit.
TEST_P(HashFamilyTest, NeverChanges) { EXPECT_EQ(SketchOf({1}, 16)[0], GetParam().first); }

TEST_P(HashFamilyTest, MoreCoordinatesBeginWithFewer) {
  std::vector<uint32_t> many = SketchOf({5, 6, 7}, 1024);
  many.resize(16);
  EXPECT_EQ(many, SketchOf({5, 6, 7}, 16));
}

INSTANTIATE_TEST_SUITE_P(Families, HashFamilyTest, ::testing::ValuesIn(kFamilies),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace lookalike
