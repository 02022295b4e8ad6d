#include "plan/min_wise_families.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>

namespace lookalike {
namespace {

constexpr uint32_t kLargestLeastSize = 20;

bool IsEven(const Permutation& images) {
  bool even = true;
  for (size_t i = 0; i < images.size(); ++i) {
    for (size_t j = 0; j < i; ++j) even ^= images[j] > images[i];
  }
  return even;
}

/// Returns the image of a point of GF(5) and infinity, which is 5.
uint32_t ProjectiveImage(const std::array<uint32_t, 4>& m, uint32_t x) {
  constexpr uint32_t kInfinity = 5;
  constexpr uint32_t kInverses[] = {0, 1, 3, 2, 4};
  const uint32_t above = x == kInfinity ? m[0] : (m[0] * x + m[1]) % 5;
  const uint32_t below = x == kInfinity ? m[2] : (m[2] * x + m[3]) % 5;
  return below == 0 ? kInfinity : above * kInverses[below] % 5;
}

/// Multiplies a matrix over GF(2) by a vector. The matrix has 3 columns; columns and vector are
/// numbers of 3 bits.
uint32_t TimesColumns(const std::array<uint32_t, 3>& columns, uint32_t x) {
  uint32_t image = 0;
  for (uint32_t i = 0; i < 3; ++i) image ^= (x >> i & 1) != 0 ? columns[i] : 0;
  return image;
}

bool IsInvertible(const std::array<uint32_t, 3>& columns) {
  for (uint32_t x = 1; x < 8; ++x) {
    if (TimesColumns(columns, x) == 0) return false;
  }
  return true;
}

/// Returns the digits of a number, the lowest first.
template <size_t kCount>
std::array<uint32_t, kCount> Digits(uint32_t number, uint32_t base) {
  std::array<uint32_t, kCount> digits;
  for (uint32_t& digit : digits) digit = number % base, number /= base;
  return digits;
}

/// Counts, for each point of the set, the permutations that make it the least.
std::vector<uint64_t> CountLeast(const NamedFamily& family, uint32_t set, uint32_t points) {
  std::vector<uint64_t> counts(points, 0);
  for (const Permutation& images : family.permutations) {
    uint32_t least = static_cast<uint32_t>(std::countr_zero(set));
    for (uint32_t rest = set & (set - 1); rest != 0; rest &= rest - 1) {
      const auto x = static_cast<uint32_t>(std::countr_zero(rest));
      if (images[x] < images[least]) least = x;
    }
    ++counts[least];
  }
  return counts;
}

}  // namespace

NamedFamily EvenPermutations(uint32_t points) {
  NamedFamily family{"even permutations", {}};
  Permutation images(points);
  std::iota(images.begin(), images.end(), 0U);
  do {
    if (IsEven(images)) family.permutations.push_back(images);
  } while (std::next_permutation(images.begin(), images.end()));
  return family;
}

NamedFamily CyclicShifts(uint32_t points) {
  NamedFamily family{"cyclic shifts", {}};
  for (uint32_t b = 0; b < points; ++b) {
    Permutation images(points);
    for (uint32_t x = 0; x < points; ++x) images[x] = (x + b) % points;
    family.permutations.push_back(std::move(images));
  }
  return family;
}

NamedFamily LinearMaps(uint32_t p) {
  NamedFamily family{"a x + b mod p", {}};
  for (uint32_t a = 1; a < p; ++a) {
    for (uint32_t b = 0; b < p; ++b) {
      Permutation images(p);
      for (uint32_t x = 0; x < p; ++x) images[x] = (a * x + b) % p;
      family.permutations.push_back(std::move(images));
    }
  }
  return family;
}

NamedFamily AffineMaps() {
  NamedFamily family{"affine maps of GF(2)^3", {}};
  for (uint32_t matrix = 0; matrix < 8 * 8 * 8; ++matrix) {
    const auto columns = Digits<3>(matrix, 8);
    if (!IsInvertible(columns)) continue;
    for (uint32_t b = 0; b < 8; ++b) {
      Permutation images(8);
      for (uint32_t x = 0; x < 8; ++x) images[x] = TimesColumns(columns, x) ^ b;
      family.permutations.push_back(std::move(images));
    }
  }
  return family;
}

NamedFamily ProjectiveMaps() {
  std::set<Permutation> maps;  // several matrices give one map
  for (uint32_t matrix = 0; matrix < 5 * 5 * 5 * 5; ++matrix) {
    const auto m = Digits<4>(matrix, 5);
    const uint32_t determinant = (m[0] * m[3] + (5 - m[1]) * m[2]) % 5;
    if (determinant != 1 && determinant != 4) continue;
    Permutation images(6);
    for (uint32_t x = 0; x < 6; ++x) images[x] = ProjectiveImage(m, x);
    maps.insert(std::move(images));
  }
  return {"PSL(2,5)", {maps.begin(), maps.end()}};
}

uint64_t LeastCommonMultipleUpTo(uint32_t n) {
  uint64_t multiple = 1;
  for (uint64_t i = 2; i <= n; ++i) multiple = std::lcm(multiple, i);
  return multiple;
}

PermutationFamily MeasureFamily(const NamedFamily& family) {
  PermutationFamily measured;
  measured.name = family.name;
  measured.points = static_cast<uint32_t>(family.permutations.front().size());
  measured.size = family.permutations.size();
  uint64_t greatest = 0;  // of |count |X| - size|, the deviation times the size
  for (uint32_t set = 1; set < uint32_t{1} << measured.points; ++set) {
    const std::vector<uint64_t> counts = CountLeast(family, set, measured.points);
    const auto members = static_cast<uint64_t>(std::popcount(set));
    for (uint32_t x = 0; x < measured.points; ++x) {
      if ((set >> x & 1) == 0) continue;
      const uint64_t share = counts[x] * members;
      greatest =
          std::max(greatest, std::max(share, measured.size) - std::min(share, measured.size));
    }
  }
  const uint64_t common = std::gcd(greatest, measured.size);
  measured.deviation = greatest / common;
  measured.deviation_divisor = measured.size / common;
  return measured;
}

FamiliesReport MeasureFamilies() {
  FamiliesReport report;
  for (uint32_t n = 1; n <= kLargestLeastSize; ++n) {
    report.least_sizes.emplace_back(n, LeastCommonMultipleUpTo(n));
  }
  const auto add = [&](const NamedFamily& family) {
    report.families.push_back(MeasureFamily(family));
  };
  for (const uint32_t points : {3, 4, 5}) add(EvenPermutations(points));
  for (const uint32_t points : {3, 5}) add(CyclicShifts(points));
  for (const uint32_t p : {3, 5, 7, 11, 13}) add(LinearMaps(p));
  add(AffineMaps());
  add(ProjectiveMaps());
  return report;
}

}  // namespace lookalike
