// The table against bits, and every instruction set against the table.
#include "kernels/rabin.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "isa/forced_isa.h"

namespace lookalike {
namespace {

/// Returns f of bits, by the definition: one bit after the other.
uint64_t Naive(std::string_view bits, const Polynomial& modulus) {
  uint64_t rest = 0;
  for (const char bit : bits) {
    rest = TimesT(rest, modulus) ^ static_cast<uint64_t>(bit - '0');
  }
  return rest;
}

std::string BitsOf(std::string_view bytes) {
  std::string bits;
  for (const char byte : bytes) {
    for (int i = 7; i >= 0; --i) bits += static_cast<char>('0' + (byte >> i & 1));
  }
  return bits;
}

std::string RandomBytes(std::mt19937_64* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

TEST(RabinTest, Facts212RemaindersOf10011) {
  const std::pair<Polynomial, uint64_t> remainders[] = {{{3, 0b011}, 0b101},
                                                        {{3, 0b101}, 0b100},
                                                        {{2, 0b11}, 0b1},
                                                        {{4, 0b1111}, 0b1100},
                                                        {{5, 0b00101}, 0b10011}};
  for (const auto& [modulus, remainder] : remainders) {
    EXPECT_EQ(Naive("10011", modulus), remainder);
    EXPECT_EQ(RabinFunction(modulus).Of("\x13"), remainder);
  }
}

TEST(RabinTest, Facts212Fingerprints) {
  using namespace std::string_view_literals;
  const struct {
    std::string_view text;
    uint64_t plain64, prefixed64, plain8, prefixed8;
  } rows[] = {
      {"", 0, 1, 0, 1},
      {"a", 0x61, 0x161, 0x61, 0x7a},
      {"\0a"sv, 0x61, 0x10061, 0x61, 0x3f},
      {"abcab", 0x6162636162, 0x16162636162, 0x98, 0x0c},
      {"a rose is a rose", 0xcb44421d4abb1671, 0xcb44421d4abb1734, 0x69, 0x93},
      {"a rose is a rose is a rose", 0x843940849c9d6508, 0x84394084812a6508, 0x13, 0x03},
  };
  const RabinFunction f64({64, 0x1b}), f8({8, 0x1b});
  for (const auto& row : rows) {
    EXPECT_EQ(f64.Of(row.text), row.plain64) << row.text;
    EXPECT_EQ(f64.OfPrefixed(row.text), row.prefixed64) << row.text;
    EXPECT_EQ(f8.Of(row.text), row.plain8) << row.text;
    EXPECT_EQ(f8.OfPrefixed(row.text), row.prefixed8) << row.text;
  }
}

TEST(RabinTest, TheTableIsTheDefinition) {
  std::mt19937_64 random(1);
  for (uint32_t degree = 1; degree <= 64; ++degree) {
    const RabinFunction f(RandomIrreducible(degree, random()));
    for (size_t size = 0; size < 40; ++size) {
      const std::string bytes = RandomBytes(&random, size);
      ASSERT_EQ(f.ExtendByTable(0, bytes), Naive(BitsOf(bytes), f.modulus())) << degree;
      ASSERT_EQ(f.ExtendByTable(1, bytes), Naive("1" + BitsOf(bytes), f.modulus())) << degree;
    }
  }
}

TEST(RabinTest, EveryInstructionSetExtendsAsTheTableDoes) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(2);
    for (uint32_t degree = 1; degree <= 64; ++degree) {
      const RabinFunction f(RandomIrreducible(degree, random()));
      for (const size_t size : {0, 15, 63, 64, 65, 79, 80, 96, 127, 128, 300, 4099}) {
        const std::string bytes = RandomBytes(&random, size + 1);
        const std::string_view odd = std::string_view(bytes).substr(1);  // at an odd address
        const uint64_t before = random() >> (64 - degree);
        ASSERT_EQ(f.Extend(before, odd), f.ExtendByTable(before, odd)) << degree << " " << size;
      }
    }
  }
}

TEST(RabinTest, EveryInstructionSetMultipliesAlike) {
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    SCOPED_TRACE(name);
    std::mt19937_64 random(3);
    for (uint32_t degree = 1; degree <= 64; ++degree) {
      const RabinFunction f(RandomIrreducible(degree, random()));
      constexpr size_t kCount = 33;
      std::vector<uint64_t> a(kCount), b(kCount), c(kCount), out(kCount + 1, 0xABAB);
      for (size_t i = 0; i < kCount; ++i) {
        for (auto* values : {&a, &b, &c}) (*values)[i] = random() >> (64 - degree);
      }
      f.MultiplyAdd(a.data(), b.data(), c.data(), kCount, out.data());
      for (size_t i = 0; i < kCount; ++i) {
        ASSERT_EQ(out[i], MultiplyModulo(a[i], b[i], f.modulus()) ^ c[i]) << degree;
      }
      EXPECT_EQ(out[kCount], 0xABABu) << "past the end";
    }
  }
}

// Otherwise the two tests above would compare the table with itself.
TEST(RabinTest, ForcingAnInstructionSetChoosesTheWay) {
  const std::map<std::string, bool> expected = {{"avx512", true}, {"avx2", true},
                                                {"sse4", true},   {"ssse3", false},
                                                {"neon", false},  {"scalar", false}};
  for (const std::string& name : IsaNames()) {
    const ForcedIsa forced(name);
    EXPECT_EQ(HasCarrylessProducts(), expected.at(name)) << name;
  }
}

}  // namespace
}  // namespace lookalike
