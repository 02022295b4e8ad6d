// Sums over pairs of vectors, from which distances are computed. Every function returns the same
// bits on every instruction set.
#ifndef LOOKALIKE_KERNELS_DISTANCES_H_
#define LOOKALIKE_KERNELS_DISTANCES_H_

#include <cstddef>

namespace lookalike {

// Each writes to out[i] the sum for one vector `a` and row i of `rows`, vectors of `count` numbers
// back to back. The order of additions is fixed: the term of coordinate j goes to partial sum j mod
// 8, ascending, and the partial sums are added as ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)). No
// product is fused with an addition.

/// Sums |a - b|.
void SumAbsolute(const double* a, const double* rows, size_t row_count, size_t count, double* out);

/// Sums (a - b)^2.
void SumSquares(const double* a, const double* rows, size_t row_count, size_t count, double* out);

/// Sums a b.
void SumProducts(const double* a, const double* rows, size_t row_count, size_t count, double* out);

/// Counts the coordinates in which a and b differ as numbers: 0 and -0 do not.
void SumDifferent(const double* a, const double* rows, size_t row_count, size_t count, double* out);

}  // namespace lookalike

#endif  // LOOKALIKE_KERNELS_DISTANCES_H_
