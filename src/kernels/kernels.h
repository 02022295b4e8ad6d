// SIMD code is in this folder only: one source, compiled for every instruction set, chosen at run
// time. Every function returns the same bits on every instruction set.
#ifndef LOOKALIKE_KERNELS_KERNELS_H_
#define LOOKALIKE_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

namespace lookalike {

/// Hashes every window of `window` consecutive unit hashes: out[i] covers units i .. i+window-1.
/// `mask` is mixed into every hash. Windows: count - window + 1. REQUIRES: 1 <= window <= count;
/// `out` has room for that many values and 8 more.
void HashWindows(const uint64_t* units, size_t count, size_t window, uint64_t mask, uint64_t* out);

/// Returns the number of values of scratch that SketchFss needs.
constexpr size_t SketchScratch(size_t count) { return 2 * (count + 64); }

/// Makes a sketch by Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup, FOCS 2017), cut to 16
/// binned rounds, then a fresh hash for each bin that is still empty. out[b] is the minimum over
/// the features of a fixed hash of (feature, b), so equal coordinates have probability =
/// resemblance, and the sketch of a union is the coordinate-wise minimum. O(count) for count >>
/// coordinates. `coordinates`: 16 to 1024; powers of two take the least time. REQUIRES: count > 0.
void SketchFss(const uint64_t* features, size_t count, size_t coordinates, uint32_t* scratch,
               uint32_t* out);

/// Counts the positions at which two byte strings agree. Multiples of 16 take the least time.
size_t CountEqualBytes(const uint8_t* a, const uint8_t* b, size_t count);

/// Compares one row of bytes with many: equal[i] = CountEqualBytes(row, table + rows[i] * width,
/// width).
void CountEqualRows(const uint8_t* row, const uint8_t* table, const uint32_t* rows, size_t count,
                    size_t width, uint32_t* equal);

/// Sorts ascending.
void SortValues(uint64_t* values, size_t count);
void SortValues(uint32_t* values, size_t count);

/// Sorts pairs (key, value) ascending by key, then value; `pairs` are 16-byte aligned structs of
/// two uint64_t, the value first and the key second.
void SortKeyedValues(void* pairs, size_t count);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_KERNELS_H_
