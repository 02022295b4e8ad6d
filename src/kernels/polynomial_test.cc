#include "kernels/polynomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace lookalike {
namespace {

/// Finds all polynomials below `bound` that have no factor, leading term included, by a sieve of
/// products.
std::vector<bool> SieveOfIrreducible(uint64_t bound) {
  std::vector<bool> irreducible(bound, true);
  irreducible[0] = irreducible[1] = false;
  for (uint64_t a = 2; a * 2 < bound; ++a) {
    for (uint64_t b = 2; b < bound; ++b) {
      uint64_t product = 0;
      for (uint64_t rest = b, power = a; rest != 0 && product < bound; rest /= 2, power *= 2) {
        product ^= rest % 2 == 1 ? power : 0;
      }
      if (product < bound) irreducible[product] = false;
    }
  }
  return irreducible;
}

/// Counts by Gauss's formula: 1/n times the sum over the divisors d of n of mu(d) 2^(n/d). 2^64 is
/// 0 here.
uint64_t CountByGauss(uint32_t degree) {
  const auto mobius = [](uint32_t n) {
    int64_t sign = 1;
    for (uint32_t p = 2; p <= n; ++p) {
      if (n % p != 0) continue;
      n /= p;
      if (n % p == 0) return int64_t{0};
      sign = -sign;
    }
    return sign;
  };
  uint64_t sum = 0;
  for (uint32_t d = 1; d <= degree; ++d) {
    if (degree % d != 0 || degree / d == 64) continue;
    sum += static_cast<uint64_t>(mobius(d)) * (uint64_t{1} << (degree / d));
  }
  return sum / degree;
}

TEST(PolynomialTest, IsIrreducibleIsTheSieve) {
  const std::vector<bool> sieve = SieveOfIrreducible(1 << 10);
  for (uint32_t degree = 1; degree < 10; ++degree) {
    for (uint64_t low = 0; low < uint64_t{1} << degree; ++low) {
      EXPECT_EQ(IsIrreducible({degree, low}), sieve[(uint64_t{1} << degree) + low])
          << degree << " " << low;
    }
  }
}

TEST(PolynomialTest, Facts212CountsOfIrreducible) {
  const std::pair<uint32_t, uint64_t> counts[] = {{1, 2},
                                                  {2, 1},
                                                  {3, 2},
                                                  {4, 3},
                                                  {8, 30},
                                                  {12, 335},
                                                  {16, 4080},
                                                  {31, 69273666},
                                                  {32, 134215680},
                                                  {63, 146402730743693304},
                                                  {64, 288230376084602880}};
  for (const auto& [degree, count] : counts) {
    EXPECT_EQ(CountByGauss(degree), count) << degree;
    if (degree > 16) continue;
    uint64_t found = 0;
    for (uint64_t low = 0; low < uint64_t{1} << degree; ++low) {
      found += IsIrreducible({degree, low}) ? 1 : 0;
    }
    EXPECT_EQ(found, count) << degree;
  }
}

// If there are too many to count, a sample has the share that the formula gives, within 4.5
// standard errors.
TEST(PolynomialTest, ShareOfIrreducibleAmongRandomOnes) {
  std::mt19937_64 random(1);
  for (const uint32_t degree : {24U, 31U, 32U, 33U, 48U, 63U, 64U}) {
    constexpr double kTrials = 20000;
    double found = 0;
    for (int i = 0; i < kTrials; ++i) {
      found += IsIrreducible({degree, random() >> (64 - degree)}) ? 1 : 0;
    }
    const double share = std::ldexp(static_cast<double>(CountByGauss(degree)), -int(degree));
    const double error = std::sqrt(kTrials * share * (1 - share));
    EXPECT_NEAR(found, kTrials * share, 4.5 * error) << degree;
  }
}

TEST(PolynomialTest, Facts212FixtureIsIrreducible) {
  EXPECT_TRUE(IsIrreducible({64, 0x1b}));
  EXPECT_TRUE(IsIrreducible({8, 0x1b}));
  EXPECT_FALSE(IsIrreducible({64, 0x1a})) << "t divides it";
  EXPECT_FALSE(IsIrreducible({64, 0x19})) << "an even number of terms: t + 1 divides it";
  // (t^32 + t^7 + t^3 + t^2 + 1)^2: two factors of half the degree, the last degree to be tested.
  EXPECT_TRUE(IsIrreducible({32, 0x8d}));
  EXPECT_FALSE(IsIrreducible({64, 0x4051}));
}

TEST(PolynomialTest, MultiplicationIsThatOfTheField) {
  std::mt19937_64 random(2);
  for (uint32_t degree = 1; degree <= 64; ++degree) {
    const Polynomial modulus = RandomIrreducible(degree, degree);
    for (int i = 0; i < 50; ++i) {
      const uint64_t a = random() >> (64 - degree), b = random() >> (64 - degree),
                     c = random() >> (64 - degree);
      const auto times = [&](uint64_t x, uint64_t y) { return MultiplyModulo(x, y, modulus); };
      ASSERT_EQ(times(a, b), times(b, a));
      ASSERT_EQ(times(times(a, b), c), times(a, times(b, c)));
      ASSERT_EQ(times(a, b ^ c), times(a, b) ^ times(a, c));
      ASSERT_EQ(times(a, 1), a);
      uint64_t power = a;  // for an irreducible P of degree k, a^(2^k) = a
      for (uint32_t j = 0; j < degree; ++j) power = times(power, power);
      ASSERT_EQ(power, a) << degree;
    }
  }
  EXPECT_EQ(MultiplyModulo(0x57, 0x83, {8, 0x1b}), 0xc1u) << "FIPS 197, section 4.2";
}

TEST(PolynomialTest, SeedsDrawAllOfThem) {
  for (const uint32_t degree : {1U, 2U, 3U, 4U, 8U}) {
    std::set<uint64_t> drawn;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      const Polynomial polynomial = RandomIrreducible(degree, seed);
      EXPECT_EQ(polynomial.degree, degree);
      EXPECT_TRUE(IsIrreducible(polynomial));
      drawn.insert(polynomial.low);
    }
    EXPECT_EQ(drawn.size(), CountByGauss(degree)) << degree;
  }
}

// docs/format/fingerprint-v1.md.
TEST(PolynomialTest, TheDrawIsPartOfTheFormat) {
  EXPECT_EQ(RandomIrreducible(64, 0).low, 0xbc49a6ed70bff2b9u);
  EXPECT_EQ(RandomIrreducible(64, 1).low, 0xc494d80398b44419u);
  EXPECT_EQ(RandomIrreducible(64, 0), RandomIrreducible(64, 0));
}

}  // namespace
}  // namespace lookalike
