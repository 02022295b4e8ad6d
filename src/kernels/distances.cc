#include "kernels/distances.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/distances.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lookalike {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kSums = 8;
using Lanes = hn::CappedTag<double, kSums>;
constexpr size_t kLanes = hn::MaxLanes(Lanes());
constexpr size_t kParts = kSums / kLanes;
using Vec = hn::Vec<Lanes>;

struct Absolute {
  HWY_INLINE double operator()(double a, double b) const { return __builtin_fabs(a - b); }
  HWY_INLINE Vec operator()(Vec a, Vec b) const { return hn::Abs(hn::Sub(a, b)); }
};
struct Square {
  HWY_INLINE double operator()(double a, double b) const { return (a - b) * (a - b); }
  HWY_INLINE Vec operator()(Vec a, Vec b) const {
    const Vec difference = hn::Sub(a, b);
    return hn::Mul(difference, difference);
  }
};
struct Product {
  HWY_INLINE double operator()(double a, double b) const { return a * b; }
  HWY_INLINE Vec operator()(Vec a, Vec b) const { return hn::Mul(a, b); }
};
struct Different {
  HWY_INLINE double operator()(double a, double b) const { return a == b ? 0 : 1; }
  HWY_INLINE Vec operator()(Vec a, Vec b) const {
    const Lanes d;
    return hn::IfThenZeroElse(hn::Eq(a, b), hn::Set(d, 1.0));
  }
};

// The last coordinates, fewer than 8, padded with zeros: a term of two zeros is 0.
struct Tail {
  HWY_ALIGN double a[kSums] = {};
  HWY_ALIGN double b[kSums] = {};
};

HWY_INLINE double Total(const double* s) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

template <class Term>
HWY_INLINE double SumPair(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, size_t count,
                          Term term) {
  const Lanes d;
  Vec sums[kParts];
  for (size_t part = 0; part < kParts; ++part) sums[part] = hn::Zero(d);
  size_t at = 0;
  for (; at + kSums <= count; at += kSums) {
    for (size_t part = 0; part < kParts; ++part) {
      const size_t from = at + part * kLanes;
      sums[part] = hn::Add(sums[part], term(hn::LoadU(d, a + from), hn::LoadU(d, b + from)));
    }
  }
  if (at < count) {
    Tail tail;
    for (size_t i = 0; at + i < count; ++i) {
      tail.a[i] = a[at + i];
      tail.b[i] = b[at + i];
    }
    for (size_t part = 0; part < kParts; ++part) {
      const size_t from = part * kLanes;
      sums[part] =
          hn::Add(sums[part], term(hn::Load(d, tail.a + from), hn::Load(d, tail.b + from)));
    }
  }
  HWY_ALIGN double s[kSums];
  for (size_t part = 0; part < kParts; ++part) hn::Store(sums[part], d, s + part * kLanes);
  return Total(s);
}

// With fewer than 8 coordinates, each sum has at most one term.
template <size_t kCount, class Term>
HWY_INLINE void SumShortRows(const double* HWY_RESTRICT a, const double* HWY_RESTRICT rows,
                             size_t row_count, double* HWY_RESTRICT out, Term term) {
  for (size_t row = 0; row < row_count; ++row) {
    double s[kSums] = {};
    for (size_t i = 0; i < kCount; ++i) s[i] = term(a[i], rows[row * kCount + i]);
    out[row] = Total(s);
  }
}

template <class Term>
HWY_INLINE void SumRows(const double* a, const double* rows, size_t row_count, size_t count,
                        double* out, Term term) {
  switch (count) {
    case 1:
      return SumShortRows<1>(a, rows, row_count, out, term);
    case 2:
      return SumShortRows<2>(a, rows, row_count, out, term);
    case 3:
      return SumShortRows<3>(a, rows, row_count, out, term);
    case 4:
      return SumShortRows<4>(a, rows, row_count, out, term);
    default:
      break;
  }
  for (size_t row = 0; row < row_count; ++row) {
    out[row] = SumPair(a, rows + row * count, count, term);
  }
}

void SumAbsolute(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  SumRows(a, rows, row_count, count, out, Absolute());
}

void SumSquares(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  SumRows(a, rows, row_count, count, out, Square());
}

void SumProducts(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  SumRows(a, rows, row_count, count, out, Product());
}

void SumDifferent(const double* a, const double* rows, size_t row_count, size_t count,
                  double* out) {
  SumRows(a, rows, row_count, count, out, Different());
}

}  // namespace HWY_NAMESPACE
}  // namespace lookalike
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookalike {
namespace {

HWY_EXPORT(SumAbsolute);
HWY_EXPORT(SumSquares);
HWY_EXPORT(SumProducts);
HWY_EXPORT(SumDifferent);

}  // namespace

void SumAbsolute(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(SumAbsolute)(a, rows, row_count, count, out);
}

void SumSquares(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(SumSquares)(a, rows, row_count, count, out);
}

void SumProducts(const double* a, const double* rows, size_t row_count, size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(SumProducts)(a, rows, row_count, count, out);
}

void SumDifferent(const double* a, const double* rows, size_t row_count, size_t count,
                  double* out) {
  HWY_DYNAMIC_DISPATCH(SumDifferent)(a, rows, row_count, count, out);
}

}  // namespace lookalike
#endif  // HWY_ONCE
