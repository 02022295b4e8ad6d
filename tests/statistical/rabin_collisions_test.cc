// L9: few of the polynomials of degree k give two of a set of strings the same fingerprint.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "kernels/rabin.h"

namespace lookalike {
namespace {

constexpr size_t kStrings = 5;
constexpr double kBits = 24;

std::vector<std::string> DrawStrings(std::mt19937_64* random) {
  std::set<std::string> drawn;
  while (drawn.size() < kStrings) {
    const uint64_t bits = (*random)();
    drawn.insert(
        {static_cast<char>(bits), static_cast<char>(bits >> 8), static_cast<char>(bits >> 16)});
  }
  return {drawn.begin(), drawn.end()};
}

bool Collide(const RabinFunction& f, const std::vector<std::string>& strings) {
  std::set<uint64_t> seen;
  for (const std::string& text : strings) seen.insert(f.Of(text));
  return seen.size() < strings.size();
}

// All 335 irreducible polynomials of degree 12, and many sets of strings: any two collide with
// probability near 2^-12, 10 pairs with .0024. For no single set does the share of the polynomials
// exceed the bound n^2 t / 2^k = .146.
TEST(RabinCollisionsTest, L9EveryPolynomialOfDegree12) {
  std::vector<RabinFunction> functions;
  for (uint64_t low = 0; low < 1 << 12; ++low) {
    if (IsIrreducible({12, low})) functions.emplace_back(Polynomial{12, low});
  }
  ASSERT_EQ(functions.size(), 335u);
  std::mt19937_64 random(9);
  constexpr int kSets = 300;
  double all = 0, squares = 0;
  for (int i = 0; i < kSets; ++i) {
    const std::vector<std::string> strings = DrawStrings(&random);
    double collisions = 0;
    for (const RabinFunction& f : functions) collisions += Collide(f, strings) ? 1 : 0;
    const double share = collisions / static_cast<double>(functions.size());
    EXPECT_LT(share, kStrings * kStrings * kBits / (1 << 12));
    all += share, squares += share * share;
  }
  const double mean = all / kSets;
  const double error = std::sqrt((squares / kSets - mean * mean) / kSets);
  EXPECT_NEAR(mean, 10.0 / (1 << 12), 4.5 * error);
  EXPECT_GT(mean, 0) << "something collided at all";
}

// Strings that differ by the product of two irreducible polynomials collide for these two and no
// others: the choice of P decides, not the strings.
TEST(RabinCollisionsTest, L9StringsCollideForTheFactorsOfTheirDifference) {
  const Polynomial one = {12, 0x53}, other = {12, 0x7b};
  ASSERT_TRUE(IsIrreducible(one) && IsIrreducible(other));
  uint64_t product = 0;  // one * other, of degree 24
  for (int bit = 0; bit <= 12; ++bit) {
    if (((1 << 12 | other.low) >> bit & 1) != 0) product ^= (uint64_t{1} << 12 | one.low) << bit;
  }
  std::string a(4, 'x'), b = a;
  for (size_t i = 0; i < 4; ++i) b[i] = static_cast<char>(b[i] ^ product >> 8 * (3 - i));
  size_t collisions = 0;
  for (uint64_t low = 0; low < 1 << 12; ++low) {
    if (!IsIrreducible({12, low})) continue;
    const RabinFunction f({12, low});
    const bool divides = low == one.low || low == other.low;
    EXPECT_EQ(f.Of(a) == f.Of(b), divides) << low;
    collisions += f.Of(a) == f.Of(b) ? 1 : 0;
  }
  EXPECT_EQ(collisions, 2u);
}

// The bound n^2 t / 2^64 for documents and for shingles at web scale.
TEST(RabinCollisionsTest, Facts212BoundsAtScale) {
  const auto bound = [](double strings, double bits) {
    return std::ldexp(strings * strings * bits, -64);
  };
  EXPECT_NEAR(bound(30e6, 34400), 1.68, .005);
  EXPECT_NEAR(bound(1e9, 384), 20.8, .05);
  EXPECT_NEAR(bound(30e6, 1), 4.9e-5, 5e-7);
  EXPECT_NEAR(bound(1e9, 1), .054, 5e-4);
}

}  // namespace
}  // namespace lookalike
