#include "io/crc32.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace lookalike {
namespace {

// All bits are reversed: the highest is the coefficient of x^0.
constexpr uint32_t kPolynomial = 0xEDB88320;
constexpr uint32_t kOne = 0x80000000;
constexpr size_t kStride = 8;  // bytes that are looked up at a time

constexpr uint32_t TimesX(uint32_t a) { return a >> 1 ^ ((a & 1U) != 0 ? kPolynomial : 0); }

// tables[k][b]: the remainder that byte b leaves after k more zero bytes.
constexpr std::array<std::array<uint32_t, 256>, kStride> MakeTables() {
  std::array<std::array<uint32_t, 256>, kStride> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = TimesX(value);
    tables[0][byte] = value;
  }
  for (size_t k = 1; k < kStride; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t value = tables[k - 1][byte];
      tables[k][byte] = value >> 8 ^ tables[0][value & 0xFF];
    }
  }
  return tables;
}

constexpr auto kTables = MakeTables();

constexpr uint32_t Multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = TimesX(b);
  }
  return product;
}

// Returns x to the power of 8 * `bytes`: the factor by which that many zero bytes multiply a
// checksum.
constexpr uint32_t PowerOfBytes(uint64_t bytes) {
  uint32_t power = kOne, square = kOne >> 8;
  for (; bytes > 0; bytes >>= 1) {
    if ((bytes & 1) != 0) power = Multiply(power, square);
    square = Multiply(square, square);
  }
  return power;
}

uint32_t LittleEndian(const char* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap32(value);
  return value;
}

}  // namespace

uint32_t Crc32(std::string_view bytes) {
  uint32_t crc = ~uint32_t{0};
  for (; bytes.size() >= kStride; bytes.remove_prefix(kStride)) {
    const uint32_t low = crc ^ LittleEndian(bytes.data()), high = LittleEndian(bytes.data() + 4);
    crc = 0;
    for (size_t k = 0; k < 4; ++k) {
      crc ^= kTables[7 - k][low >> 8 * k & 0xFF] ^ kTables[3 - k][high >> 8 * k & 0xFF];
    }
  }
  for (const char c : bytes) {
    crc = crc >> 8 ^ kTables[0][(crc ^ static_cast<uint8_t>(c)) & 0xFF];
  }
  return ~crc;
}

uint32_t JoinCrc32(uint32_t first, uint32_t second, uint64_t second_size) {
  return Multiply(PowerOfBytes(second_size), first) ^ second;
}

}  // namespace lookalike
