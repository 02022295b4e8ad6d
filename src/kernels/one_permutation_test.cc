// Every instruction set of this machine against the definition.
#include "kernels/one_permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/kernels.h"

namespace lookalike {
namespace {

uint32_t Mix(uint32_t x) {
  x *= 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

uint32_t FreshHash(uint64_t feature, uint32_t bin) {
  const uint32_t y = (17 + bin) * 0x9e3779b9U;
  return Mix(static_cast<uint32_t>(feature) ^ Mix(y ^ (y >> 16)));
}

constexpr uint32_t kSizes[] = {16, 25, 32, 64, 100, 128, 250, 256, 333, 512, 1000, 1023, 1024};

std::vector<uint32_t> Plain(const std::vector<uint64_t>& features, uint32_t k) {
  std::vector<uint32_t> sketch(k, UINT32_MAX);
  for (const uint64_t f : features) {
    uint32_t& bin = sketch[static_cast<uint64_t>(static_cast<unsigned __int128>(f) * k >> 64)];
    bin = std::min(bin, static_cast<uint32_t>(f >> 24) & 0x7ffffffU);
  }
  for (uint32_t b = 0; b < k; ++b) {
    if (sketch[b] != UINT32_MAX) continue;
    uint32_t least = UINT32_MAX;
    for (const uint64_t f : features) least = std::min(least, FreshHash(f, b));
    sketch[b] = 0x80000000U | least >> 5;
  }
  return sketch;
}

std::vector<uint32_t> Sketched(const std::vector<uint64_t>& features, uint32_t k) {
  std::vector<uint32_t> scratch(SketchScratch(features.size())), sketch(k + 4, 0xABABABABU);
  SketchOnePermutation(features.data(), features.size(), k, scratch.data(), sketch.data());
  for (uint32_t i = k; i < k + 4; ++i) EXPECT_EQ(sketch[i], 0xABABABABU) << "past the end";
  sketch.resize(k);
  return sketch;
}

TEST(OnePermutationTest, IsItsDefinitionOnEveryInstructionSet) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(1);
    for (const uint32_t k : kSizes) {
      std::vector<size_t> counts = {k / 2, k, 2 * k, 4 * k, 16 * k};
      for (size_t count = 1; count <= 35; ++count) counts.push_back(count);
      for (const size_t count : counts) {
        std::vector<uint64_t> features(count);
        for (uint64_t& feature : features) feature = random();
        ASSERT_EQ(Sketched(features, k), Plain(features, k))
            << count << " features, " << k << " coordinates";
      }
    }
  }
}

// All bins but one are filled by fresh hashes, whatever the number of features.
TEST(OnePermutationTest, CrowdedFeatures) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    for (const size_t count : {1, 7, 64, 500}) {
      std::vector<uint64_t> features(count);
      for (size_t i = 0; i < count; ++i) features[i] = i;
      ASSERT_EQ(Sketched(features, 128), Plain(features, 128)) << count;
    }
  }
}

}  // namespace
}  // namespace lookalike
