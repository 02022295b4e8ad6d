// Functions of 64 bits computed as the exclusive or of one table entry per byte.
#ifndef LOOKALIKE_STAGES_SKETCH_BYTE_TABLES_H_
#define LOOKALIKE_STAGES_SKETCH_BYTE_TABLES_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lookalike {

/// One table per byte of a number of `bytes` bytes, lowest byte first.
template <class Value, size_t bytes>
using ByteTables = std::array<std::array<Value, 256>, bytes>;

template <class Value, size_t bytes, class Number>
Value LookUp(const ByteTables<Value, bytes>& tables, Number number) {
  Value value = 0;
  for (size_t i = 0; i < bytes; ++i) {
    value ^= tables[i][static_cast<uint8_t>(number >> (8 * i))];
  }
  return value;
}

/// Fills the tables of the affine transformation over GF(2) that takes bit i to columns[i] and 0 to
/// `constant`.
template <class Value>
void FillAffine(std::span<const Value, 64> columns, Value constant, ByteTables<Value, 8>* tables) {
  for (size_t i = 0; i < 8; ++i) {
    auto& table = (*tables)[i];
    table[0] = i == 0 ? constant : Value{0};
    for (size_t byte = 1; byte < 256; ++byte) {
      const auto lowest = static_cast<size_t>(std::countr_zero(byte));
      table[byte] = table[byte & (byte - 1)] ^ columns[8 * i + lowest];
    }
  }
}

}  // namespace lookalike

#endif  // LOOKALIKE_STAGES_SKETCH_BYTE_TABLES_H_
