#include "kernels/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lookalike {
namespace {

TEST(PortableMathTest, IsNearTheLogarithm) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53,
                                static_cast<int>(random() % 2000) - 1000);
    const double expected = std::log(x);
    ASSERT_NEAR(PortableLog(x), expected, 4e-16 * std::max(1.0, std::abs(expected))) << x;
  }
  EXPECT_EQ(PortableLog(1), 0);
  // Near 1 the relative error matters.
  EXPECT_NEAR(PortableLog(1 + 0x1p-30) / std::log1p(0x1p-30), 1, 1e-15);
}

TEST(PortableMathTest, IsNearTheExponential) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const double x = static_cast<double>(random() >> 11) * 0x1p-53 * 1400 - 700;
    ASSERT_NEAR(PortableExp(x) / std::exp(x), 1, 1e-15) << x;
  }
  EXPECT_EQ(PortableExp(0), 1);
}

// Their bits are part of formats. They were the same from g++ and clang++, at -O0 and -O2.
TEST(PortableMathTest, BitsArePinned) {
  uint64_t logs = 0, exponentials = 0;
  for (int i = 1; i <= 1000; ++i) {
    logs = logs * 31 + std::bit_cast<uint64_t>(PortableLog(i / 7.0));
    exponentials = exponentials * 31 + std::bit_cast<uint64_t>(PortableExp((i - 500) / 3.0));
  }
  EXPECT_EQ(logs, 11649284826150928998u);
  EXPECT_EQ(exponentials, 12313311663245065816u);
}

}  // namespace
}  // namespace lookalike
