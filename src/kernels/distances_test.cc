// Sums of distances, on every instruction set of this machine, against plain loops in the promised
// order.
#include "kernels/distances.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "isa/forced_isa.h"
#include "kernels/isa.h"

namespace lookalike {
namespace {

template <class Term>
double PlainSum(const double* a, const double* b, size_t count, Term term) {
  double s[8] = {};
  for (size_t i = 0; i < count; ++i) s[i % 8] += term(a[i], b[i]);
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

template <class Kernel, class Term>
void ExpectPlain(Kernel kernel, Term term) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (size_t count = 1; count <= 40; ++count) {
    constexpr size_t kRows = 5;
    std::vector<double> a(count), rows(count * kRows);
    for (double& x : a) x = random() % 3 == 0 ? 1 : normal(random);
    for (double& x : rows) x = random() % 3 == 0 ? 1 : normal(random);
    for (const std::string& name : IsaNames()) {
      const ForcedIsa forced(name);
      std::vector<double> sums(kRows);
      kernel(a.data(), rows.data(), kRows, count, sums.data());
      for (size_t row = 0; row < kRows; ++row) {
        const double plain = PlainSum(a.data(), rows.data() + row * count, count, term);
        ASSERT_EQ(std::bit_cast<uint64_t>(sums[row]), std::bit_cast<uint64_t>(plain))
            << name << ", " << count << " numbers";
      }
    }
  }
}

TEST(DistanceSums, EqualThePlainLoopOnEveryInstructionSet) {
  ExpectPlain(SumAbsolute, [](double a, double b) { return std::fabs(a - b); });
  ExpectPlain(SumSquares, [](double a, double b) { return (a - b) * (a - b); });
  ExpectPlain(SumProducts, [](double a, double b) { return a * b; });
  ExpectPlain(SumDifferent, [](double a, double b) { return a == b ? 0.0 : 1.0; });
}

TEST(DistanceSums, ZerosOfBothSignsAreEqual) {
  const double a[] = {0.0, -0.0, 1.0}, b[] = {-0.0, 0.0, -1.0};
  double different = -1;
  SumDifferent(a, b, 1, 3, &different);
  EXPECT_EQ(different, 1);
}

}  // namespace
}  // namespace lookalike
