#include "batch/keep_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lookalike {
namespace {

/// An integer or a double, without loss: a 64-bit integer is its nearest double and the rest.
std::pair<double, int64_t> Number(const FieldValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return {*real, 0};
  const int64_t whole = std::get<int64_t>(value);
  const auto near = static_cast<double>(whole);
  if (near >= 0x1p63) return {near, whole - INT64_MAX - 1};
  return {near, whole - static_cast<int64_t>(near)};
}

/// 0: number, 1: string, 2: none (or not a number, which has no place in an order).
int Kind(const FieldValue& value) {
  if (const auto* real = std::get_if<double>(&value); real && std::isnan(*real)) return 2;
  if (std::holds_alternative<std::monostate>(value)) return 2;
  return std::holds_alternative<std::string>(value) ? 1 : 0;
}

/// Whether x comes before y; documents without a value come last in either direction.
bool FieldBefore(const FieldValue& x, const FieldValue& y, bool descending) {
  const int kind_x = Kind(x), kind_y = Kind(y);
  if (kind_x == 2 || kind_y == 2) return kind_x < kind_y;
  if (kind_x != kind_y) return descending ? kind_x > kind_y : kind_x < kind_y;
  const FieldValue& low = descending ? y : x;
  const FieldValue& high = descending ? x : y;
  if (kind_x == 1) return std::get<std::string>(low) < std::get<std::string>(high);
  return Number(low) < Number(high);
}

template <class Before>
std::vector<DocNumber> StableOrder(uint64_t documents, Before&& before) {
  std::vector<DocNumber> order(documents);
  std::iota(order.begin(), order.end(), DocNumber{0});
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

}  // namespace

std::vector<DocNumber> RankDocuments(const KeepOption& order, const KeepValues& values,
                                     uint64_t documents) {
  switch (order.by) {
    case KeepOption::By::kFirst:
      return {};
    case KeepOption::By::kLongest:
      return StableOrder(documents, [&](DocNumber x, DocNumber y) {
        return values.lengths[x] > values.lengths[y];
      });
    case KeepOption::By::kShortest:
      return StableOrder(documents, [&](DocNumber x, DocNumber y) {
        return values.lengths[x] < values.lengths[y];
      });
    case KeepOption::By::kField:
      return StableOrder(documents, [&](DocNumber x, DocNumber y) {
        return FieldBefore(values.fields[x], values.fields[y], order.descending);
      });
    case KeepOption::By::kSource:
      return StableOrder(documents, [&](DocNumber x, DocNumber y) {
        return values.sources[x] < values.sources[y];
      });
  }
  return {};
}

}  // namespace lookalike
