// Every instruction set of this machine against the definition.
#include "kernels/permutations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/splitmix.h"

namespace lookalike {
namespace {

uint32_t Mix(uint32_t x) {
  x *= 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

uint32_t Seed(uint32_t r) {
  const uint32_t y = (r + 1) * 0x9e3779b9U;
  return Mix(y ^ (y >> 16));
}

constexpr uint32_t kSizes[] = {16, 17, 25, 32, 64, 100, 128, 250, 256, 333, 512, 1000, 1023, 1024};

uint32_t Permuted(uint64_t feature, uint32_t b) {
  return (static_cast<uint32_t>(feature) ^ Seed(16 + b)) * (Seed(1040 + b) | 1);
}

std::vector<uint32_t> Sketched(const std::vector<uint64_t>& features, uint32_t k) {
  std::vector<uint32_t> sketch(k + 4, 0xABABABABU);
  SketchPermutations(features.data(), features.size(), k, sketch.data());
  for (uint32_t i = k; i < k + 4; ++i) EXPECT_EQ(sketch[i], 0xABABABABU) << "past the end";
  sketch.resize(k);
  return sketch;
}

TEST(PermutationsTest, IsItsDefinitionOnEveryInstructionSet) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    for (const uint32_t k : kSizes) {
      for (const size_t count : {1, 2, 3, 17, 200}) {
        std::vector<uint64_t> features(count);
        for (uint64_t& feature : features) feature = random();
        std::vector<uint32_t> least(k, UINT32_MAX);
        for (const uint64_t feature : features) {
          for (uint32_t b = 0; b < k; ++b) least[b] = std::min(least[b], Permuted(feature, b));
        }
        ASSERT_EQ(Sketched(features, k), least) << count << " features, " << k << " coordinates";
      }
    }
  }
}

TEST(MixerTest, IsItsDefinitionOnEveryInstructionSet) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(2);
    for (const uint32_t k : kSizes) {
      for (const size_t count : {1, 2, 3, 17, 200}) {
        std::vector<uint64_t> features(count), words(k);
        for (uint64_t& feature : features) feature = random();
        for (uint64_t& word : words) word = random();
        std::vector<uint32_t> least(k + 1, UINT32_MAX), sketch(k + 1, UINT32_MAX);
        for (const uint64_t feature : features) {
          for (uint32_t b = 0; b < k; ++b) {
            least[b] = std::min(least[b], static_cast<uint32_t>(Mix64(feature ^ words[b]) >> 32));
          }
        }
        SketchMixer(features.data(), count, words.data(), k, sketch.data());
        ASSERT_EQ(sketch, least) << count << " features, " << k << " coordinates";
      }
    }
  }
}

TEST(PermutationsTest, NoTwoAreTheSame) {
  std::set<std::pair<uint32_t, uint32_t>> images;
  for (uint32_t b = 0; b < 1024; ++b) images.emplace(Permuted(0, b), Permuted(1, b));
  EXPECT_EQ(images.size(), 1024u);
}

}  // namespace
}  // namespace lookalike
