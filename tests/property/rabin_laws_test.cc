// The algebra of Rabin's fingerprints, for polynomials of every degree.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "kernels/rabin.h"

namespace lookalike {
namespace {

std::string RandomBytes(std::mt19937_64* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

/// Calls check(f, random) for an irreducible polynomial of each degree.
template <class Check>
void ForEveryDegree(const Check& check) {
  std::mt19937_64 random(8);
  for (uint32_t degree = 1; degree <= 64; ++degree) {
    SCOPED_TRACE(degree);
    const RabinFunction f(RandomIrreducible(degree, random()));
    check(f, &random);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RabinLawsTest, L8Concatenation) {
  ForEveryDegree([](const RabinFunction& f, std::mt19937_64* random) {
    for (int i = 0; i < 60; ++i) {
      const std::string a = RandomBytes(random, (*random)() % 90);
      const std::string b = RandomBytes(random, (*random)() % 90);
      ASSERT_EQ(f.Extend(f.Of(a), b), f.Of(a + b));
      ASSERT_EQ(f.Extend(f.OfPrefixed(a), b), f.OfPrefixed(a + b));
      ASSERT_EQ(f.Concatenate(f.Of(a), f.Of(b), b.size()), f.Of(a + b));
      ASSERT_EQ(f.Concatenate(1, f.Of(b), b.size()), f.OfPrefixed(b));
    }
  });
}

TEST(RabinLawsTest, L8Linearity) {
  ForEveryDegree([](const RabinFunction& f, std::mt19937_64* random) {
    for (const size_t size : {1, 7, 64, 100}) {
      const std::string a = RandomBytes(random, size), b = RandomBytes(random, size);
      std::string sum(size, '\0');
      for (size_t i = 0; i < size; ++i) sum[i] = static_cast<char>(a[i] ^ b[i]);
      ASSERT_EQ(f.Of(sum), f.Of(a) ^ f.Of(b));
    }
  });
}

TEST(RabinLawsTest, L8Multiplication) {
  ForEveryDegree([](const RabinFunction& f, std::mt19937_64* random) {
    for (int i = 0; i < 20; ++i) {
      const std::string a = RandomBytes(random, 9), b = RandomBytes(random, 13);
      // The product of the two as polynomials: a, shifted by as many bits as follow each 1 bit of
      // b.
      std::string product(a.size() + b.size(), '\0');
      for (size_t bit = 0; bit < 8 * b.size(); ++bit) {
        if ((b[b.size() - 1 - bit / 8] >> bit % 8 & 1) == 0) continue;
        for (size_t at = 0; at < 8 * a.size(); ++at) {
          if ((a[a.size() - 1 - at / 8] >> at % 8 & 1) == 0) continue;
          char& byte = product[product.size() - 1 - (at + bit) / 8];
          byte = static_cast<char>(byte ^ 1 << (at + bit) % 8);
        }
      }
      ASSERT_EQ(f.Of(product), f.Multiply(f.Of(a), f.Of(b)));
    }
  });
}

TEST(RabinLawsTest, L8LeadingZerosVanishUnlessPrefixed) {
  ForEveryDegree([](const RabinFunction& f, std::mt19937_64* random) {
    const std::string a = RandomBytes(random, 20);
    for (const size_t zeros : {1, 5, 70}) {
      const std::string longer = std::string(zeros, '\0') + a;
      ASSERT_EQ(f.Of(longer), f.Of(a));
      ASSERT_EQ(f.OfPrefixed(longer), f.Of("\1" + longer));
    }
    if (f.modulus().degree < 24) return;  // equal by chance
    ASSERT_NE(f.OfPrefixed(std::string(1, '\0') + a), f.OfPrefixed(a));
  });
}

TEST(RabinLawsTest, L8SlidingIsDirectAtEveryOffset) {
  ForEveryDegree([](const RabinFunction& f, std::mt19937_64* random) {
    const std::string text = RandomBytes(random, 150);
    for (const size_t width : {1, 2, 8, 31, 100}) {
      const RabinWindow window(f, width);
      uint64_t sliding = f.Of(text.substr(0, width));
      for (size_t i = width; i < text.size(); ++i) {
        sliding = window.Slide(sliding, static_cast<uint8_t>(text[i]),
                               static_cast<uint8_t>(text[i - width]));
        ASSERT_EQ(sliding, f.Of(text.substr(i + 1 - width, width))) << width << " " << i;
      }
    }
  });
}

}  // namespace
}  // namespace lookalike
